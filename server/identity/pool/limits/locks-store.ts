import { and, eq, gt, gte, lt } from 'drizzle-orm';
import { deleteSome } from '../../../platform/database/batches.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { locks, totps } from '../../tables.ts';

type LockRow = typeof locks.$inferSelect;

export async function insert(db: Transaction, row: LockRow): Promise<void> {
  await db.insert(locks).values(row);
}

/** Deletes and returns the link with this key if it was created after a time, so that it works once. */
export async function take(db: Transaction, { key, after }: { readonly key: Buffer; readonly after: Date }): Promise<LockRow | undefined> {
  const [row] = await db
    .delete(locks)
    .where(and(eq(locks.key, key), gt(locks.made, after)))
    .returning();
  return row;
}

/** Deletes a person's links created later, which may have gone to someone who took over the account. */
export async function removeLater(db: Transaction, { sub, made }: Pick<LockRow, 'sub' | 'made'>): Promise<void> {
  await db.delete(locks).where(and(eq(locks.sub, sub), gt(locks.made, made)));
}

export const removeOld = (db: Transaction, before: Date): Promise<number> => deleteSome(db, locks, lt(locks.made, before));

/** Deletes an app that was turned on since a time. */
export async function removeTotpSince(db: Transaction, { sub, made }: Pick<LockRow, 'sub' | 'made'>): Promise<void> {
  await db.delete(totps).where(and(eq(totps.sub, sub), gte(totps.enabledSince, made)));
}
