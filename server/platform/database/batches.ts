import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { throwIfAborted } from '../aborted-work.ts';
import { eachSettled } from '../each-settled.ts';
import { type DatabaseAndClock, inEveryAccount, type OperatorScope } from '../tenancy/access.ts';
import type { Transaction } from './database.ts';

/** Rows that one statement deletes or updates, so that it ends well within its time limit. @limit rows-at-once */
const AT_ONCE = 5_000;

/** Deletes one batch of the matching rows and returns how many. */
export async function deleteSome(db: Transaction, table: PgTable, of: SQL | undefined, most: number = AT_ONCE): Promise<number> {
  const { rowCount } = await db.delete(table).where(inBatch(db, table, of, most));
  return rowCount ?? 0;
}

/** Updates one batch of the matching rows, which must no longer match afterwards, and returns how many. */
export async function updateSome<Table extends PgTable>(
  db: Transaction,
  table: Table,
  { set, of }: { readonly set: PgUpdateSetSource<Table>; readonly of: SQL | undefined },
): Promise<number> {
  const { rowCount } = await db
    .update(table)
    .set(set)
    .where(inBatch(db, table, of, AT_ONCE));
  return rowCount ?? 0;
}

/**
 * Selects rows by ctid: given a list of keys and stale statistics, the planner picks a nested loop that exceeds the time limit. Each shard
 * of a distributed table has its own ctids, so the rows must match there, too.
 */
function inBatch(db: Transaction, table: PgTable, of: SQL | undefined, most: number): SQL | undefined {
  const places = db.select({ ctid: sql`ctid` }).from(table).where(of).limit(most);
  return and(sql`ctid = any (array(${places}))`, of);
}

/** Rows of a purged account that one statement deletes, so that other accounts don't notice it. @limit rows-at-once */
const PURGED_AT_ONCE = 1_000;

/** A row's position in an order: the columns that it's ordered by, as text. */
export type Position = readonly string[];

/** Deletes a batch of an account's rows after a position, and returns the last one's; undefined if there was none. */
type PurgeBatch = (of: { readonly db: Transaction; readonly accountId: string }, after?: Position) => Promise<Position | undefined>;

/**
 * Returns a function that deletes an account's rows in the order of an index, whose columns follow that of the account. Without a
 * position, each batch would first read past all deleted rows, which stay in the table and its indexes until a vacuum.
 */
export const purging =
  (account: PgColumn, ...columns: readonly PgColumn[]): PurgeBatch =>
  async ({ db, accountId }, after) => {
    const order = sql.join([...columns], sql`, `);
    const texts = columns.map((column) => sql`${column}::text`);
    const last = after?.map((value) => sql`${value}`);
    const rows = await db
      .select({ place: sql<string>`ctid`, position: sql<Position>`array[${sql.join(texts, sql`, `)}]` })
      .from(account.table)
      .where(and(eq(account, accountId), last && sql`(${order}) > (${sql.join(last, sql`, `)})`))
      .orderBy(order)
      .limit(PURGED_AT_ONCE);
    const places = sql.param(rows.map(({ place }) => place));
    if (rows.length > 0) await db.delete(account.table).where(and(eq(account, accountId), sql`ctid = any (${places}::tid[])`));
    return rows.at(-1)?.position;
  };

/** Runs batches, each in its own transaction, until one is empty. A batch that isn't full may not be the last: locked rows are skipped. */
export async function inBatches(runBatch: () => Promise<number>): Promise<void> {
  while ((await runBatch()) > 0) throwIfAborted();
}

/** Runs batches of one account, each in its own transaction, while more are left. Rests as long as each took, so that others don't notice. */
export async function inTurns(signal: AbortSignal, runBatch: () => Promise<boolean>): Promise<void> {
  for (let isMoreLeft = true; isMoreLeft; ) {
    const started = performance.now();
    isMoreLeft = await runBatch();
    if (isMoreLeft) await sleep(performance.now() - started, undefined, { signal });
  }
}

/** Deletes one batch of old rows, across accounts, and the age at which they are deleted (ms). */
type Retention = readonly [deleteRows: (scope: OperatorScope, before: Date) => Promise<number>, age: number];

/** Deletes rows past their retention, one kind after another; one that fails doesn't stop the rest. */
export const deleteOld = (platform: DatabaseAndClock, retentions: readonly Retention[]): Promise<void> =>
  eachSettled(retentions, ([deleteRows, age]) =>
    inBatches(() => inEveryAccount(platform, (scope) => deleteRows(scope, new Date(scope.now.getTime() - age)))),
  );
