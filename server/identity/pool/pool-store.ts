import { and, asc, eq, lt, ne } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { keys, pools } from '../tables.ts';

type NamesRow = Omit<typeof pools.$inferSelect, 'only'>;

/** The names of this database's pool: those that were made first, by whichever process. */
export async function names(db: Transaction, made: NamesRow): Promise<NamesRow> {
  await db.insert(pools).values(made).onConflictDoNothing();
  const [stored = made] = await db.select().from(pools);
  return stored;
}

export type KeyRow = typeof keys.$inferSelect;

/** Every key there is, of all secrets, oldest first. */
export function allKeys(db: Transaction): Promise<KeyRow[]> {
  return db.select().from(keys).orderBy(asc(keys.sealedBy), asc(keys.generation));
}

/** False where another process has made this generation already. */
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

/** Removes keys that nobody has signed with since `before`. */
export async function removeUnusedKeys(db: Transaction, { before, except }: { before: Date; except: string }): Promise<void> {
  await db.delete(keys).where(and(lt(keys.signsUntil, before), lt(keys.signsFrom, before), ne(keys.id, except)));
}
