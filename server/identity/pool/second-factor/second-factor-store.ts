import { and, asc, eq, isNull, lt, lte, sql } from 'drizzle-orm';
import { deleteSome } from '../../../platform/database/batches.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { backupCodes, challenges, factorResets, totps } from '../../tables.ts';

/* Authenticator apps, backup codes, resets, and the sign-ins that still need a code. */

export type TotpRow = typeof totps.$inferSelect;
export type ChallengeRow = typeof challenges.$inferSelect;

/** Returns a person's app, locked until the transaction ends. */
export async function lockTotp(db: Transaction, sub: string): Promise<TotpRow | undefined> {
  const [row] = await db.select().from(totps).where(eq(totps.sub, sub)).for('update');
  return row;
}

export async function isEnabled(db: Transaction, sub: string): Promise<boolean> {
  const rows = await db
    .select({ sub: totps.sub })
    .from(totps)
    .where(and(eq(totps.sub, sub), eq(totps.enabled, true)));
  return rows.length > 0;
}

/** Stores a new secret unless one is enabled, in which case it returns false. */
export async function putTotp(db: Transaction, { sub, secret }: Pick<TotpRow, 'sub' | 'secret'>): Promise<boolean> {
  const rows = await db
    .insert(totps)
    .values({ sub, secret })
    .onConflictDoUpdate({ target: totps.sub, set: { secret, verified: false, lastStep: 0 }, setWhere: eq(totps.enabled, false) })
    .returning({ sub: totps.sub });
  return rows.length > 0;
}

export async function updateTotp(
  db: Transaction,
  sub: string,
  changes: Partial<Pick<TotpRow, 'verified' | 'enabled' | 'enabledSince'>>,
): Promise<void> {
  await db.update(totps).set(changes).where(eq(totps.sub, sub));
}

/** Claims a time step; returns false if it or a later one was already used. */
export async function claimStep(db: Transaction, sub: string, lastStep: number): Promise<boolean> {
  const rows = await db
    .update(totps)
    .set({ lastStep })
    .where(and(eq(totps.sub, sub), lt(totps.lastStep, lastStep)))
    .returning({ sub: totps.sub });
  return rows.length > 0;
}

export async function removeTotp(db: Transaction, sub: string): Promise<void> {
  await db.delete(totps).where(eq(totps.sub, sub));
}

export async function insertChallenge(db: Transaction, row: typeof challenges.$inferInsert): Promise<void> {
  await db.insert(challenges).values(row);
}

/** Counts a try before it is checked; the row stays locked until the transaction ends. */
export async function countTry(db: Transaction, session: Buffer): Promise<ChallengeRow | undefined> {
  const [row] = await db
    .update(challenges)
    .set({ tries: sql`${challenges.tries} + 1` })
    .where(eq(challenges.session, session))
    .returning();
  return row;
}

export async function removeChallenge(db: Transaction, session: Buffer): Promise<void> {
  await db.delete(challenges).where(eq(challenges.session, session));
}

/** Deletes challenges that expired before a time. */
export const removeOldChallenges = (db: Transaction, before: Date): Promise<number> =>
  deleteSome(db, challenges, lt(challenges.expires, before));

/** Replaces all of a person's backup codes. */
export async function putBackupCodes(db: Transaction, sub: string, macs: readonly Buffer[]): Promise<void> {
  await db.delete(backupCodes).where(eq(backupCodes.sub, sub));
  await db.insert(backupCodes).values(macs.map((mac) => ({ sub, mac })));
}

/** Marks a backup code as used; returns false if it is unknown or already used. */
export async function useBackupCode(db: Transaction, { sub, mac, used }: { sub: string; mac: Buffer; used: Date }): Promise<boolean> {
  const { rowCount } = await db
    .update(backupCodes)
    .set({ used })
    .where(and(eq(backupCodes.sub, sub), eq(backupCodes.mac, mac), isNull(backupCodes.used)));
  return rowCount === 1;
}

export const countBackupCodes = (db: Transaction, sub: string): Promise<number> =>
  db.$count(backupCodes, and(eq(backupCodes.sub, sub), isNull(backupCodes.used)));

export type FactorResetRow = typeof factorResets.$inferSelect;

/** Stores a pending reset, replacing the previous one. */
export async function putReset(db: Transaction, row: FactorResetRow): Promise<void> {
  const { sub: _sub, ...set } = row;
  await db.insert(factorResets).values(row).onConflictDoUpdate({ target: factorResets.sub, set });
}

export async function resetOf(db: Transaction, sub: string): Promise<FactorResetRow | undefined> {
  const [row] = await db.select().from(factorResets).where(eq(factorResets.sub, sub));
  return row;
}

/** Deletes and returns a person's reset. */
export async function removeReset(db: Transaction, sub: string): Promise<FactorResetRow | undefined> {
  const [row] = await db.delete(factorResets).where(eq(factorResets.sub, sub)).returning();
  return row;
}

/** Deletes and returns the reset that a link's key refuses. */
export async function removeResetByKey(db: Transaction, key: Buffer): Promise<FactorResetRow | undefined> {
  const [row] = await db.delete(factorResets).where(eq(factorResets.key, key)).returning();
  return row;
}

/** Returns the people whose reset is due, the earliest first. */
export async function dueResets(db: Transaction, now: Date): Promise<string[]> {
  const rows = await db
    .select({ sub: factorResets.sub })
    .from(factorResets)
    .where(lte(factorResets.due, now))
    .orderBy(asc(factorResets.due));
  return rows.map(({ sub }) => sub);
}

/** Deletes a person's reset if it is due; returns false if it isn't. */
export async function takeDueReset(db: Transaction, { sub, now }: { readonly sub: string; readonly now: Date }): Promise<boolean> {
  const { rowCount } = await db.delete(factorResets).where(and(eq(factorResets.sub, sub), lte(factorResets.due, now)));
  return rowCount === 1;
}
