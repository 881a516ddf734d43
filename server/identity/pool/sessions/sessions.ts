import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { DAY } from '#contract/core/time.ts';
import type { Session } from '#contract/user/user.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { networkOf } from '../../../platform/http/network.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  commitOutcome,
  notAuthorized,
  type PoolError,
  resetRequired,
  reusedRefreshToken,
  revokedRefreshToken,
  userDisabled,
} from '../errors.ts';
import type { PoolUserRow } from '../users/users-store.ts';
import * as devices from './devices-store.ts';
import type { RefreshTokenRow, SessionRow } from './sessions-store.ts';
import * as store from './sessions-store.ts';

const SECOND = 1_000;
/** A session lasts this long at most. */
const LONGEST_SESSION = 30 * DAY;
/** A session ends when it is not used for this long. */
export const LONGEST_IDLE = 7 * DAY;
/** Two tabs (docs/protocols.md#refreshing), or an answer that was lost: for this long a token that was used gives the same successor again. */
const GRACE = 60 * SECOND;
/** A successor is not succeeded before its predecessor's grace is over, even where clocks differ: so what the grace gives is always alive. */
const SETTLED = GRACE + 10 * SECOND;

const TOKEN_BYTES = 32;

/** Somebody who is signed in, in which session. */
export interface Authenticated {
  readonly user: PoolUserRow;
  readonly session: SessionRow;
  readonly groups: readonly string[];
  readonly refreshToken: string;
  /** What the browser is called from now on; undefined where it has a name already. */
  readonly newDeviceKey?: string | undefined;
}

/** A sign-in that showed everything that is asked for. */
interface CompletedSignIn {
  readonly user: PoolUserRow;
  /** A device of theirs; undefined where the browser gets a name. */
  readonly deviceKey: string | undefined;
  readonly address: string;
  /** Whether a one-time password was given, too. */
  readonly twoFactor: boolean;
}

/** Begins a session, with its first refresh token. */
export async function openSession(
  db: Transaction,
  { operators, now }: Dependencies,
  { user, deviceKey, address, twoFactor }: CompletedSignIn,
): Promise<Authenticated> {
  const { sub } = user;
  const at = new Date(now());
  const key = deviceKey ?? devices.newKey();
  if (deviceKey !== undefined) await devices.update(db, { sub, key }, { lastSignIn: at });
  const session: SessionRow = {
    family: randomUUID(),
    sub,
    deviceKey: key,
    network: networkOf(address),
    twoFactor,
    signedIn: at,
    lastUsed: at,
    expires: new Date(at.getTime() + LONGEST_SESSION),
    revoked: null,
    endedBy: null,
  };
  const refreshToken = randomBytes(TOKEN_BYTES).toString('base64url');
  await store.insert(db, session);
  await store.insertToken(db, { hash: hashOf(refreshToken), family: session.family, issued: at, isFirst: true });
  const groups = await operators.groupsOf(db, { user, session });
  return { user, session, groups, refreshToken, newDeviceKey: deviceKey === undefined ? key : undefined };
}

interface Refresh {
  readonly token: string;
  /** Whether the token may be replaced; if not, it stays as it is. */
  readonly rotates: boolean;
  readonly address: string;
}

/** Goes on with the session that a refresh token belongs to. */
export function refreshSession(dependencies: Dependencies, refresh: Refresh): Promise<Authenticated> {
  return commitOutcome(dependencies, async (db) => {
    const found = await store.lockByToken(db, hashOf(refresh.token));
    return found ? goOn(db, dependencies, { ...refresh, found }) : notAuthorized('Invalid Refresh Token');
  });
}

interface FoundRefresh extends Refresh {
  readonly found: store.TokenOwner;
}

async function goOn(
  db: Transaction,
  dependencies: Dependencies,
  { token, rotates, address, found }: FoundRefresh,
): Promise<Authenticated | PoolError> {
  const now = dependencies.now();
  const { user, session } = found;
  const refused = refreshRefusal(found, now);
  if (refused) return refused;
  // A token that was used before, and not just now, is in two hands: its session ends.
  if (isReused(found.token, now)) {
    await store.revoke(db, session.family, new Date(now));
    return reusedRefreshToken();
  }
  await store.markUsed(db, session.family, { lastUsed: new Date(now), network: networkOf(address) });
  const refreshToken = rotates ? await successor(db, { token, row: found.token, now }) : token;
  return { user, session, groups: await dependencies.operators.groupsOf(db, { user, session }), refreshToken };
}

function refreshRefusal({ session, user }: store.TokenOwner, now: number): PoolError | undefined {
  if (session.revoked) return revokedRefreshToken(session.endedBy);
  const ends = Math.min(session.expires.getTime(), session.lastUsed.getTime() + LONGEST_IDLE);
  if (now >= ends) return notAuthorized('Refresh Token has expired');
  if (!user.enabled) return userDisabled();
  return user.status === 'RESET_REQUIRED' ? resetRequired() : undefined;
}

const isReused = ({ rotated }: RefreshTokenRow, now: number): boolean => rotated !== null && now >= rotated.getTime() + GRACE;

async function successor(db: Transaction, { token, row, now }: { token: string; row: RefreshTokenRow; now: number }): Promise<string> {
  if (row.salt) return successorOf(token, row.salt);
  if (!row.isFirst && now < row.issued.getTime() + SETTLED) return token;
  const salt = randomBytes(TOKEN_BYTES);
  const next = successorOf(token, salt);
  const at = new Date(now);
  await store.markRotated(db, row.hash, { rotated: at, salt });
  await store.insertToken(db, { hash: hashOf(next), family: row.family, issued: at, isFirst: false });
  return next;
}

/** The holder of the token gets the same successor from every process: the database has the salt, and neither is of use alone. */
const successorOf = (token: string, salt: Buffer): string => createHmac('sha256', token).update(salt).digest('base64url');

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Ends the session that a refresh token belongs to, whether the token is its newest or not. */
export function endSession({ database, now }: Dependencies, token: string): Promise<void> {
  return database.transaction({}, async (db) => {
    const found = await store.lockByToken(db, hashOf(token));
    if (found) await store.revoke(db, found.session.family, new Date(now()));
  });
}

/** The sessions that last, last used first. `family` names the one that asks. */
export async function listSessions(
  db: Transaction,
  { sub, family }: { readonly sub: string; readonly family?: string },
  now: number,
): Promise<Session[]> {
  const rows = await store.listActive(db, { sub, now: new Date(now), usedSince: new Date(now - LONGEST_IDLE) });
  return rows.map(({ session, device }) => ({
    id: session.family,
    device: device ?? undefined,
    network: session.network,
    signedIn: session.signedIn.getTime(),
    lastUsed: session.lastUsed.getTime(),
    isCurrent: session.family === family,
  }));
}
