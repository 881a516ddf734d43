import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from '../../kernel/database.ts';
import { notAuthorized, type PoolError, resetRequired, reusedRefreshToken } from './errors.ts';
import type { RefreshTokenRow, SessionRow } from './sessions-store.ts';
import * as store from './sessions-store.ts';
import { networkOf } from './throttle.ts';
import type { UserRow } from './users-store.ts';

const SECOND = 1_000;
const DAY = 86_400_000;
/** A sign-in lasts this long at most, */
export const LONGEST_SESSION = 30 * DAY;
/** and ends when it is not used for this long. */
export const LONGEST_IDLE = 7 * DAY;
/** Two tabs, or an answer that was lost: for this long a token that was used gives the same successor again. */
const GRACE = 60 * SECOND;
/** A successor is not succeeded before its predecessor's grace is over, even where clocks differ: so what the grace gives is always alive. */
const SETTLED = GRACE + 10 * SECOND;

const BYTES = 32;

/** A sign-in that succeeded. */
interface Opening {
  readonly sub: string;
  readonly deviceKey: string;
  /** From which address. */
  readonly address: string;
  /** Whether a one-time password was given, too. */
  readonly twoFactor: boolean;
  readonly now: number;
}

/** Begins a session; gives its first refresh token. */
export async function open(db: Transaction, { sub, deviceKey, address, twoFactor, now }: Opening) {
  const at = new Date(now);
  const session: SessionRow = {
    family: randomUUID(),
    sub,
    deviceKey,
    network: networkOf(address),
    twoFactor,
    signedIn: at,
    lastUsed: at,
    expires: new Date(now + LONGEST_SESSION),
    revoked: null,
  };
  const refreshToken = randomBytes(BYTES).toString('base64url');
  await store.insert(db, session);
  await store.insertToken(db, { hash: hashOf(refreshToken), family: session.family, issued: at, isFirst: true });
  return { session, refreshToken };
}

/** A session that goes on: for whom, and with which refresh token from now on. */
export interface Refreshed {
  readonly user: UserRow;
  readonly session: SessionRow;
  readonly refreshToken: string;
}

interface Refresh {
  readonly token: string;
  /** Whether the token may be replaced; if not, it stays as it is. */
  readonly rotates: boolean;
  /** From which address. */
  readonly address: string;
  readonly now: number;
}

/**
 * Goes on with the session that a refresh token belongs to. Gives back why not, where it cannot: a token that was
 * used before, and not just now, is in two hands, so its session ends, which has to be written down.
 */
export async function refresh(db: Transaction, { token, rotates, address, now }: Refresh): Promise<Refreshed | PoolError> {
  const hash = hashOf(token);
  const found = await store.lockByToken(db, hash);
  const no = found ? refusalFor(found, now) : notAuthorized('Invalid Refresh Token');
  if (!found || no) return no ?? notAuthorized('Invalid Refresh Token');
  const { user, session } = found;
  if (isReused(found.token, now)) {
    await store.revoke(db, session.family, new Date(now));
    return reusedRefreshToken();
  }
  await store.markUsed(db, session.family, { lastUsed: new Date(now), network: networkOf(address) });
  return { user, session, refreshToken: rotates ? await successor(db, { token, row: found.token, now }) : token };
}

/** Ends the session that a refresh token belongs to, whether the token is its newest or not. */
export async function end(db: Transaction, token: string, now: number): Promise<void> {
  const found = await store.lockByToken(db, hashOf(token));
  if (found) await store.revoke(db, found.session.family, new Date(now));
}

function refusalFor({ session, user }: { session: SessionRow; user: UserRow }, now: number): PoolError | undefined {
  if (session.revoked) return notAuthorized('Refresh Token has been revoked');
  const ends = Math.min(session.expires.getTime(), session.lastUsed.getTime() + LONGEST_IDLE);
  if (now >= ends) return notAuthorized('Refresh Token has expired');
  if (!user.enabled) return notAuthorized('User is disabled.');
  if (user.status === 'RESET_REQUIRED') return resetRequired();
  return undefined;
}

const isReused = ({ rotated }: RefreshTokenRow, now: number): boolean => rotated !== null && now >= rotated.getTime() + GRACE;

async function successor(db: Transaction, { token, row, now }: { token: string; row: RefreshTokenRow; now: number }): Promise<string> {
  if (row.salt) return successorOf(token, row.salt);
  if (!row.isFirst && now < row.issued.getTime() + SETTLED) return token;
  const salt = randomBytes(BYTES);
  const next = successorOf(token, salt);
  const at = new Date(now);
  await store.markRotated(db, row.hash, { rotated: at, salt });
  await store.insertToken(db, { hash: hashOf(next), family: row.family, issued: at, isFirst: false });
  return next;
}

/** Whoever holds the token, and the database for its salt, gets the same successor, in every process. */
const successorOf = (token: string, salt: Buffer): string => createHmac('sha256', token).update(salt).digest('base64url');

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
