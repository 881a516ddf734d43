import { randomUUID } from 'node:crypto';
import { subOf, userId as userIdOf } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY, HOUR } from '#contract/core/time.ts';
import { invitationLink, pageLink } from '#contract/mail/mail.ts';
import type { Invitation, User, userOperations } from '#contract/user/user.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import { unassign } from '../feedback/store.ts';
import type { UserPool } from '../identity/port.ts';
import type { Platform } from '../platform/context.ts';
import type { Transaction } from '../platform/database/database.ts';
import { hostOf } from '../platform/http/network.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { type AccountScope, asStranger, scopeFor } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin, isWithin, openGate } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';
import * as savedViews from '../saved-view/store.ts';
import * as users from '../user/store.ts';
import { refuseLastAdmin } from '../user/user.ts';

interface TeamOptions {
  readonly platform: Pick<Platform, 'config' | 'database' | 'now'>;
  readonly pool: UserPool;
  readonly sendMail: SendMail;
}

const IN_TEAM = { success: false, data: { code: 'address-taken', message: 'This person is already on your team.' } } as const;
const INVITATION_OVER = {
  success: false,
  data: { code: 'invitation-over', message: 'This invitation is no longer valid. Ask for a new one.' },
} as const;

/** Operations that invite people to a team and remove them, across the user pool, the users and the notification lists. */
export function openTeamWorkflow(options: TeamOptions) {
  const { platform, pool } = options;
  const [admitView, admitAnswer] = [openGate(platform, INVITATION_VIEWS), openGate(platform, INVITATION_ANSWERS)];
  return {
    /** Invites a person, again if necessary. The answer doesn't reveal whether they have an account elsewhere; an email tells them. */
    async generate({ scope }, { payload: { data } }) {
      const { emailAddress, displayName, level } = data;
      // Concurrent invitations of one person wait for each other here; the second invites again.
      await countWithin(scope, INVITATIONS, scope.accountId);
      const existing = await users.byEmail(scope, emailAddress);
      if (existing?.data.invited) return { success: true, data: { user: await inviteAgain(scope, existing, options) } };
      if (existing) return IN_TEAM;
      const id = userIdOf(randomUUID());
      // Until they join, an invited person is written to in the inviter's language.
      const language = (await users.byId(scope, scope.actor))?.data.language;
      const row = { id, created: scope.now, createdBy: scope.actor, displayName, emailAddress, level, language, invited: true };
      const user = await users.insert(scope, row);
      await invite(scope, user, options);
      await record(scope, 'user.invited', { subject: user.id, data: { level } });
      return { success: true, data: { user } };
    },
    async resend({ scope }, { userId }) {
      const user = await users.byId(scope, userId);
      if (!user?.data.invited) return NOT_FOUND;
      await countWithin(scope, INVITATIONS, scope.accountId);
      return { status: 'ok', user: await inviteAgain(scope, user, options) };
    },
    async invitation({ address }, { key }) {
      await admitView(hostOf(address));
      const invitation = await platform.database.transaction({}, (db) => readInvitation(db, key, options));
      return invitation ? { status: 'ok', invitation } : NOT_FOUND;
    },
    async accept({ address }, answer) {
      await admitAnswer(hostOf(address));
      const accept = async (db: Transaction) => {
        const acceptance = await pool.accept(db, { ...answer, address });
        if (acceptance?.joined) await join(db, acceptance.joined, platform.now());
        return acceptance;
      };
      const accepted = await asStranger(platform, () => platform.database.transaction({}, accept));
      return accepted ? { success: true, data: { emailAddress: accepted.email } } : INVITATION_OVER;
    },
    async delete({ scope }, { userId }) {
      await refuseLastAdmin(scope, userId, 'be removed');
      if (!(await removeFromTeam(scope, userId))) return NOT_FOUND;
      await pool.remove(scope.db, subOf(userId));
      return { status: 'ok' };
    },
  } satisfies Pick<Handlers<typeof userOperations>, 'generate' | 'resend' | 'invitation' | 'accept' | 'delete'>;
}

