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

/* What somebody who is signed in changes of themselves: the name, and the address. */

const slotOf = ({ sub }: users.PoolUserRow): CodeSlot => ({ purpose: 'address', name: sub });

export async function changeName({ db, user, now }: SignedIn, sent: string): Promise<void> {
  const name = v.safeParse(displayName, sent);
  if (!name.success) throw invalidParameter('Invalid name format.');
  await users.update(db, user.sub, { name: name.output, modified: now });
}

/** Mails a code to the address that somebody wants, which takes effect with the code; undefined where it is theirs already. */
export async function requestEmailChange(caller: SignedIn, sent: string): Promise<string | undefined> {
  const { db, user, dependencies, context } = caller;
  const email = v.safeParse(emailSchema, sent);
  if (!email.success) throw invalidParameter('Invalid email address format.');
  if (email.output === user.email) return undefined;
  requireFresh(caller);
  const request = { what: 'UpdateEmail', who: user.sub, idempotencyKey: context.idempotencyKey } as const;
  const { isRepeated } = await countRequest(db, request, dependencies.now());
  if (!isRepeated) await sendAddressCode(caller, email.output);
  return email.output;
}

/** Where the address is somebody else's, they get a mail without a code; to the caller it looks the same. */
async function sendAddressCode({ db, user, dependencies: { codes, mails } }: SignedIn, address: string): Promise<void> {
  const { sub, credential } = user;
  const owner = await users.ownerBeside(db, address, sub);
  const code = await codes.make(db, slotOf(user), { sub, credential, address });
  const link = pageLink(mails.site);
  await mails.sendOrSimulate(db, { sub, to: address, mail: 'address-code', props: { code }, isReal: owner === undefined });
  await mails.sendOrSimulate(db, { sub: owner, to: address, mail: 'address-taken', props: { link }, isReal: owner !== undefined });
}

/** Mails the code of the address that waits for one anew; gives back the address. */
export async function resendAddressCode(caller: SignedIn): Promise<string> {
  const { db, user, dependencies, context } = caller;
  const address = await dependencies.codes.pendingAddress(db, slotOf(user));
  if (address === undefined) throw noPendingAddress();
  const request = { what: 'GetUserAttributeVerificationCode', who: user.sub, idempotencyKey: context.idempotencyKey } as const;
  const { isRepeated } = await countRequest(db, request, dependencies.now());
  if (!isRepeated) await sendAddressCode(caller, address);
  return address;
}

/** The new address takes effect. The old one gets a mail, in case somebody else asked for the change. */
export async function confirmEmailChange(caller: SignedIn, code: string): Promise<PoolError | undefined> {
  const { db, user, dependencies, context } = caller;
  const request = { what: 'VerifyUserAttribute', who: user.sub, idempotencyKey: context.idempotencyKey } as const;
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
  const isTheirs = await takeAddress(db, dependencies, { user, address, condition: isSignedIn(db, claims, now), context });
  return isTheirs ? undefined : addressTaken();
}

interface ProvenAddress {
  readonly user: users.PoolUserRow;
  /** Which they have proved to read. */
  readonly address: string;
  /** Under which they are looked for in the team's list. */
  readonly condition: Condition;
  /** Where it was changed, if that was here: then the old address can lock the account. */
  readonly context?: RequestContext;
}

/** Gives a person another address, and the team's list in the same transaction; somebody who is in no team is in no list. False when it is somebody else's by now. */
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
