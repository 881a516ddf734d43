import { DAY } from '#contract/core/time.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { sha256 } from '../../../platform/sha256.ts';
import type { AcceptedInvitation, InvitationAnswer, Invitee } from '../../port.ts';
import type { Dependencies } from '../dependencies.ts';
import { PoolError } from '../errors.ts';
import { type CountedGuess, clearGuesses, countGuess } from '../limits/throttle.ts';
import { newLinkKey } from '../secrets/link-keys.ts';
import { hashNew, matchesStored } from '../secrets/passwords.ts';
import * as users from './users-store.ts';

/** How long an invitation can be accepted (ms). @limit invitation-life */
const LIFE = 7 * DAY;

/** Returns the key of a new invitation, which replaces the previous one; undefined if the address is taken or the person has joined. */
export async function invite(db: Transaction, { sub, email: typed, name }: Invitee, now: number): Promise<string | undefined> {
  const email = typed.toLowerCase();
  if ((await users.lockById(db, sub)) || (await users.ownerBeside(db, email, sub)) !== undefined) return undefined;
  const key = newLinkKey();
  await users.putInvitation(db, { sub, email, name, key: sha256(key), expires: new Date(now + LIFE), acceptedAs: null });
  return key;
}

/** Returns whether an address has a person or a pending invitation, and locks the address until the transaction ends. */
export async function isKnown(db: Transaction, typed: string, now: number): Promise<boolean> {
  const email = typed.toLowerCase();
  await users.lockAddress(db, email);
  return (await users.lockByEmail(db, email)) !== undefined || users.isInvited(db, { email, now: new Date(now) });
}

/** Returns the invitation with a key, accepted or not, locked until the transaction ends; undefined if it has expired. */
export async function invitationOf(db: Transaction, key: string, now: number): Promise<users.InvitationRow | undefined> {
  const invitation = await users.lockInvitation(db, sha256(key));
  return invitation && invitation.expires.getTime() > now ? invitation : undefined;
}

/** Returns the person an unused key invites. */
export async function inviteeOf(db: Transaction, key: string, now: number): Promise<Invitee | undefined> {
  const invitation = await currentInvitation(db, key, now);
  return invitation?.acceptedAs === null ? invitation : undefined;
}

async function currentInvitation(db: Transaction, key: string, now: number): Promise<users.InvitationRow | undefined> {
  const invitation = await users.findInvitation(db, sha256(key));
  return invitation && invitation.expires.getTime() > now ? invitation : undefined;
}

/** Creates the person a key invites, with the password they chose. No lock is held while a password is hashed or checked. */
export async function accept(
  db: Transaction,
  dependencies: Dependencies,
  answer: InvitationAnswer,
): Promise<AcceptedInvitation | undefined> {
  const { passwords, now } = dependencies;
  const invitee = await inviteeOf(db, answer.key, now());
  if (invitee) {
    const { sub, email, name } = invitee;
    const password = await hashNew(passwords, answer.password, [email, name]);
    if (await users.lockUnusedInvitation(db, sha256(answer.key))) {
      const at = new Date(now());
      await users.lockAddress(db, email);
      const row = { sub, email, name, password, status: 'CONFIRMED', emailVerified: true, created: at, modified: at } as const;
      if (!(await users.insert(db, row))) return undefined;
      await users.markAccepted(db, { sub, acceptedAs: sub });
      return { email, joined: { invited: sub, sub } };
    }
  }
  // It was accepted before, or by another call while this one hashed its password.
  const sub = (await currentInvitation(db, answer.key, now()))?.acceptedAs;
  return sub ? acceptAgain(db, dependencies, { sub, answer }) : undefined;
}

interface RepeatedAnswer {
  readonly sub: string;
  readonly answer: InvitationAnswer;
}

/** Repeats the answer for a caller with key and password, because the first one may be lost. Each try counts as a guess. */
async function acceptAgain(
  db: Transaction,
  { passwords, now }: Dependencies,
  { sub, answer: { password, address } }: RepeatedAnswer,
): Promise<AcceptedInvitation | undefined> {
  const user = await users.byId(db, sub);
  if (!user?.enabled || user.status !== 'CONFIRMED') return undefined;
  const isRight = await matchesStored(passwords, password, user.password);
  const guess = await countUnlessLocked(db, { email: user.email, address }, now());
  if (!guess || !isRight) return undefined;
  await clearGuesses(db, guess, now());
  return { email: user.email, joined: undefined };
}

/** Returns undefined while guesses are locked out. The caller then returns the same as for a wrong password. */
async function countUnlessLocked(
  db: Transaction,
  { email, address }: { readonly email: string; readonly address: string },
  now: number,
): Promise<CountedGuess | undefined> {
  try {
    return await countGuess(db, { kind: 'password', email, address, device: undefined, idempotencyKey: undefined }, now);
  } catch (error) {
    if (error instanceof PoolError) return undefined;
    throw error;
  }
}
