import { and, desc, eq, exists, gt, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { userId } from '#contract/core/ids.ts';
import type { RecordedEnd } from '#contract/identity/identity.ts';
import { publishSignedOut } from '../../../event/feed.ts';
import { deleteSome } from '../../../platform/database/batches.ts';
import type { Condition, Transaction } from '../../../platform/database/database.ts';
import { devices, refreshTokens, sessions, users } from '../../tables.ts';
import type { PoolUserRow } from '../users/users-store.ts';

export type SessionRow = typeof sessions.$inferSelect;
export type RefreshTokenRow = typeof refreshTokens.$inferSelect;

export async function insert(db: Transaction, row: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(row);
}

/** Stores a session of another pool unless it exists, and returns the stored row. */
export async function findOrInsert(db: Transaction, row: typeof sessions.$inferInsert): Promise<SessionRow | undefined> {
  await db.insert(sessions).values(row).onConflictDoNothing();
  const [stored] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.family, row.family), eq(sessions.sub, row.sub)));
  return stored;
}

export async function insertToken(db: Transaction, row: typeof refreshTokens.$inferInsert): Promise<void> {
  await db.insert(refreshTokens).values(row);
}

/** A refresh token with its session and person. */
export interface TokenOwner {
  readonly token: RefreshTokenRow;
  readonly session: SessionRow;
  readonly user: PoolUserRow;
}

/** Returns a refresh token's owner; the session stays locked until the transaction ends. */
export async function lockByToken(db: Transaction, hash: Buffer): Promise<TokenOwner | undefined> {
  const [row] = await db
    .select({ token: refreshTokens, session: sessions, user: users })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.family, refreshTokens.family))
    .innerJoin(users, eq(users.sub, sessions.sub))
    .where(eq(refreshTokens.hash, hash))
    .for('update', { of: [sessions, refreshTokens] });
  return row;
}

export async function markRotated(db: Transaction, hash: Buffer, { rotated, salt }: { rotated: Date; salt: Buffer }): Promise<void> {
  await db.update(refreshTokens).set({ rotated, salt }).where(eq(refreshTokens.hash, hash));
}

export async function markUsed(db: Transaction, family: string, use: Pick<SessionRow, 'lastUsed' | 'network'>): Promise<void> {
  await db.update(sessions).set(use).where(eq(sessions.family, family));
}

/** Ends a session for its own browser; one that has already ended stays unchanged. */
export async function revoke(db: Transaction, family: string, revoked: Date): Promise<void> {
  const [ended] = await db
    .update(sessions)
    .set({ revoked })
    .where(and(eq(sessions.family, family), isNull(sessions.revoked)))
    .returning({ sub: sessions.sub });
  if (ended) await publishSignedOut(db, userId(ended.sub));
}

interface SessionsToEnd {
  readonly sub: string;
  /** Ends only the sessions of this device. */
  readonly deviceKey?: string;
  /** A session that doesn't end. */
  readonly except?: string;
  readonly revoked: Date;
  /** The reason their browsers receive. */
  readonly endedBy: RecordedEnd | null;
}

/** Ends a person's sessions. */
export async function revokeAll(db: Transaction, { sub, deviceKey, except, revoked, endedBy }: SessionsToEnd): Promise<void> {
  const ofDevice = deviceKey === undefined ? undefined : eq(sessions.deviceKey, deviceKey);
  const isOther = except === undefined ? undefined : ne(sessions.family, except);
  await db
    .update(sessions)
    .set({ revoked, endedBy })
    .where(and(eq(sessions.sub, sub), ofDevice, isOther, isNull(sessions.revoked)));
  await publishSignedOut(db, userId(sub));
}

/** Ends one session of a person from another one; returns false if there is no such active session. */
export async function revokeOne(
  db: Transaction,
  { sub, family, revoked }: { sub: string; family: string; revoked: Date },
): Promise<boolean> {
  const { rowCount } = await db
    .update(sessions)
    .set({ revoked, endedBy: 'signed-out' })
    .where(and(eq(sessions.family, family), eq(sessions.sub, sub), isNull(sessions.revoked)));
  if (rowCount === 1) await publishSignedOut(db, userId(sub));
  return rowCount === 1;
}

/** Returns a person's active sessions with the names of their browsers, last used first. */
export function listActive(
  db: Transaction,
  { sub, now, usedSince }: { sub: string; now: Date; usedSince: Date },
): Promise<{ session: SessionRow; device: string | null }[]> {
  return db
    .select({ session: sessions, device: devices.name })
    .from(sessions)
    .leftJoin(devices, and(eq(devices.sub, sessions.sub), eq(devices.key, sessions.deviceKey)))
    .where(and(eq(sessions.sub, sub), isNull(sessions.revoked), gt(sessions.expires, now), gt(sessions.lastUsed, usedSince)))
    .orderBy(desc(sessions.lastUsed), sessions.family);
}

/** The session claims of an access token. */
interface SessionOfToken {
  readonly sub: string;
  readonly family: string;
}

/** Returns an active session and its person. */
export async function signedInBy(
  db: Transaction,
  claims: SessionOfToken,
  now: Date,
): Promise<{ user: PoolUserRow; session: SessionRow } | undefined> {
  const [row] = await db
    .select({ user: users, session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.sub, sessions.sub))
    .where(isActive(claims, now));
  return row;
}

/** Returns a condition for statements on other tables: the session is active and its person may sign in. */
export function isSignedIn(db: Transaction, claims: SessionOfToken, now: Date): Condition {
  return exists(db.select({ one: sql`1` }).from(sessions).innerJoin(users, eq(users.sub, sessions.sub)).where(isActive(claims, now)));
}

const isActive = ({ sub, family }: SessionOfToken, now: Date): SQL | undefined =>
  and(eq(sessions.family, family), eq(sessions.sub, sub), isNull(sessions.revoked), gt(sessions.expires, now), eq(users.enabled, true));

/** Deletes sessions that expired or were last used before these times. */
export const removeOld = (db: Transaction, { expiredBefore, unusedSince }: { expiredBefore: Date; unusedSince: Date }): Promise<number> =>
  deleteSome(db, sessions, or(lt(sessions.expires, expiredBefore), lt(sessions.lastUsed, unusedSince)));
