import { and, asc, eq, lt, ne } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { keys, pools } from '../tables.ts';

type NamesRow = Omit<typeof pools.$inferSelect, 'only'>;

/** Stores the names of the pool if there are none, and returns the stored ones. */
export async function names(db: Transaction, row: NamesRow): Promise<NamesRow> {
  await db.insert(pools).values(row).onConflictDoNothing();
  const [stored = row] = await db.select().from(pools);
  return stored;
}

export type KeyRow = typeof keys.$inferSelect;

/** Returns the keys of all secrets, for each the oldest first. */
export function allKeys(db: Transaction): Promise<KeyRow[]> {
  return db.select().from(keys).orderBy(asc(keys.sealedBy), asc(keys.generation));
}

/** Inserts a key; returns false if another process has already created this generation. */
export async function addKey(db: Transaction, row: KeyRow): Promise<boolean> {
  const added = await db.insert(keys).values(row).onConflictDoNothing().returning({ id: keys.id });
  return added.length > 0;
}

export async function signsUntil(db: Transaction, id: string, until: Date): Promise<void> {
  await db
    .update(keys)
    .set({ signsUntil: until })
    .where(and(eq(keys.id, id), lt(keys.signsUntil, until)));
}

/** Deletes keys that no process has signed with since `before`. */
export async function removeUnusedKeys(db: Transaction, { before, except }: { before: Date; except: string }): Promise<void> {
  await db.delete(keys).where(and(lt(keys.signsUntil, before), lt(keys.signsFrom, before), ne(keys.id, except)));
}
