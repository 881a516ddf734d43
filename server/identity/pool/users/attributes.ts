import * as v from 'valibot';
import { userId } from '#contract/core/ids.ts';
import { displayName, email as emailSchema } from '#contract/core/schema.ts';
import { pageLink } from '#contract/mail/mail.ts';
import type { Condition, Transaction } from '../../../platform/database/database.ts';
import type { Dependencies, RequestContext } from '../dependencies.ts';
import { addressTaken, expiredCode, invalidParameter, noPendingAddress, type PoolError, wrongCode } from '../errors.ts';
import { securityFacts } from '../limits/locks.ts';
import { countRequest } from '../limits/throttle.ts';
import type { CodeGrant, CodeSlot } from '../secrets/codes.ts';
import { requireFresh, type SignedIn } from '../sessions/authenticator.ts';
import { isSignedIn } from '../sessions/sessions-store.ts';
import * as users from './users-store.ts';

/* Changes that a signed-in person makes to their name and address. */

const slotOf = ({ sub }: users.PoolUserRow): CodeSlot => ({ purpose: 'address', name: sub });

export async function changeName({ db, user, now }: SignedIn, sent: string): Promise<void> {
  const name = v.safeParse(displayName, sent);
  if (!name.success) throw invalidParameter('Invalid name format.');
  await users.update(db, user.sub, { name: name.output, modified: now });
}

/** Mails a code to the new address, which takes effect with the code; returns undefined if it is already theirs. */
export async function requestEmailChange(caller: SignedIn, sent: string): Promise<string | undefined> {
  const { db, user, dependencies, context } = caller;
  const email = v.safeParse(emailSchema, sent);
  if (!email.success) throw invalidParameter('Invalid email address format.');
  if (email.output === user.email) return undefined;
  requireFresh(caller);
  const request = { kind: 'UpdateEmail', subject: user.sub, idempotencyKey: context.idempotencyKey } as const;
  const { isRepeated } = await countRequest(db, request, dependencies.now());
  if (!isRepeated) await sendAddressCode(caller, email.output);
  return email.output;
}

/** Mails the code, or a notice without a code to the owner of a taken address; looks the same to the caller. */
async function sendAddressCode({ db, user, dependencies: { codes, mails } }: SignedIn, address: string): Promise<void> {
  const { sub, credential } = user;
  const owner = await users.ownerBeside(db, address, sub);
  const code = await codes.make(db, slotOf(user), { sub, credential, address });
  const link = pageLink(mails.site);
  await mails.sendOrSimulate(db, { sub, to: address, mail: 'address-code', props: { code }, isReal: owner === undefined });
  await mails.sendOrSimulate(db, { sub: owner, to: address, mail: 'address-taken', props: { link }, isReal: owner !== undefined });
}

/** Mails a new code for the pending address, and returns the address. */
export async function resendAddressCode(caller: SignedIn): Promise<string> {
  const { db, user, dependencies, context } = caller;
  const address = await dependencies.codes.pendingAddress(db, slotOf(user));
  if (address === undefined) throw noPendingAddress();
  const request = { kind: 'GetUserAttributeVerificationCode', subject: user.sub, idempotencyKey: context.idempotencyKey } as const;
  const { isRepeated } = await countRequest(db, request, dependencies.now());
  if (!isRepeated) await sendAddressCode(caller, address);
  return address;
}

/** Sets the new address and notifies the old one, in case someone else requested the change. */
export async function confirmEmailChange(caller: SignedIn, code: string): Promise<PoolError | undefined> {
  const { db, user, dependencies, context } = caller;
  const request = { kind: 'VerifyUserAttribute', subject: user.sub, idempotencyKey: context.idempotencyKey } as const;
  const { isRepeated } = await countRequest(db, request, dependencies.now());
  const redeemed = await dependencies.codes.redeem(db, { ...slotOf(user), code });
  if (redeemed === 'used' && isRepeated) return undefined;
  if (redeemed === 'wrong') return wrongCode();
  return typeof redeemed === 'string' ? expiredCode() : setEmail(caller, redeemed);
}

async function setEmail(
  { db, claims, now, dependencies, context }: SignedIn,
  { sub, credential, address }: CodeGrant,
): Promise<PoolError | undefined> {
  const user = await users.lockById(db, sub);
  if (user?.credential !== credential || address === null) return expiredCode();
  const isSet = await takeAddress(db, dependencies, { user, address, condition: isSignedIn(db, claims, now), context });
  return isSet ? undefined : addressTaken();
}

interface ProvenAddress {
  readonly user: users.PoolUserRow;
  /** The new address, which they proved to own. */
  readonly address: string;
  /** The condition for finding them in the team's list. */
  readonly condition: Condition;
  /** The request that changed it; undefined for a change in Cognito, in which case the mail has no lock link. */
  readonly context?: RequestContext;
}

/** Changes a person's address, also in their team's list, if any. Returns false if someone else has the address. */
export async function takeAddress(
  db: Transaction,
  { directory, mails, now }: Pick<Dependencies, 'directory' | 'mails' | 'now'>,
  { user, address, condition, context }: ProvenAddress,
): Promise<boolean> {
  const { sub, email: to } = user;
  if (!(await users.setEmail(db, user.sub, { email: address, modified: new Date(now()) }))) return false;
  const id = userId(user.sub);
  const person = await directory.findPerson(db, id, condition);
  if (person) await directory.changeEmail(db, { userId: id, accountId: person.accountId, email: address });
  const facts = context && (await securityFacts(db, { mails, now }, { sub, to, context }));
  await mails.send(db, { sub, to, mail: 'address-changed', props: { ...facts, link: pageLink(mails.site) } });
  return true;
}
