import { and, eq, lt, sql } from 'drizzle-orm';
import type { Transaction } from '../../kernel/database.ts';
import { challenges, totps } from '../tables.ts';

/* The app on somebody's phone, and the sign-ins that wait for its code. */

export type TotpRow = typeof totps.$inferSelect;
export type ChallengeRow = typeof challenges.$inferSelect;

/** A person's app; nobody else changes it until the transaction ends. */
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

/** A new secret in place of one that is not in use. False where one is. */
export async function putTotp(db: Transaction, { sub, secret }: Pick<TotpRow, 'sub' | 'secret'>): Promise<boolean> {
  const rows = await db
    .insert(totps)
    .values({ sub, secret })
    .onConflictDoUpdate({ target: totps.sub, set: { secret, verified: false, lastStep: 0 }, setWhere: eq(totps.enabled, false) })
    .returning({ sub: totps.sub });
  return rows.length > 0;
}

export async function updateTotp(db: Transaction, sub: string, changes: Partial<Pick<TotpRow, 'verified' | 'enabled'>>): Promise<void> {
  await db.update(totps).set(changes).where(eq(totps.sub, sub));
}

/** Claims a step. False where it, or a later one, was used before. */
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

/** Counts a try before it is checked; nobody else tries until the transaction ends. */
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

/** Forgets challenges that nobody answered. */
export async function removeOldChallenges(db: Transaction, before: Date): Promise<void> {
  await db.delete(challenges).where(lt(challenges.expires, before));
}
