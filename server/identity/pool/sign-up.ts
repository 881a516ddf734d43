import { pageLink } from '#contract/mail.ts';
import type { Transaction } from '../../kernel/database.ts';
import type { NewUser } from '../port.ts';
import type { CodeGrant, CodeSlot } from './codes.ts';
import type { Dependencies, RequestContext } from './dependencies.ts';
import { alreadyConfirmed, commitOutcome, expiredCode, type PoolError, wrongCode } from './errors.ts';
import { hashNew } from './passwords.ts';
import { countRequest, isWithinLimit } from './throttle.ts';
import * as users from './users-store.ts';

/**
 * Makes a person, and mails the code that confirms the address. A taken address is answered in the same way, and its
 * owner gets a mail about it.
 */
export async function signUp(db: Transaction, dependencies: Dependencies, { sub, name, confirmed, ...sent }: NewUser) {
  const email = sent.email.toLowerCase();
  const password = await hashNew(dependencies.passwords, sent.password, [email, name]);
  const at = new Date(dependencies.now());
  const status = confirmed ? 'CONFIRMED' : 'UNCONFIRMED';
  const isNew = await users.insert(db, { sub, email, name, password, status, emailVerified: confirmed, created: at, modified: at });
  if (!confirmed) await mailOwner(db, dependencies, { email, isNew });
  return { taken: !isNew, sub };
}

/** New or taken: the same limits are used up, the same rows are written, one mail goes out. */
async function mailOwner(db: Transaction, dependencies: Dependencies, { email, isNew }: { email: string; isNew: boolean }): Promise<void> {
  const { codes, mails, now } = dependencies;
  const isFirst = await isWithinLimit(db, { what: 'AddressTaken', who: email }, now());
  await isWithinLimit(db, { what: 'ResendConfirmationCode', who: email }, now());
  if (isNew) return sendSignUpCode(db, dependencies, email);
  await codes.simulate(db, slotOf(email));
  await mails.sendOrSimulate(db, { to: email, mail: 'address-taken', props: { link: pageLink(mails.site) }, isReal: isFirst });
}

/** Makes the code of somebody who signed up, and mails it; for all others the same work is done. */
export async function sendSignUpCode(db: Transaction, { codes, mails }: Dependencies, email: string): Promise<void> {
  const user = await users.lockByEmail(db, email);
  const isReal = user?.enabled === true && user.status === 'UNCONFIRMED';
  const code = await codes.make(db, slotOf(email), isReal ? { ...user, address: null } : undefined);
  await mails.sendOrSimulate(db, { to: email, mail: 'sign-up-code', props: { name: user?.name ?? '', code }, isReal });
}

const slotOf = (email: string): CodeSlot => ({ purpose: 'sign-up', name: email });

/** Mails a new code to whoever waits for one. To the caller everybody looks as if they did. */
export async function resendSignUpCode(
  dependencies: Dependencies,
  email: string,
  { address, idempotencyKey }: RequestContext,
): Promise<void> {
  await commitOutcome(dependencies, async (db) => {
    const request = { what: 'ResendConfirmationCode', who: email, address, idempotencyKey } as const;
    const { isRepeated } = await countRequest(db, request, dependencies.now());
    if (!isRepeated) await sendSignUpCode(db, dependencies, email);
  });
}

/** Confirms the address of whoever reads its mail. Only the right code learns what became of it. */
export async function confirmSignUp(
  dependencies: Dependencies,
  { email, code }: { readonly email: string; readonly code: string },
  { address, idempotencyKey }: RequestContext,
): Promise<void> {
  const { codes, now } = dependencies;
  await commitOutcome(dependencies, async (db) => {
    const { isRepeated } = await countRequest(db, { what: 'ConfirmSignUp', who: email, address, idempotencyKey }, now());
    const redeemed = await codes.redeem(db, { ...slotOf(email), code });
    if (redeemed === 'used') return isRepeated ? undefined : alreadyConfirmed();
    if (redeemed === 'wrong') return wrongCode();
    return redeemed === 'expired' ? expiredCode() : confirm(db, redeemed, new Date(now()));
  });
}

async function confirm(db: Transaction, { sub, credential }: CodeGrant, modified: Date): Promise<PoolError | undefined> {
  const user = await users.lockById(db, sub);
  if (!user?.enabled || user.credential !== credential) return expiredCode();
  if (user.status !== 'UNCONFIRMED') return alreadyConfirmed();
  await users.update(db, sub, { status: 'CONFIRMED', emailVerified: true, modified });
  return undefined;
}
