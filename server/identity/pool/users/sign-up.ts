import * as v from 'valibot';
import { userId } from '#contract/core/ids.ts';
import { pageLink, verifyLink } from '#contract/mail/mail.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { NewUser, SignUpResult } from '../../port.ts';
import type { Dependencies, RequestContext } from '../dependencies.ts';
import { addressTaken, alreadyConfirmed, commitOutcome, expiredCode, newerCode, type PoolError, wrongCode } from '../errors.ts';
import { countRequest, isWithinLimit } from '../limits/throttle.ts';
import { type CodeGrant, type CodeSlot, isLinkKey } from '../secrets/codes.ts';
import { hashNew } from '../secrets/passwords.ts';
import * as users from './users-store.ts';

/* Each sign-up has its own id, which its code and link are bound to, so that they can't activate the password of another
   sign-up with the same address (docs/decisions/0004-access.md). */

/**
 * Creates a person and mails the code and link that confirm the address. For a taken address it looks the same to the caller,
 * and mails the owner. Deletes an unconfirmed sign-up with the same address.
 */
export async function signUp(
  db: Transaction,
  dependencies: Dependencies,
  { sub, name, confirmed, ...sent }: NewUser,
): Promise<SignUpResult> {
  const email = sent.email.toLowerCase();
  const password = await hashNew(dependencies.passwords, sent.password, [email, name]);
  await users.lockAddress(db, email);
  const at = new Date(dependencies.now());
  const status = confirmed ? 'CONFIRMED' : 'UNCONFIRMED';
  const row = { sub, email, name, password, status, emailVerified: confirmed, created: at, modified: at } as const;
  if (confirmed) return { taken: !(await users.insert(db, row)), sub };
  const isFirst = await countMails(db, dependencies, row);
  const owner = await ownerOf(db, dependencies, email);
  if (owner !== undefined) {
    await notifyOwner(db, dependencies, { owner, sub, email, isFirst });
    return { taken: true, sub };
  }
  const replaced = await deleteUnconfirmed(db, dependencies, email);
  await users.insert(db, row);
  await sendSignUpCode(db, dependencies, { user: await users.lockById(db, sub), slot: sub, company: sent.company, former: replaced });
  return { taken: false, sub, replaced };
}

/** Counts against the same limits for new and taken addresses; returns true if the owner may be mailed. */
async function countMails(db: Transaction, { now }: Dependencies, { sub, email }: { sub: string; email: string }): Promise<boolean> {
  const isFirst = await isWithinLimit(db, { kind: 'AddressTaken', subject: email }, now());
  for (const subject of [email, sub]) await isWithinLimit(db, { kind: 'ResendConfirmationCode', subject }, now());
  return isFirst;
}

/** Returns the id of the address's owner; undefined if there is none or their account is deleted. */
async function ownerOf(db: Transaction, { directory }: Dependencies, email: string): Promise<string | undefined> {
  const owner = await users.lockOwner(db, email);
  return owner && (await directory.businessOf(db, userId(owner.sub)))?.isDeleted ? undefined : owner?.sub;
}

/** Mails the owner, with as much work as sending a code. */
async function notifyOwner(
  db: Transaction,
  { codes, mails }: Dependencies,
  { owner, sub, email, isFirst }: { readonly owner: string; readonly sub: string; readonly email: string; readonly isFirst: boolean },
): Promise<void> {
  await codes.simulate(db, slotOf(sub));
  await mails.sendOrSimulate(db, { sub: owner, to: email, mail: 'address-taken', props: { link: pageLink(mails.site) }, isReal: isFirst });
}

/** Deletes the unconfirmed sign-up of an address; returns its id. */
async function deleteUnconfirmed(db: Transaction, { codes }: Dependencies, email: string): Promise<string | undefined> {
  const unconfirmed = await users.lockUnconfirmed(db, email);
  if (!unconfirmed) return undefined;
  await codes.supersede(db, slotOf(unconfirmed.sub));
  await users.remove(db, unconfirmed.sub);
  return unconfirmed.sub;
}

interface CodeMail {
  /** Undefined if the typed name is unknown. */
  readonly user: users.PoolUserRow | undefined;
  /** The person's id, or the typed name. */
  readonly slot: string;
  readonly company?: string | undefined;
  readonly former?: string | undefined;
}

