import { and, asc, eq, lt, ne } from 'drizzle-orm';
import type { Transaction } from '../../kernel/database.ts';
import { keys } from '../tables.ts';

export type KeyRow = typeof keys.$inferSelect;

/** Every key there is, of all secrets, oldest first. */
export function all(db: Transaction): Promise<KeyRow[]> {
  return db.select().from(keys).orderBy(asc(keys.sealedBy), asc(keys.generation));
}

/** False where another process has made this generation already. */
export async function add(db: Transaction, row: KeyRow): Promise<boolean> {
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
export async function removeUnused(db: Transaction, { before, except }: { before: Date; except: string }): Promise<void> {
  await db.delete(keys).where(and(lt(keys.signsUntil, before), lt(keys.signsFrom, before), ne(keys.id, except)));
}
