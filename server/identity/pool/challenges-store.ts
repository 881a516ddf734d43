import { eq, lt, sql } from 'drizzle-orm';
import type { Transaction } from '../../kernel/database.ts';
import { challenges } from '../tables.ts';

export type ChallengeRow = typeof challenges.$inferSelect;

export async function insert(db: Transaction, row: typeof challenges.$inferInsert): Promise<void> {
  await db.insert(challenges).values(row);
}

/** Counts a try before it is judged; nobody else tries until the transaction ends. */
export async function count(db: Transaction, session: Buffer): Promise<ChallengeRow | undefined> {
  const [row] = await db
    .update(challenges)
    .set({ tries: sql`${challenges.tries} + 1` })
    .where(eq(challenges.session, session))
    .returning();
  return row;
}

export async function remove(db: Transaction, session: Buffer): Promise<void> {
  await db.delete(challenges).where(eq(challenges.session, session));
}

/** Forgets what nobody answered. */
export async function removeOld(db: Transaction, before: Date): Promise<void> {
  await db.delete(challenges).where(lt(challenges.expires, before));
}