/** Returns an invitation's invitee, inviter and team. Invited operators have neither inviter nor team. */
async function readInvitation(db: Transaction, key: string, { platform, pool }: TeamOptions): Promise<Invitation | undefined> {
  const invitee = await pool.invitation(db, key);
  if (!invitee) return undefined;
  const id = userIdOf(invitee.sub);
  const person = { displayName: invitee.name, emailAddress: invitee.email };
  const accountId = await users.accountOf(db, id);
  if (accountId === undefined) return person;
  const scope = await scopeFor(db, accountId, { actor: id, now: new Date(platform.now()) });
  const [account, invited] = [await accounts.byScope(scope), await users.byId(scope, id)];
  const inviter = invited && (await users.byId(scope, invited.data.createdBy));
  const isNewAccount = account?.subscription.onboardedAt === null && { isNewAccount: true as const };
  return { ...person, invitedBy: inviter?.data.displayName, companyName: account?.displayName, ...isNewAccount };
}

/** Replaces the invited person’s id with the one from the user pool. */
async function join(db: Transaction, joined: { readonly invited: string; readonly sub: string }, now: number): Promise<void> {
  const [invitedAs, id] = [userIdOf(joined.invited), userIdOf(joined.sub)];
  const accountId = await users.accountOf(db, invitedAs);
  if (accountId === undefined) return;
  const scope = await scopeFor(db, accountId, { actor: id, now: new Date(now) });
  await users.join(scope, { invited: invitedAs, id });
  await record(scope, 'user.joined', { subject: id, data: { invitedAs } });
}

async function inviteAgain(scope: AccountScope, user: User, options: TeamOptions): Promise<User> {
  await invite(scope, user, options);
  await record(scope, 'user.invitation-resent', { subject: user.id, data: {} });
  return user;
}

/**
 * Emails an invitation, or an explanation to someone who has an account elsewhere. It contains a secret key, so it's queued directly
 * and never recorded as an event. One address gets only a few a day, from all teams together.
 */
async function invite(scope: AccountScope, { id, data }: User, { platform, pool, sendMail }: TeamOptions): Promise<void> {
  const { emailAddress: to, displayName: name } = data;
  const key = await pool.invite(scope.db, { sub: subOf(id), email: to, name });
  if (!(await isWithin(scope, INVITATIONS_TO, to.toLowerCase()))) return;
  const [account, inviter] = [await accounts.byScope(scope), await users.byId(scope, scope.actor)];
  const people = { name, invitedBy: inviter?.data.displayName ?? '', company: account?.displayName ?? '' };
  const { publicUrl } = platform.config;
  if (key === undefined) {
    await sendMail(scope, { to, mail: 'invitation-elsewhere', props: { ...people, link: pageLink(publicUrl) }, reason: 'user.invited' });
  } else {
    const props = { ...people, link: invitationLink(publicUrl, key) };
    await sendMail(scope, { to, mail: 'invitation', props, reason: 'user.invited' });
  }
}

/** Removes a person from the team, with their views, assignments and subscriptions. Returns false if they aren't on it. */
export async function removeFromTeam(scope: AccountScope, userId: string): Promise<boolean> {
  if (!(await users.remove(scope, userId))) return false;
  await properties.removePerson(scope, userId);
  await savedViews.deletePrivate(scope, userId);
  await unassign(scope, userId);
  await record(scope, 'user.removed', { subject: userId, data: {} });
  return true;
}

/** Invitations per account. @limit invitations */
const INVITATIONS = { name: 'invitations', most: 50, within: DAY };
/** Invitations per email address, across accounts. Then the address gets no more mails, and no response shows this. @limit invitations */
const INVITATIONS_TO = { name: 'invitations to', most: 3, within: DAY };
/** Per IPv4 address or IPv6 /64; enough for a whole team to join on one day. @limit invitation-answers */
const INVITATION_VIEWS = { name: 'looks at invitations', most: 300, within: HOUR };
const INVITATION_ANSWERS = { name: 'answers to invitations', most: 100, within: HOUR };
