import { eq, lt, sql } from 'drizzle-orm';
import { deleteSome } from '../../../platform/database/batches.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { codes } from '../../tables.ts';

export type CodeRow = typeof codes.$inferSelect;
export type NewCode = typeof codes.$inferInsert;

/** Stores a code, replacing the previous one. */
export async function put(
  db: Transaction,
  { tries = 0, used = false, sub = null, address = null, linkMac = null, former = null, ...row }: NewCode,
): Promise<void> {
  const values = { tries, used, sub, address, linkMac, former, ...row };
  const { key: _key, ...set } = values;
  await db.insert(codes).values(values).onConflictDoUpdate({ target: codes.key, set });
}

/** Stores a code unless its slot has one. */
export async function putIfAbsent(db: Transaction, row: NewCode): Promise<void> {
  await db.insert(codes).values(row).onConflictDoNothing();
}

/**
 * Counts a try before anything is compared, so that concurrent tries all count; the row stays locked until the transaction
 * ends. Stores `row` first if the slot has no code.
 */
export async function countTry(db: Transaction, row: NewCode): Promise<CodeRow> {
  const [updated] = await db
    .insert(codes)
    .values({ ...row, tries: 1 })
    .onConflictDoUpdate({ target: codes.key, set: { tries: sql`${codes.tries} + 1` } })
    .returning();
  if (!updated) throw new Error('A try was not counted.');
  return updated;
}

export async function byKey(db: Transaction, key: Buffer): Promise<CodeRow | undefined> {
  const [row] = await db.select().from(codes).where(eq(codes.key, key));
  return row;
}

/** Same, locked until the transaction ends. */
export async function lockByKey(db: Transaction, key: Buffer): Promise<CodeRow | undefined> {
  const [row] = await db.select().from(codes).where(eq(codes.key, key)).for('update');
  return row;
}

/** Detaches a code from its person, so that it isn't deleted with them. */
export async function release(db: Transaction, key: Buffer): Promise<void> {
  await db.update(codes).set({ sub: null }).where(eq(codes.key, key));
}

export async function markUsed(db: Transaction, key: Buffer): Promise<void> {
  await db.update(codes).set({ used: true }).where(eq(codes.key, key));
}

/** Deletes codes that expired before a time. */
export const removeOld = (db: Transaction, before: Date): Promise<number> => deleteSome(db, codes, lt(codes.expires, before));
