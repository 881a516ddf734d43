import { and, inArray, lt, sql } from 'drizzle-orm';
import type { Transaction } from '../../kernel/database.ts';
import { throttles } from '../tables.ts';

export type ThrottleRow = typeof throttles.$inferSelect;

/** When a row without a lock was locked. Not the present: the clocks of two who count side by side differ. */
export const NEVER = new Date(0);

/**
 * The rows of these keys, made where they are missing. Nobody else counts in them until the transaction ends;
 * taken in the keys' order, so that two who want the same ones never wait in a circle.
 */
export function lockRows(db: Transaction, keys: readonly Buffer[], now: Date): Promise<ThrottleRow[]> {
  const fresh = keys.map((key): ThrottleRow => ({ key, failures: 0, since: now, last: now, lockedUntil: NEVER, idempotencyKey: null }));
  return db
    .insert(throttles)
    .values(fresh.toSorted((a, b) => Buffer.compare(a.key, b.key)))
    .onConflictDoUpdate({ target: throttles.key, set: { key: sql`excluded.key` } })
    .returning();
}

/** Writes rows that were locked. */
export async function save(db: Transaction, rows: readonly ThrottleRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insert(throttles)
    .values([...rows])
    .onConflictDoUpdate({
      target: throttles.key,
      set: {
        failures: sql`excluded.failures`,
        since: sql`excluded.since`,
        last: sql`excluded.last`,
        lockedUntil: sql`excluded.locked_until`,
        idempotencyKey: sql`excluded.call`,
      },
    });
}

export async function remove(db: Transaction, keys: readonly Buffer[]): Promise<void> {
  await db.delete(throttles).where(inArray(throttles.key, [...keys]));
}

/** Forgets what nobody failed at since `before`, nor is locked since. */
export async function removeOld(db: Transaction, before: Date): Promise<void> {
  await db.delete(throttles).where(and(lt(throttles.last, before), lt(throttles.lockedUntil, before)));
}
