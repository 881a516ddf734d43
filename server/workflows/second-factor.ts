import { refusal } from '#contract/core/errors.ts';
import { subOf, userId as userIdOf } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { keepFactorLink, momentInWords, pageLink } from '#contract/mail/mail.ts';
import type { User, userOperations } from '#contract/user/user.ts';
import { record, recordForInstallation } from '../event/store.ts';
import type { UserPool } from '../identity/port.ts';
import type { Platform } from '../platform/context.ts';
import { eachSettled } from '../platform/each-settled.ts';
import { hostOf } from '../platform/http/network.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { type AccountScope, inEveryAccount, narrowTo, type OperatorScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { openGate } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';
import { accountOf } from './operator-store.ts';

/** Per IPv4 address or IPv6 /64. */
const REFUSED_RESETS = { name: 'refused resets', most: 100, within: HOUR };
const LOCKS = { name: 'locks', most: 100, within: HOUR };

interface SecondFactorOptions {
  readonly platform: Pick<Platform, 'config' | 'database' | 'now'>;
  readonly pool: UserPool;
  readonly sendMail: SendMail;
}

type SecondFactorActions =
  | 'secondFactor'
  | 'makeBackupCodes'
  | 'resetSecondFactor'
  | 'refuseSecondFactorReset'
  | 'lock'
  | 'masterSecondFactor'
  | 'requestSecondFactorReset'
  | 'cancelSecondFactorReset';

/**
 * Operations for people who lost their phone: they can use backup codes, an admin of the team can reset their two-step sign-in, and for a
 * sole admin an operator can, after a day.
 */
export function openSecondFactor({ platform, pool, sendMail }: SecondFactorOptions) {
  const { publicUrl } = platform.config;
  const [admitRefusal, admitLock] = [openGate(platform, REFUSED_RESETS), openGate(platform, LOCKS)];
  return {
    async secondFactor({ scope, person }, { userId }) {
      const isOwn = userId === person.userId;
      if (!isOwn && !(await users.byId(scope, userId))) return NOT_FOUND;
      if (!isOwn && person.level !== 'admin') throw refusal('not-allowed', 'Only admins can see that of others.');
      return { status: 'ok', secondFactor: await pool.secondFactor(scope.db, subOf(userId)) };
    },
    async makeBackupCodes({ scope, person }) {
      const codes = await pool.makeBackupCodes(scope.db, subOf(person.userId));
      return codes ? { status: 'ok', codes } : NOT_FOUND;
    },
    async resetSecondFactor({ scope, person }, { userId }) {
      if (userId === person.userId) throw refusal('not-allowed', 'Your own is turned off in your profile.');
      const user = await users.byId(scope, userId);
      if (!user || !(await pool.resetSecondFactor(scope.db, subOf(userId)))) return NOT_FOUND;
      await pool.resets.withdraw(scope.db, subOf(userId));
      const admin = await users.byId(scope, person.userId);
      await notifyOfReset(scope, user, admin?.data.displayName);
      return { status: 'ok' };
    },
    async masterSecondFactor({ scope }, { accountId, userId }) {
      const person = await narrowTo(scope, accountId, (account) => personOf(account, userId));
      if (!person) return NOT_FOUND;
      const sub = subOf(userId);
      const reset = (await pool.resets.of(scope.db, sub)) ?? null;
      return { status: 'ok', secondFactor: await pool.secondFactor(scope.db, sub), isSoleAdmin: person.isSoleAdmin, reset };
    },
    async requestSecondFactorReset({ scope, person }, { accountId, userId }) {
      const target = await narrowTo(scope, accountId, (account) => personOf(account, userId));
      if (!target) return NOT_FOUND;
      const sub = subOf(userId);
      if (!target.isSoleAdmin) throw refusal('conflict', 'An admin of the team can do this.');
      if (!(await pool.secondFactor(scope.db, sub)).isOn) throw refusal('conflict', 'Two-step sign-in is off.');
      const { key, due } = await pool.resets.ask(scope.db, { sub, askedBy: person.emailAddress });
      const props = { by: person.emailAddress, when: momentInWords(due), link: keepFactorLink(publicUrl, key) };
      // The link contains a key, so it's emailed directly and never recorded.
      await narrowTo(scope, accountId, (account) =>
        sendMail(account, { to: target.user.data.emailAddress, mail: 'second-factor-reset-asked', props, reason: ASKED }),
      );
      return { status: 'ok', reset: { askedBy: person.emailAddress, asked: scope.now.getTime(), due } };
    },
    async cancelSecondFactorReset({ scope }, { userId }) {
      return (await pool.resets.withdraw(scope.db, subOf(userId))) ? { status: 'ok' } : NOT_FOUND;
    },
    async refuseSecondFactorReset({ address }, { key }) {
      await admitRefusal(hostOf(address));
      return inEveryAccount(platform, async (scope) => {
        const sub = await pool.resets.refuse(scope.db, key);
        if (sub === undefined) return NOT_FOUND;
        await recordForInstallation(scope, 'user.second-factor-reset-refused', { subject: userIdOf(sub), data: {} });
        return { status: 'ok' };
      });
    },
    async lock({ address }, { key }) {
      await admitLock(hostOf(address));
      return inEveryAccount(platform, async (scope) => ((await pool.lock(scope.db, key)) ? { status: 'ok' } : NOT_FOUND));
    },
    work: {
      async 'second-factor.reset'() {
        const due = await inEveryAccount(platform, ({ db }) => pool.resets.due(db));
        await eachSettled(due, (sub) => inEveryAccount(platform, (scope) => resetIfDue(scope, sub)));
      },
    } satisfies Work,
  } satisfies Pick<Handlers<typeof userOperations>, SecondFactorActions> & { work: Work };

  /** Resets two-step sign-in, unless the request was canceled or another process was first. */
  async function resetIfDue(scope: OperatorScope, sub: string): Promise<void> {
    if (!(await pool.resets.takeDue(scope.db, sub))) return;
    const accountId = await accountOf(scope, userIdOf(sub));
    if (accountId === undefined || !(await pool.resetSecondFactor(scope.db, sub))) return;
    await recordForInstallation(scope, 'user.second-factor-reset', { subject: userIdOf(sub), data: {} });
    await narrowTo(scope, accountId, async (account) => {
      const user = await users.byId(account, userIdOf(sub));
      if (user) await notifyOfReset(account, user, undefined);
    });
  }

  async function notifyOfReset(scope: AccountScope, { id, data: { emailAddress: to } }: User, by: string | undefined): Promise<void> {
    await record(scope, 'user.second-factor-reset', { subject: id, data: {} });
    const props = { ...(by !== undefined && { by }), link: pageLink(publicUrl, '/profile') };
    await sendMail(scope, { to, mail: 'second-factor-reset', props, reason: 'user.second-factor-reset' });
  }
}

const ASKED = 'user.second-factor-reset-requested';

/** Returns a person of the account, and whether they are its only admin. */
async function personOf(scope: AccountScope, userId: string): Promise<{ user: User; isSoleAdmin: boolean } | undefined> {
  const [user, admins] = [await users.byId(scope, userId), await users.admins(scope)];
  return user && { user, isSoleAdmin: admins.length === 1 && admins[0]?.id === userId };
}
