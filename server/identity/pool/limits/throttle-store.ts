import { and, inArray, lt, sql } from 'drizzle-orm';
import { deleteSome } from '../../../platform/database/batches.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { throttles } from '../../tables.ts';
import type { PoolError } from '../errors.ts';

type ThrottleRow = typeof throttles.$inferSelect;

/** Times in ms. */
export interface ThrottleRule {
  /** Returns how long further calls are refused after this count. */
  readonly lockout: (count: number, row: ThrottleRow, now: number) => number;
  /** Returns the time at which the count is reset. */
  readonly resetsAt: (row: ThrottleRow) => number;
  readonly refusal: () => PoolError;
}

/** A row to count in and its rule. */
export interface ThrottleLimit {
  readonly key: Buffer;
  readonly rule: ThrottleRule;
  /** Retries of a call are recognized in the caller's own row. All callers from an address share its row. */
  readonly scope: 'caller' | 'account' | 'address';
}

interface ThrottledCall {
  readonly limits: readonly ThrottleLimit[];
  readonly idempotencyKey: Buffer | undefined;
}

/** The lock time of a row without a lock. Not the current time, because the clocks of concurrent processes differ. */
const NEVER = new Date(0);

/**
 * Counts a call in each of its rows, so that concurrent calls can't slip through. Throws the refusal of a locked row without
 * counting; returns true for a retry, which isn't counted either.
 */
export async function count(db: Transaction, { limits, idempotencyKey }: ThrottledCall, now: number): Promise<boolean> {
  const lockedRows = (await lockRows(db, limits, now)).map(({ limit, row }) => ({ limit, row: current(row, limit.rule, now) }));
  const callerRows = lockedRows.filter(({ limit }) => limit.scope === 'caller');
  if (idempotencyKey && callerRows.some(({ row }) => row.idempotencyKey?.equals(idempotencyKey))) return true;
  const exceeded = lockedRows.find(({ row }) => row.lockedUntil.getTime() > now);
  if (exceeded) throw exceeded.limit.rule.refusal();
  const rows = lockedRows.map(({ limit, row }) => ({ ...incremented(row, limit.rule, now), idempotencyKey: idempotencyKey ?? null }));
  await save(db, rows);
  return false;
}

/** Reverts the count of a call. */
export async function undo(db: Transaction, limits: readonly ThrottleLimit[], now: number): Promise<void> {
  const lockedRows = await lockRows(db, limits, now);
  const rows = lockedRows.map(({ limit, row }) => decremented(row, limit.rule));
  await save(db, rows);
}

/** Resets the counts; an address, which others share, only has this call's count reverted. */
export async function clear(db: Transaction, limits: readonly ThrottleLimit[], now: number): Promise<void> {
  const lockedRows = await lockRows(db, limits, now);
  const shared = lockedRows.filter(({ limit }) => limit.scope === 'address');
  const unshared = lockedRows.filter((each) => !shared.includes(each));
  await save(
    db,
    shared.map(({ limit, row }) => decremented(row, limit.rule)),
  );
  await remove(
    db,
    unshared.map(({ row }) => row.key),
  );
}

interface LockedRow {
  readonly limit: ThrottleLimit;
  readonly row: ThrottleRow;
}

/**
 * Creates the missing rows of these limits, and locks all until the transaction ends. Locks them in the order of their keys, so
 * that calls with the same rows don't deadlock.
 */
async function lockRows(db: Transaction, limits: readonly ThrottleLimit[], now: number): Promise<LockedRow[]> {
  const at = new Date(now);
  const fresh = limits.map(({ key }) => ({ key, failures: 0, since: at, last: at, lockedUntil: NEVER, idempotencyKey: null }));
  const rows = await db
    .insert(throttles)
    .values(fresh.toSorted((a, b) => Buffer.compare(a.key, b.key)))
    .onConflictDoUpdate({ target: throttles.key, set: { key: sql`excluded.key` } })
    .returning();
  return limits.flatMap((limit) => rows.filter(({ key }) => key.equals(limit.key)).map((row) => ({ limit, row })));
}

function current(row: ThrottleRow, rule: ThrottleRule, now: number): ThrottleRow {
  const at = new Date(now);
  return now >= rule.resetsAt(row) ? { ...row, failures: 0, since: at, last: at, lockedUntil: NEVER, idempotencyKey: null } : row;
}

function incremented(row: ThrottleRow, rule: ThrottleRule, now: number): ThrottleRow {
  const failures = row.failures + 1;
  return { ...row, failures, last: new Date(now), lockedUntil: lockedUntil(now, rule.lockout(failures, row, now)) };
}

function decremented(row: ThrottleRow, rule: ThrottleRule): ThrottleRow {
  const failures = Math.max(0, row.failures - 1);
  const last = row.last.getTime();
  return { ...row, failures, lockedUntil: lockedUntil(last, rule.lockout(failures, row, last)), idempotencyKey: null };
}

const lockedUntil = (from: number, length: number): Date => (length > 0 ? new Date(from + length) : NEVER);

async function save(db: Transaction, rows: ThrottleRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insert(throttles)
    .values(rows)
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

/** Deletes rows that were neither counted in nor locked since `before`. */
export const removeOld = (db: Transaction, before: Date): Promise<number> =>
  deleteSome(db, throttles, and(lt(throttles.last, before), lt(throttles.lockedUntil, before)));
