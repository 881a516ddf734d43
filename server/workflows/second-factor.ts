import { refusal } from '#contract/core/errors.ts';
import { subOf } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { pageLink } from '#contract/mail/mail.ts';
import type { User, userOperations } from '#contract/user/user.ts';
import { record } from '../event/store.ts';
import type { UserPool } from '../identity/port.ts';
import type { Platform } from '../platform/context.ts';
import { hostOf } from '../platform/http/network.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { type AccountScope, inEveryAccount } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { openGate } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';

/** Locked accounts per IPv4 address or IPv6 /64. @limit mailed-links */
const LOCKS = { name: 'locks', most: 100, within: HOUR };

export interface SecondFactorOptions {
  readonly platform: Pick<Platform, 'config' | 'database' | 'now'>;
  readonly pool: UserPool;
  readonly sendMail: SendMail;
}

type SecondFactorActions = 'secondFactor' | 'makeBackupCodes' | 'resetSecondFactor' | 'lock';

/** Operations for people who lost their phone: they can use backup codes, or an admin of the team can reset their two-step sign-in. */
export function openSecondFactor(options: SecondFactorOptions) {
  const { platform, pool } = options;
  const admitLock = openGate(platform, LOCKS);
  return {
    async secondFactor({ scope, person }, { userId }) {
      const isOwn = userId === person.userId;
      if (!isOwn && !(await users.byId(scope, userId))) return NOT_FOUND;
      if (!isOwn && person.level !== 'admin') throw refusal('not-allowed', 'Only admins can see this for other people.');
      return { status: 'ok', secondFactor: await pool.secondFactor(scope.db, subOf(userId)) };
    },
    async makeBackupCodes({ scope, person }) {
      const codes = await pool.makeBackupCodes(scope.db, subOf(person.userId));
      return codes ? { status: 'ok', codes } : NOT_FOUND;
    },
    async resetSecondFactor({ scope, person }, { userId }) {
      if (userId === person.userId) throw refusal('not-allowed', 'Turn off your own in your profile.');
      const user = await users.byId(scope, userId);
      if (!user || !(await pool.resetSecondFactor(scope.db, subOf(userId)))) return NOT_FOUND;
      await pool.resets.withdraw(scope.db, subOf(userId));
      const admin = await users.byId(scope, person.userId);
      await notifyOfReset(scope, { user, by: admin?.data.displayName }, options);
      return { status: 'ok' };
    },
    async lock({ address }, { key }) {
      await admitLock(hostOf(address));
      return inEveryAccount(platform, async (scope) => ((await pool.lock(scope.db, key)) ? { status: 'ok' } : NOT_FOUND));
    },
  } satisfies Pick<Handlers<typeof userOperations>, SecondFactorActions>;
}

/** A reset, and the admin's name; undefined for an operator. */
interface FactorResetNotice {
  readonly user: User;
  readonly by: string | undefined;
}

/** Records a reset and emails the person. */
export async function notifyOfReset(
  scope: AccountScope,
  { user, by }: FactorResetNotice,
  { platform, sendMail }: SecondFactorOptions,
): Promise<void> {
  const {
    id,
    data: { emailAddress: to },
  } = user;
  await record(scope, 'user.second-factor-reset', { subject: id, data: {} });
  const props = { ...(by !== undefined && { by }), link: pageLink(platform.config.publicUrl, '/profile') };
  await sendMail(scope, { to, mail: 'second-factor-reset', props, reason: 'user.second-factor-reset' });
}
