import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { DAY } from '#contract/core/time.ts';
import type { Session } from '#contract/user/user.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { networkOf } from '../../../platform/http/network.ts';
import { sha256 } from '../../../platform/sha256.ts';
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
/** The longest life of a session (ms). @limit session-life */
const LONGEST_SESSION = 30 * DAY;
/** The longest time a session may go unused (ms). @limit session-life */
export const LONGEST_IDLE = 7 * DAY;
/**
 * How long a used token returns the same successor, for two tabs (docs/protocols.md#refreshing) or a lost response.
 * @limit refresh-token
 */
const GRACE = 60 * SECOND;
/** A successor is not rotated before its predecessor's grace is over, even if clocks differ, so that the grace always returns a valid token. */
const SETTLED = GRACE + 10 * SECOND;

const TOKEN_BYTES = 32;

/** A signed-in person and their session. */
export interface AuthenticatedSession {
  readonly user: PoolUserRow;
  readonly session: SessionRow;
  readonly groups: readonly string[];
  readonly refreshToken: string;
  /** The browser's new device key; undefined if it has one. */
  readonly newDeviceKey?: string | undefined;
}

/** A sign-in that passed every check. */
interface CompletedSignIn {
  readonly user: PoolUserRow;
  /** A device of theirs; undefined if the browser gets a new key. */
  readonly deviceKey: string | undefined;
  readonly address: string;
  /** True if it included a one-time password. */
  readonly twoFactor: boolean;
}

/** Begins a session, with its first refresh token. */
export async function openSession(
  db: Transaction,
  { operators, now }: Dependencies,
  { user, deviceKey, address, twoFactor }: CompletedSignIn,
): Promise<AuthenticatedSession> {
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
  await store.insertToken(db, { hash: sha256(refreshToken), family: session.family, issued: at, isFirst: true });
  const groups = await operators.groupsOf(db, { user, session });
  return { user, session, groups, refreshToken, newDeviceKey: deviceKey === undefined ? key : undefined };
}

interface Refresh {
  readonly token: string;
  /** True if the token may be replaced. */
  readonly rotates: boolean;
  readonly address: string;
}

/** Refreshes the session of a refresh token; throws a refusal if the token or its session is not valid. */
export function refreshSession(dependencies: Dependencies, refresh: Refresh): Promise<AuthenticatedSession> {
  return commitOutcome(dependencies, async (db) => {
    const owner = await store.lockByToken(db, sha256(refresh.token));
    return owner ? refreshOwned(db, dependencies, { ...refresh, owner }) : notAuthorized('Invalid Refresh Token');
  });
}

interface OwnedRefresh extends Refresh {
  readonly owner: store.TokenOwner;
}

async function refreshOwned(
  db: Transaction,
  dependencies: Dependencies,
  { token, rotates, address, owner }: OwnedRefresh,
): Promise<AuthenticatedSession | PoolError> {
  const now = dependencies.now();
  const { user, session } = owner;
  const refusal = refreshRefusal(owner, now);
  if (refusal) return refusal;
  // A token reused after its grace may be stolen, so its session ends.
  if (isReused(owner.token, now)) {
    await store.revoke(db, session.family, new Date(now));
    return reusedRefreshToken();
  }
  await store.markUsed(db, session.family, { lastUsed: new Date(now), network: networkOf(address) });
  const refreshToken = rotates ? await successor(db, { token, row: owner.token, now }) : token;
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
  await store.insertToken(db, { hash: sha256(next), family: row.family, issued: at, isFirst: false });
  return next;
}

/** Derives the same successor in every process, from the holder's token and the stored salt, neither of which is any use alone. */
const successorOf = (token: string, salt: Buffer): string => createHmac('sha256', token).update(salt).digest('base64url');

/** Ends the session of a refresh token, even if the token was already rotated. */
export function endSession({ database, now }: Dependencies, token: string): Promise<void> {
  return database.transaction({}, async (db) => {
    const owner = await store.lockByToken(db, sha256(token));
    if (owner) await store.revoke(db, owner.session.family, new Date(now()));
  });
}

/** Returns the active sessions, last used first. `family` is the caller's own session. */
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
