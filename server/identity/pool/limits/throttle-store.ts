import { and, inArray, lt, sql } from 'drizzle-orm';
import { deleteSome } from '../../../platform/database/batches.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { throttles } from '../../tables.ts';
import type { PoolError } from '../errors.ts';

type ThrottleRow = typeof throttles.$inferSelect;

/** What is made of a row's count. Times in milliseconds. */
export interface ThrottleRule {
  /** How long nothing more is let through, once so many were counted. */
  readonly lockout: (count: number, row: ThrottleRow, now: number) => number;
  /** From when on the count is forgotten. */
  readonly forgottenAt: (row: ThrottleRow) => number;
  readonly refusal: () => PoolError;
}

/** A row to count in, and by which rule. */
export interface ThrottleLimit {
  readonly key: Buffer;
  readonly rule: ThrottleRule;
  /** Repetitions of a call are recognised in the caller's own row. An address's row is shared by all callers from there. */
  readonly scope: 'caller' | 'account' | 'address';
}

interface ThrottledCall {
  readonly limits: readonly ThrottleLimit[];
  readonly idempotencyKey: Buffer | undefined;
}

/** When a row without a lock was locked. Not the present: the clocks of two processes that count side by side differ. */
const NEVER = new Date(0);

/**
 * Counts a call in each of its rows, so that calls side by side cannot slip through. Where a row is locked its refusal
 * is thrown, and nothing is counted; nor is a repetition, which gives back true.
 */
export async function count(db: Transaction, { limits, idempotencyKey }: ThrottledCall, now: number): Promise<boolean> {
  const locked = (await lockRows(db, limits, now)).map(({ limit, row }) => ({ limit, row: current(row, limit.rule, now) }));
  const own = locked.filter(({ limit }) => limit.scope === 'caller');
  if (idempotencyKey && own.some(({ row }) => row.idempotencyKey?.equals(idempotencyKey))) return true;
  const full = locked.find(({ row }) => row.lockedUntil.getTime() > now);
  if (full) throw full.limit.rule.refusal();
  const counted = locked.map(({ limit, row }) => ({ ...incremented(row, limit.rule, now), idempotencyKey: idempotencyKey ?? null }));
  await save(db, counted);
  return false;
}

/** Takes back what a call counted. */
export async function undo(db: Transaction, limits: readonly ThrottleLimit[], now: number): Promise<void> {
  const locked = await lockRows(db, limits, now);
  const returned = locked.map(({ limit, row }) => decremented(row, limit.rule));
  await save(db, returned);
}

/** Forgets what was counted, but for addresses: these only get back what this call counted. */
export async function clear(db: Transaction, limits: readonly ThrottleLimit[], now: number): Promise<void> {
  const locked = await lockRows(db, limits, now);
  const shared = locked.filter(({ limit }) => limit.scope === 'address');
  const others = locked.filter((each) => !shared.includes(each));
  const returned = shared.map(({ limit, row }) => decremented(row, limit.rule));
  const over = others.map(({ row }) => row.key);
  await save(db, returned);
  await remove(db, over);
}

interface LockedRow {
  readonly limit: ThrottleLimit;
  readonly row: ThrottleRow;
}

/**
 * The rows of these limits, made where they are missing. Nobody else counts in them until the transaction ends; they
 * are locked in the keys' order, so that two calls that want the same ones never wait in a circle.
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
  return now >= rule.forgottenAt(row) ? { ...row, failures: 0, since: at, last: at, lockedUntil: NEVER, idempotencyKey: null } : row;
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

/** Forgets rows in which nothing was counted since `before`, and that are not locked since. */
export const removeOld = (db: Transaction, before: Date): Promise<number> =>
  deleteSome(db, throttles, and(lt(throttles.last, before), lt(throttles.lockedUntil, before)));
