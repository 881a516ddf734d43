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
import { type AccountScope, scopeFor } from '../platform/tenancy/access.ts';
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

const IN_TEAM = { success: false, data: { code: 'address-taken', message: 'This person is in your team already.' } } as const;
const OVER = {
  success: false,
  data: { code: 'invitation-over', message: 'This invitation is no longer valid. Ask for a new one.' },
} as const;

/** Into a team by invitation, and out of it again: the pool, the team's list and the lists of who gets mails about feedback change together. */
export function openTeamWorkflow({ platform, pool, sendMail }: TeamOptions) {
  const [admitLook, admitTry] = [openGate(platform, LOOKS_AT_INVITATIONS), openGate(platform, ANSWERS_TO_INVITATIONS)];
  return {
    /** Says of nobody's address whether it has an account elsewhere: its owner hears by mail. Whoever is invited already is so once more. */
    async generate({ scope }, { payload: { data } }) {
      const { emailAddress, displayName, level } = data;
      // Two who invite one person at once wait here for each other, and the second invites again.
      await countWithin(scope, INVITATIONS, scope.accountId);
      const known = await users.byEmail(scope, emailAddress);
      if (known?.data.invited) return { success: true, data: { user: await inviteAgain(scope, known) } };
      if (known) return IN_TEAM;
      const id = userIdOf(randomUUID());
      const row = { id, created: scope.now, createdBy: scope.actor, displayName, emailAddress, level, invited: true };
      const user = await users.insert(scope, row);
      await invite(scope, user);
      await record(scope, 'user.invited', { subject: user.id, data: { level } });
      return { success: true, data: { user } };
    },
    async resend({ scope }, { userId }) {
      const user = await users.byId(scope, userId);
      if (!user?.data.invited) return NOT_FOUND;
      await countWithin(scope, INVITATIONS, scope.accountId);
      return { status: 'ok', user: await inviteAgain(scope, user) };
    },
    async invitation({ address }, { key }) {
      await admitLook(hostOf(address));
      const invitation = await platform.database.transaction({}, (db) => look(db, key));
      return invitation ? { status: 'ok', invitation } : NOT_FOUND;
    },
    async accept({ address }, answer) {
      await admitTry(hostOf(address));
      const accepted = await platform.database.transaction({}, async (db) => {
        const opened = await pool.accept(db, { ...answer, address });
        if (opened?.joined) await join(db, opened.joined);
        return opened;
      });
      return accepted ? { success: true, data: { emailAddress: accepted.email } } : OVER;
    },
    async delete({ scope }, { userId }) {
      await refuseLastAdmin(scope, userId, 'be removed');
      if (!(await takeOut(scope, userId))) return NOT_FOUND;
      await pool.remove(scope.db, subOf(userId));
      return { status: 'ok' };
    },
  } satisfies Pick<Handlers<typeof userOperations>, 'generate' | 'resend' | 'invitation' | 'accept' | 'delete'>;

  /** Who invited whom to which team. Who runs the installation is invited by no team. */
  async function look(db: Transaction, key: string): Promise<Invitation | undefined> {
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

  /** Replaces the invited person’s id by the one that the user pool gave them. */
  async function join(db: Transaction, { invited, sub }: { readonly invited: string; readonly sub: string }): Promise<void> {
    const [invitedAs, id] = [userIdOf(invited), userIdOf(sub)];
    const accountId = await users.accountOf(db, invitedAs);
    if (accountId === undefined) return;
    const scope = await scopeFor(db, accountId, { actor: id, now: new Date(platform.now()) });
    await users.join(scope, { invited: invitedAs, id });
    await record(scope, 'user.joined', { subject: id, data: { invitedAs } });
  }

  async function inviteAgain(scope: AccountScope, user: User): Promise<User> {
    await invite(scope, user);
    await record(scope, 'user.invitation-resent', { subject: user.id, data: {} });
    return user;
  }

  /**
   * Mails an invitation, or to somebody who has an account elsewhere that they cannot follow it. It carries a secret key,
   * so it is queued directly and never recorded as an event. Whoever never answered gets few a day, from all teams together.
   */
  async function invite(scope: AccountScope, { id, data: { emailAddress: to, displayName: name } }: User): Promise<void> {
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
}

/** Takes somebody out of the team, with all that was theirs in it. False where they are not in it. */
export async function takeOut(scope: AccountScope, userId: string): Promise<boolean> {
  if (!(await users.remove(scope, userId))) return false;
  await properties.forget(scope, userId);
  await savedViews.forget(scope, userId);
  await unassign(scope, userId);
  await record(scope, 'user.removed', { subject: userId, data: {} });
  return true;
}

/** Of one account. */
const INVITATIONS = { name: 'invitations', most: 50, within: DAY };
/** To one address, whichever accounts invite it. */
const INVITATIONS_TO = { name: 'invitations to', most: 3, within: DAY };
/** From one IPv4 address or /64: a whole team may come on one day. */
const LOOKS_AT_INVITATIONS = { name: 'looks at invitations', most: 300, within: HOUR };
const ANSWERS_TO_INVITATIONS = { name: 'answers to invitations', most: 100, within: HOUR };
