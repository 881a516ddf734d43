import { eq, lt, sql } from 'drizzle-orm';
import { deleteSome } from '../../../platform/database/batches.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { codes } from '../../tables.ts';

export type CodeRow = typeof codes.$inferSelect;
export type NewCode = typeof codes.$inferInsert;

/** A new code ends the one before. */
export async function put(
  db: Transaction,
  { tries = 0, used = false, sub = null, address = null, linkMac = null, former = null, ...row }: NewCode,
): Promise<void> {
  const whole = { tries, used, sub, address, linkMac, former, ...row };
  const { key: _key, ...set } = whole;
  await db.insert(codes).values(whole).onConflictDoUpdate({ target: codes.key, set });
}

/** The row of a name that has none yet; one that is there stays as it is. */
export async function putFirst(db: Transaction, row: NewCode): Promise<void> {
  await db.insert(codes).values(row).onConflictDoNothing();
}

/**
 * Counts a try before anything is compared, so that tries side by side count each; nobody else tries until the
 * transaction ends. Where there is no code, `row` is what is tried.
 */
export async function countTry(db: Transaction, row: NewCode): Promise<CodeRow> {
  const [counted] = await db
    .insert(codes)
    .values({ ...row, tries: 1 })
    .onConflictDoUpdate({ target: codes.key, set: { tries: sql`${codes.tries} + 1` } })
    .returning();
  if (!counted) throw new Error('A try was not counted.');
  return counted;
}

export async function byKey(db: Transaction, key: Buffer): Promise<CodeRow | undefined> {
  const [row] = await db.select().from(codes).where(eq(codes.key, key));
  return row;
}

/** The same; nobody else redeems it until the transaction ends. */
export async function lockByKey(db: Transaction, key: Buffer): Promise<CodeRow | undefined> {
  const [row] = await db.select().from(codes).where(eq(codes.key, key)).for('update');
  return row;
}

/** Takes a code from its person, so that it outlives them. */
export async function release(db: Transaction, key: Buffer): Promise<void> {
  await db.update(codes).set({ sub: null }).where(eq(codes.key, key));
}

export async function markUsed(db: Transaction, key: Buffer): Promise<void> {
  await db.update(codes).set({ used: true }).where(eq(codes.key, key));
}

/** Forgets codes that expired before. */
export const removeOld = (db: Transaction, before: Date): Promise<number> => deleteSome(db, codes, lt(codes.expires, before));
