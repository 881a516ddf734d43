import { refusal } from '#contract/core/errors.ts';
import { subOf, userId as userIdOf } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { keepFactorLink } from '#contract/mail/mail.ts';
import type { User, userOperations } from '#contract/user/user.ts';
import { recordForInstallation } from '../event/store.ts';
import { eachSettled } from '../platform/each-settled.ts';
import { hostOf } from '../platform/http/network.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import { type AccountScope, inEveryAccount, narrowTo, type OperatorScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { openGate } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';
import { accountOf } from './operator-store.ts';
import { notifyOfReset, type SecondFactorOptions } from './second-factor.ts';

/** Refused resets per IPv4 address or IPv6 /64. @limit mailed-links */
const REFUSED_RESETS = { name: 'refused resets', most: 100, within: HOUR };
const RESET_REQUESTED = 'user.second-factor-reset-requested';

type ResetActions = 'masterSecondFactor' | 'requestSecondFactorReset' | 'cancelSecondFactorReset' | 'refuseSecondFactorReset';

/** Operations for a sole admin who lost their phone: an operator can reset their two-step sign-in, after a day in which they can refuse. */
export function openSecondFactorResets({ platform, pool, sendMail }: SecondFactorOptions) {
  const admitRefusal = openGate(platform, REFUSED_RESETS);
  return {
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
      const props = { by: person.emailAddress, when: { at: due }, link: keepFactorLink(platform.config.publicUrl, key) };
      // The link contains a key, so it's emailed directly and never recorded.
      await narrowTo(scope, accountId, (account) =>
        sendMail(account, { to: target.user.data.emailAddress, mail: 'second-factor-reset-asked', props, reason: RESET_REQUESTED }),
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
  } satisfies Pick<Handlers<typeof userOperations>, ResetActions>;
}

/** The job that resets two-step sign-in once it's due. */
export const secondFactorWork = (options: SecondFactorOptions): Work => ({
  async 'second-factor.reset'() {
    const { platform, pool } = options;
    const due = await inEveryAccount(platform, ({ db }) => pool.resets.due(db));
    await eachSettled(due, (sub) => inEveryAccount(platform, (scope) => resetIfDue(scope, sub, options)));
  },
});

/** Resets two-step sign-in, unless the request was canceled or another process was first. */
async function resetIfDue(scope: OperatorScope, sub: string, options: SecondFactorOptions): Promise<void> {
  const { pool } = options;
  if (!(await pool.resets.takeDue(scope.db, sub))) return;
  const accountId = await accountOf(scope, userIdOf(sub));
  if (accountId === undefined || !(await pool.resetSecondFactor(scope.db, sub))) return;
  await recordForInstallation(scope, 'user.second-factor-reset', { subject: userIdOf(sub), data: {} });
  await narrowTo(scope, accountId, async (account) => {
    const user = await users.byId(account, userIdOf(sub));
    if (user) await notifyOfReset(account, { user, by: undefined }, options);
  });
}

/** Returns a person of the account, and whether they are its only admin. */
async function personOf(scope: AccountScope, userId: string): Promise<{ user: User; isSoleAdmin: boolean } | undefined> {
  const [user, admins] = [await users.byId(scope, userId), await users.admins(scope)];
  return user && { user, isSoleAdmin: admins.length === 1 && admins[0]?.id === userId };
}
