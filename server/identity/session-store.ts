import { and, eq, exists, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../kernel/database.ts';
import { refreshTokens, sessions, users } from './tables.ts';
import type { User } from './user-store.ts';

export type Session = typeof sessions.$inferSelect;
export type RefreshToken = typeof refreshTokens.$inferSelect;

export async function insert(db: Transaction, row: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(row);
}

export async function insertToken(db: Transaction, row: typeof refreshTokens.$inferInsert): Promise<void> {
  await db.insert(refreshTokens).values(row);
}

/** A refresh token with its session and person; nobody else refreshes the session until the transaction ends. */
export async function heldByToken(
  db: Transaction,
  hash: Buffer,
): Promise<{ token: RefreshToken; session: Session; user: User } | undefined> {
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

export async function markUsed(db: Transaction, family: string, use: Pick<Session, 'lastUsed' | 'network'>): Promise<void> {
  await db.update(sessions).set(use).where(eq(sessions.family, family));
}

/** Ends a session; an ended one stays as it is. */
export async function revoke(db: Transaction, family: string, revoked: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ revoked })
    .where(and(eq(sessions.family, family), isNull(sessions.revoked)));
}

/** Ends a person's sessions: all of them, or those of one device. */
export async function revokeAll(
  db: Transaction,
  { sub, deviceKey, revoked }: { sub: string; deviceKey?: string; revoked: Date },
): Promise<void> {
  const ofDevice = deviceKey === undefined ? undefined : eq(sessions.deviceKey, deviceKey);
  await db
    .update(sessions)
    .set({ revoked })
    .where(and(eq(sessions.sub, sub), ofDevice, isNull(sessions.revoked)));
}

interface Proof {
  readonly sub: string;
  readonly family: string;
}

/** The person whom a session that lasts belongs to. */
export async function userOf(db: Transaction, proof: Proof, now: Date): Promise<User | undefined> {
  const [row] = await db.select({ user: users }).from(sessions).innerJoin(users, eq(users.sub, sessions.sub)).where(lasting(proof, now));
  return row?.user;
}

/** A condition for a statement on other tables: this session lasts, and its person may still sign in. */
export function isSignedIn(db: Transaction, proof: Proof, now: Date): SQL {
  return exists(db.select({ one: sql`1` }).from(sessions).innerJoin(users, eq(users.sub, sessions.sub)).where(lasting(proof, now)));
}

const lasting = ({ sub, family }: Proof, now: Date): SQL | undefined =>
  and(eq(sessions.family, family), eq(sessions.sub, sub), isNull(sessions.revoked), gt(sessions.expires, now), eq(users.enabled, true));

/** Forgets sessions that ended long ago. */
export async function removeOld(
  db: Transaction,
  { expiredBefore, unusedSince }: { expiredBefore: Date; unusedSince: Date },
): Promise<void> {
  await db.delete(sessions).where(or(lt(sessions.expires, expiredBefore), lt(sessions.lastUsed, unusedSince)));
}
