import * as v from 'valibot';
import type { Transaction } from '../../kernel/database.ts';
import { action, type Dependencies, decided } from '../protocol/action.ts';
import { clientId, confirmationCode, username } from '../protocol/validation.ts';
import type { CodeGrant, CodeSlot } from './codes.ts';
import { expiredCode, notAuthorized, type PoolError, wrongCode } from './errors.ts';
import { deliveryTo } from './mails.ts';
import { requireClient } from './pool.ts';
import { countRequest } from './throttle.ts';
import * as users from './users-store.ts';

const isConfirmed = () => notAuthorized('User cannot be confirmed. Current status is CONFIRMED');

const codeOf = (email: string): CodeSlot => ({ purpose: 'sign-up', name: email });

const confirmInput = v.object({ ClientId: clientId, Username: username, ConfirmationCode: confirmationCode });

/** Whoever reads the mail has the address. Only the right code is told what became of it. */
export const confirmSignUp = action(
  confirmInput,
  async (dependencies, { ClientId, Username: email, ConfirmationCode: code }, { address, idempotencyKey }) => {
    requireClient(dependencies.names, ClientId);
    return decided(dependencies, async (db) => {
      const { isRepeated } = await countRequest(db, { what: 'ConfirmSignUp', who: email, address, idempotencyKey }, dependencies.now());
      const redeemed = await dependencies.codes.redeem(db, { ...codeOf(email), code });
      if (redeemed === 'used') return isRepeated ? {} : isConfirmed();
      if (redeemed === 'wrong') return wrongCode();
      return redeemed === 'expired' ? expiredCode() : confirm(db, redeemed, new Date(dependencies.now()));
    });
  },
  { isReplayed: true },
);

async function confirm(db: Transaction, { sub, credential }: CodeGrant, modified: Date): Promise<object | PoolError> {
  const user = await users.lockById(db, sub);
  if (!user?.enabled || user.credential !== credential) return expiredCode();
  if (user.status !== 'UNCONFIRMED') return isConfirmed();
  await users.update(db, sub, { status: 'CONFIRMED', emailVerified: true, modified });
  return {};
}

/** Mails a new code to whoever waits for one. To the caller everybody looks as if they did. */
export const resendConfirmationCode = action(
  v.object({ ClientId: clientId, Username: username }),
  async (dependencies, { ClientId, Username: email }, { address, idempotencyKey }) => {
    requireClient(dependencies.names, ClientId);
    await decided(dependencies, async (db) => {
      const { isRepeated } = await countRequest(
        db,
        { what: 'ResendConfirmationCode', who: email, address, idempotencyKey },
        dependencies.now(),
      );
      if (!isRepeated) await sendSignUpCode(db, dependencies, email);
    });
    return { CodeDeliveryDetails: deliveryTo(email) };
  },
  { isReplayed: true },
);

/** Makes the code of somebody who signed up, and mails it. */
export async function sendSignUpCode(
  db: Transaction,
  { codes, mails }: Pick<Dependencies, 'codes' | 'mails'>,
  email: string,
): Promise<void> {
  const user = await users.lockByEmail(db, email);
  const isReal = user?.enabled === true && user.status === 'UNCONFIRMED';
  const code = await codes.make(db, codeOf(email), isReal ? { ...user, address: null } : undefined);
  await mails.sendOrSimulate(db, { to: email, mail: 'sign-up-code', props: { name: user?.name ?? '', code }, isReal });
}
