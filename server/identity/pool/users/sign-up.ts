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

/* A sign-up waits for the code of its address under an id of its own. Code and link name that id, so none of them activates
   the password of another sign-up with the same address (docs/decisions/0005-signing-in.md). */

/**
 * Makes a person, and mails the code and the link that confirm the address. A taken address is answered in the same way, and
 * its owner gets a mail about it. Whoever waited for a code of the same address is forgotten.
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
    await tellOwner(db, dependencies, { owner, sub, email, isFirst });
    return { taken: true, sub };
  }
  const replaced = await replaceWaiting(db, dependencies, email);
  await users.insert(db, row);
  await sendSignUpCode(db, dependencies, { user: await users.lockById(db, sub), slot: sub, company: sent.company, former: replaced });
  return { taken: false, sub, replaced };
}

/** New or taken: the same limits are used up. True where the owner may be told. */
async function countMails(db: Transaction, { now }: Dependencies, { sub, email }: { sub: string; email: string }): Promise<boolean> {
  const isFirst = await isWithinLimit(db, { what: 'AddressTaken', who: email }, now());
  for (const who of [email, sub]) await isWithinLimit(db, { what: 'ResendConfirmationCode', who }, now());
  return isFirst;
}

/** The id of the address's owner; undefined where it has none, or their account is deleted. */
async function ownerOf(db: Transaction, { directory }: Dependencies, email: string): Promise<string | undefined> {
  const owner = await users.lockOwner(db, email);
  return owner && (await directory.businessOf(db, userId(owner.sub)))?.isDeleted ? undefined : owner?.sub;
}

/** As much work as a code is. */
async function tellOwner(
  db: Transaction,
  { codes, mails }: Dependencies,
  { owner, sub, email, isFirst }: { readonly owner: string; readonly sub: string; readonly email: string; readonly isFirst: boolean },
): Promise<void> {
  await codes.simulate(db, slotOf(sub));
  await mails.sendOrSimulate(db, { sub: owner, to: email, mail: 'address-taken', props: { link: pageLink(mails.site) }, isReal: isFirst });
}

/** Forgets who waits for a code of this address; gives their id. */
async function replaceWaiting(db: Transaction, { codes }: Dependencies, email: string): Promise<string | undefined> {
  const waiting = await users.lockWaiting(db, email);
  if (!waiting) return undefined;
  await codes.supersede(db, slotOf(waiting.sub));
  await users.remove(db, waiting.sub);
  return waiting.sub;
}

interface CodeMail {
  /** Undefined where nobody is known by what was typed. */
  readonly user: users.PoolUserRow | undefined;
  /** The person's id, or what was typed. */
  readonly slot: string;
  readonly company?: string | undefined;
  readonly former?: string | undefined;
}

/** Makes the code of somebody who signed up, and mails it; for all others the same work is done. */
export async function sendSignUpCode(db: Transaction, dependencies: Dependencies, { user, slot, ...sent }: CodeMail): Promise<void> {
  const { codes, mails, directory, now } = dependencies;
  const isWaiting = user?.enabled === true && user.status === 'UNCONFIRMED';
  const isReal = (await isWithinLimit(db, { what: 'SignUpCode', who: user?.email ?? slot }, now())) && isWaiting;
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

/** Whoever waits under an id, or for an address, or else has that. */
const named = (db: Transaction, username: string): Promise<users.PoolUserRow | undefined> =>
  v.is(uuid, username)
    ? users.lockById(db, username)
    : users.lockWaiting(db, username).then((waiting) => waiting ?? users.lockOwner(db, username));

/** Mails a new code to whoever waits for one, by their id or their address. To the caller everybody looks as if they did. */
export async function resendSignUpCode(
  dependencies: Dependencies,
  username: string,
  { address, idempotencyKey }: RequestContext,
): Promise<void> {
  await commitOutcome(dependencies, async (db) => {
    const request = { what: 'ResendConfirmationCode', who: username, address, idempotencyKey } as const;
    const { isRepeated } = await countRequest(db, request, dependencies.now());
    if (isRepeated) return;
    const user = await named(db, username);
    await sendSignUpCode(db, dependencies, { user, slot: user?.sub ?? username });
  });
}

/** Confirms the address of whoever reads its mail, by the code or the link's key. Only the right one learns what became of it. */
export async function confirmSignUp(
  dependencies: Dependencies,
  { username, code }: { readonly username: string; readonly code: string },
  { address, idempotencyKey }: RequestContext,
): Promise<void> {
  // A link's key is not guessed, so no count of guesses keeps its holder out.
  const what = isLinkKey(code) ? 'ConfirmByLink' : 'ConfirmSignUp';
  await commitOutcome(dependencies, async (db) => {
    const { isRepeated } = await countRequest(db, { what, who: username, address, idempotencyKey }, dependencies.now());
    await users.lockAddress(db, (v.is(uuid, username) && (await users.emailOf(db, username))) || username);
    const user = await named(db, username);
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

/** Whether the address of a sign-up is confirmed, for as long as its code would last: after that an id says nothing of anybody. */
export async function isConfirmed(db: Transaction, { codes }: Dependencies, sub: string): Promise<boolean> {
  const user = await users.byId(db, sub);
  return user !== undefined && user.status !== 'UNCONFIRMED' && codes.isKept(db, slotOf(sub));
}
