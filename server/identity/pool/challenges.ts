import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '../../kernel/database.ts';
import * as store from './challenges-store.ts';
import type { UserRow } from './users-store.ts';

/** How long a sign-in waits for its second half, in milliseconds. */
const LIFE = 3 * 60_000;
const BYTES = 32;

interface Challenging {
  readonly user: UserRow;
  readonly deviceKey: string | undefined;
  readonly now: number;
}

/**
 * What a right password is answered where a second factor is on. It names nobody: Amplify files tokens under the
 * name that stands here, and would look for the device under the one that was typed.
 */
export async function challenge(db: Transaction, { user: { sub, credential }, deviceKey = '', now }: Challenging) {
  const session = randomBytes(BYTES).toString('base64url');
  const expires = new Date(now + LIFE);
  await store.insert(db, { session: hashOf(session), sub, credential, deviceKey: deviceKey || null, expires });
  return { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: session, ChallengeParameters: {} } as const;
}

export const hashOf = (session: string): Buffer => createHash('sha256').update(session).digest();
