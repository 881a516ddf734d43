import { userId as userIdOf } from '#contract/core/ids.ts';
import { pageLink } from '#contract/mail/mail.ts';
import { record, recordForInstallation } from '../event/store.ts';
import type { UserPool } from '../identity/port.ts';
import type { Platform } from '../platform/context.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { narrowTo, type OperatorScope } from '../platform/tenancy/access.ts';
import { openOperatorInvitation } from './operator-invitations.ts';
import { accountOf } from './operator-store.ts';

interface SignInRecoveryOptions {
  readonly platform: Pick<Platform, 'config'>;
  readonly pool: UserPool;
  readonly sendMail: SendMail;
}

/** A person who signs in, and their account; operators may have none. */
interface SignInPerson {
  readonly userId: string;
  readonly accountId: string | undefined;
}

/** Command-line operations for people who can't sign in. Each is recorded in the audit log. */
export function openSignInRecovery({ platform: { config }, pool, sendMail }: SignInRecoveryOptions) {
  const { publicUrl } = config;
  const invite = openOperatorInvitation({ publicUrl, pool, sendMail });
  return {
    /** Returns the person who signs in with an address, or undefined. */
    async find(scope: OperatorScope, email: string): Promise<SignInPerson | undefined> {
      const sub = await pool.find(scope.db, email);
      if (sub === undefined) return undefined;
      return { userId: userIdOf(sub), accountId: await accountOf(scope, userIdOf(sub)) };
    },
    /** Emails a password reset. Returns false if no one can sign in with the address. */
    async mailPasswordReset(scope: OperatorScope, email: string): Promise<boolean> {
      const sub = await pool.find(scope.db, email);
      if (sub === undefined || !(await pool.mailPasswordReset(scope.db, email))) return false;
      await recordForInstallation(scope, 'user.password-reset-mailed', { subject: userIdOf(sub), data: {} });
      return true;
    },
    /** Turns off an operator's two-step sign-in at once, signs them out everywhere and emails them. Returns false if it's off. */
    async resetSecondFactor(scope: OperatorScope, { email, by }: { readonly email: string; readonly by: string }): Promise<boolean> {
      const sub = await pool.find(scope.db, email);
      if (sub === undefined || !(await pool.resetSecondFactor(scope.db, sub))) return false;
      await pool.resets.withdraw(scope.db, sub);
      const [userId, event] = [userIdOf(sub), { subject: userIdOf(sub), data: {} }];
      await recordForInstallation(scope, RESET, event);
      const accountId = await accountOf(scope, userId);
      if (accountId !== undefined) await narrowTo(scope, accountId, (account) => record(account, RESET, event));
      const props = { by, link: pageLink(publicUrl, '/profile') };
      await sendMail({ db: scope.db, sub }, { to: email, mail: 'second-factor-reset', props, reason: RESET });
      return true;
    },
    /** Emails the link with which an operator in the settings chooses a password. Returns false if the address is taken. */
    async inviteOperator(scope: OperatorScope, email: string): Promise<boolean> {
      const sub = await invite(scope.db, email);
      if (sub === undefined) return false;
      await recordForInstallation(scope, 'operator.invited', { subject: userIdOf(sub), data: {} });
      return true;
    },
  };
}

const RESET = 'user.second-factor-reset';
