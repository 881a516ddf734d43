import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '../../kernel/database.ts';
import type { Invited } from '../port.ts';
import type { InvitationRow } from './invitations-store.ts';
import * as store from './invitations-store.ts';
import * as users from './users-store.ts';

const LIFE = 7 * 86_400_000;
/** 128 bits. */
const BYTES = 16;

/** The key of a new invitation, which ends the one before. Undefined when the address is somebody's, or the person has come. */
export async function invite(db: Transaction, { sub, email: typed, name }: Invited, now: number): Promise<string | undefined> {
  const email = typed.toLowerCase();
  if ((await users.lockById(db, sub)) || (await users.isTaken(db, email, sub))) return undefined;
  const key = randomBytes(BYTES).toString('base64url');
  await store.put(db, { sub, email, name, key: hashOf(key), expires: new Date(now + LIFE) });
  return key;
}

/** The invitation that a key opens, in time; nobody else accepts it until the transaction ends. */
export async function openedBy(db: Transaction, key: string, now: number): Promise<InvitationRow | undefined> {
  const invitation = await store.lockByKey(db, hashOf(key));
  return invitation && invitation.expires.getTime() > now ? invitation : undefined;
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
