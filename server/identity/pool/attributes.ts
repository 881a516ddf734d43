import * as v from 'valibot';
import { userId } from '#contract/ids.ts';
import { pageLink } from '#contract/mail.ts';
import { displayName, email as emailSchema } from '#contract/schema.ts';
import { requireFresh, type SignedIn } from './authenticator.ts';
import type { CodeGrant, CodeSlot } from './codes.ts';
import { addressTaken, expiredCode, invalidParameter, noPendingAddress, type PoolError, wrongCode } from './errors.ts';
import { isSignedIn } from './sessions-store.ts';
import { countRequest } from './throttle.ts';
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
  const isTaken = await users.isTaken(db, address, sub);
  const code = await codes.make(db, slotOf(user), { sub, credential, address });
  const link = pageLink(mails.site);
  await mails.sendOrSimulate(db, { to: address, mail: 'address-code', props: { code }, isReal: !isTaken });
  await mails.sendOrSimulate(db, { to: address, mail: 'address-taken', props: { link }, isReal: isTaken });
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

async function setEmail(caller: SignedIn, { sub, credential, address }: CodeGrant): Promise<PoolError | undefined> {
  const { db, now, dependencies } = caller;
  const { mails } = dependencies;
  const user = await users.lockById(db, sub);
  if (user?.credential !== credential || address === null) return expiredCode();
  if (!(await users.setEmail(db, sub, { email: address, modified: now }))) return addressTaken();
  await changeInDirectory(caller, address);
  await mails.send(db, { to: user.email, mail: 'address-changed', props: { link: pageLink(mails.site) } });
  return undefined;
}

/** The team's list has the address in the same transaction. Somebody who is in no team is in no list. */
async function changeInDirectory({ db, claims, dependencies: { directory, now } }: SignedIn, email: string): Promise<void> {
  const id = userId(claims.sub);
  const person = await directory.findPerson(db, id, isSignedIn(db, claims, new Date(now())));
  if (person) await directory.changeEmail(db, { userId: id, accountId: person.accountId, email });
}