/** Mails the code of an unconfirmed sign-up; does the same work for everyone else. */
export async function sendSignUpCode(db: Transaction, dependencies: Dependencies, { user, slot, ...sent }: CodeMail): Promise<void> {
  const { codes, mails, directory, now } = dependencies;
  const isWaiting = user?.enabled === true && user.status === 'UNCONFIRMED';
  const isReal = (await isWithinLimit(db, { kind: 'SignUpCode', subject: user?.email ?? slot }, now())) && isWaiting;
  const company = sent.company ?? (await directory.businessOf(db, userId(user?.sub ?? NOBODY)))?.company ?? '';
  const grant = isReal ? { ...user, address: null } : undefined;
  const { code = '', linkKey } = await codes.makeWithLink(db, slotOf(slot), { grant, former: sent.former });
  const [to, name] = [user?.email ?? slot, user?.name ?? ''];
  const link = verifyLink(mails.site, { key: linkKey, user: slot, email: to });
  await mails.sendOrSimulate(db, { sub: user?.sub, to, mail: 'sign-up-code', props: { name, company, code, link }, isReal });
}

const NOBODY = '00000000-0000-4000-8000-000000000000';

const slotOf = (name: string): CodeSlot => ({ purpose: 'sign-up', name });

const uuid = v.pipe(v.string(), v.uuid());

/** Returns the person with an id, or the unconfirmed sign-up or else the owner of an address. */
const lockByUsername = (db: Transaction, username: string): Promise<users.PoolUserRow | undefined> =>
  v.is(uuid, username)
    ? users.lockById(db, username)
    : users.lockUnconfirmed(db, username).then((unconfirmed) => unconfirmed ?? users.lockOwner(db, username));

/** Mails a new code to an unconfirmed sign-up, by id or address. Looks the same to the caller for everyone else. */
export async function resendSignUpCode(
  dependencies: Dependencies,
  username: string,
  { address, idempotencyKey }: RequestContext,
): Promise<void> {
  await commitOutcome(dependencies, async (db) => {
    const request = { kind: 'ResendConfirmationCode', subject: username, address, idempotencyKey } as const;
    const { isRepeated } = await countRequest(db, request, dependencies.now());
    if (isRepeated) return;
    const user = await lockByUsername(db, username);
    await sendSignUpCode(db, dependencies, { user, slot: user?.sub ?? username });
  });
}

/** Confirms an address by the mailed code or link key. Only a caller with the right one learns the status. */
export async function confirmSignUp(
  dependencies: Dependencies,
  { username, code }: { readonly username: string; readonly code: string },
  { address, idempotencyKey }: RequestContext,
): Promise<void> {
  // A link's key can't be guessed, so guesses at the code must not lock out its holder.
  const kind = isLinkKey(code) ? 'ConfirmByLink' : 'ConfirmSignUp';
  await commitOutcome(dependencies, async (db) => {
    const { isRepeated } = await countRequest(db, { kind, subject: username, address, idempotencyKey }, dependencies.now());
    await users.lockAddress(db, (v.is(uuid, username) && (await users.emailOf(db, username))) || username);
    const user = await lockByUsername(db, username);
    const redeemed = await dependencies.codes.redeem(db, { ...slotOf(user?.sub ?? username), code });
    if (redeemed === 'used') return isRepeated ? undefined : alreadyConfirmed();
    if (redeemed === 'wrong') return wrongCode();
    if (redeemed === 'superseded') return newerCode();
    return redeemed === 'expired' ? expiredCode() : confirm(db, dependencies, redeemed);
  });
}

async function confirm(db: Transaction, dependencies: Dependencies, { sub, credential }: CodeGrant): Promise<PoolError | undefined> {
  const user = await users.lockById(db, sub);
  if (!user?.enabled || user.credential !== credential) return expiredCode();
  if (user.status !== 'UNCONFIRMED') return alreadyConfirmed();
  if ((await ownerOf(db, dependencies, user.email)) !== undefined) return addressTaken();
  const owner = await users.lockOwner(db, user.email);
  if (owner) {
    await dependencies.directory.leave(db, userId(owner.sub));
    await users.remove(db, owner.sub);
  }
  await users.update(db, sub, { status: 'CONFIRMED', emailVerified: true, modified: new Date(dependencies.now()) });
  return undefined;
}

/** Returns whether a sign-up's address is confirmed; false once its code has expired, so that an old id reveals nothing. */
export async function isConfirmed(db: Transaction, { codes }: Dependencies, sub: string): Promise<boolean> {
  const user = await users.byId(db, sub);
  return user !== undefined && user.status !== 'UNCONFIRMED' && codes.isUnexpired(db, slotOf(sub));
}
