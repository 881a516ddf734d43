import * as v from 'valibot';
import { pageLink, resetLink } from '#contract/mail.ts';
import type { Transaction } from '../../kernel/database.ts';
import { action, type Dependencies, decided } from '../protocol/action.ts';
import { clientId, confirmationCode, password, username } from '../protocol/validation.ts';
import type { CodeSlot } from './codes.ts';
import { expiredCode, wrongCode } from './errors.ts';
import { deliveryTo } from './mails.ts';
import { checkNewPassword } from './password-policy.ts';
import { requireClient } from './pool.ts';
import { revokeAll } from './sessions-store.ts';
import * as throttle from './throttle.ts';
import { countRequest } from './throttle.ts';
import * as users from './users-store.ts';

const codeOf = (email: string): CodeSlot => ({ purpose: 'reset', name: email });

/**
 * Mails a code that sets a new password. Whoever never confirmed the address may have it too: the code proves the
 * address as well, and nobody can keep another's address by signing up with it.
 */
export const forgotPassword = action(
  v.object({ ClientId: clientId, Username: username }),
  async (dependencies, { ClientId, Username: email }, { address, idempotencyKey }) => {
    requireClient(dependencies.names, ClientId);
    await decided(dependencies, async (db) => {
      const { isRepeated } = await countRequest(db, { what: 'ForgotPassword', who: email, address, idempotencyKey }, dependencies.now());
      if (!isRepeated) await sendResetCode(db, dependencies, email);
    });
    return { CodeDeliveryDetails: deliveryTo(email) };
  },
  { isReplayed: true },
);

async function sendResetCode(db: Transaction, { codes, mails }: Dependencies, email: string): Promise<void> {
  const user = await users.lockByEmail(db, email);
  const isReal = user?.enabled === true;
  const code = await codes.make(db, codeOf(email), isReal ? { ...user, address: null } : undefined);
  const props = { code, link: resetLink(mails.site, { code, email }) };
  await mails.sendOrSimulate(db, { to: email, mail: 'reset-code', props, isReal });
}

const confirmInput = v.object({ ClientId: clientId, Username: username, ConfirmationCode: confirmationCode, Password: password });

/** Sets the new password, ends every session, and signs nobody in: a second factor is still asked for (R31). */
export const confirmForgotPassword = action(
  confirmInput,
  async (dependencies, { ClientId, Username: email, ConfirmationCode: code, Password }, { address, idempotencyKey, log }) => {
    requireClient(dependencies.names, ClientId);
    checkNewPassword(Password, [email]);
    const request = { what: 'ConfirmForgotPassword', who: email, address, idempotencyKey } as const;
    const { isRepeated } = await decided(dependencies, (db) => countRequest(db, request, dependencies.now()));
    const hash = await dependencies.passwords.hash(Password);
    return decided(dependencies, async (db) => {
      const redeemed = await dependencies.codes.redeem(db, { ...codeOf(email), code });
      if (redeemed === 'used' && isRepeated) return {};
      if (redeemed === 'wrong') return wrongCode();
      if (typeof redeemed === 'string') return expiredCode();
      const user = await users.lockById(db, redeemed.sub);
      if (!user?.enabled || user.credential !== redeemed.credential || user.email !== email) return expiredCode();
      await reset(db, dependencies, { user, hash });
      await throttle.clearAccount(db, { email, address });
      log.info({ sub: user.sub }, 'a password was reset');
      return {};
    });
  },
  { isReplayed: true },
);

async function reset(db: Transaction, { mails, now }: Dependencies, { user, hash }: { user: users.UserRow; hash: string }): Promise<void> {
  const { sub, email } = user;
  const modified = new Date(now());
  await users.setPassword(db, sub, { password: hash, modified });
  await users.update(db, sub, { status: 'CONFIRMED', emailVerified: true });
  await revokeAll(db, { sub, revoked: modified });
  await mails.send(db, { to: email, mail: 'password-changed', props: { link: pageLink(mails.site) } });
}
