import { createHash, randomBytes } from 'node:crypto';
import { DAY } from '#contract/time.ts';
import type { Transaction } from '../../kernel/database.ts';
import type { Invitee, UserPool } from '../port.ts';
import type { Dependencies } from './dependencies.ts';
import { hashNew } from './passwords.ts';
import * as users from './users-store.ts';

/** How long an invitation can be accepted (ms). */
const LIFE = 7 * DAY;
/** 128 bits. */
const KEY_BYTES = 16;

/** The key of a new invitation, which ends the one before. Undefined when the address is somebody's, or the person has come. */
export async function invite(db: Transaction, { sub, email: typed, name }: Invitee, now: number): Promise<string | undefined> {
  const email = typed.toLowerCase();
  if ((await users.lockById(db, sub)) || (await users.isTaken(db, email, sub))) return undefined;
  const key = randomBytes(KEY_BYTES).toString('base64url');
  await users.putInvitation(db, { sub, email, name, key: hashOf(key), expires: new Date(now + LIFE) });
  return key;
}

/** The invitation that a key opens, in time; nobody else accepts it until the transaction ends. */
export async function invitationOf(db: Transaction, key: string, now: number): Promise<users.InvitationRow | undefined> {
  const invitation = await users.lockInvitation(db, hashOf(key));
  return invitation && invitation.expires.getTime() > now ? invitation : undefined;
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Makes the person whom a key invites, under the password that they chose. */
export async function accept(
  db: Transaction,
  { passwords, now }: Dependencies,
  { key, password: chosen }: Parameters<UserPool['accept']>[1],
): ReturnType<UserPool['accept']> {
  const invitation = await invitationOf(db, key, now());
  if (!invitation) return undefined;
  const { sub, email, name } = invitation;
  const password = await hashNew(passwords, chosen, [email, name]);
  const at = new Date(now());
  const row = { sub, email, name, password, status: 'CONFIRMED', emailVerified: true, created: at, modified: at } as const;
  if (!(await users.insert(db, row))) return undefined;
  await users.removeInvitation(db, sub);
  return { sub, email, invited: sub };
}
