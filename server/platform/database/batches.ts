import { and, type SQL, sql } from 'drizzle-orm';
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { eachSettled } from '../each-settled.ts';
import { type DatabaseAndClock, inEveryAccount, type OperatorScope } from '../tenancy/access.ts';
import type { Transaction } from './database.ts';

/** Rows that one statement deletes or updates, so that it ends well within its time limit (docs/limits.md#rows-at-once). */
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

/** Runs batches, each in its own transaction, until one is empty. A batch that isn't full may not be the last: locked rows are skipped. */
export async function inBatches(runBatch: () => Promise<number>): Promise<void> {
  while ((await runBatch()) > 0);
}

/** Deletes one batch of old rows, across accounts, and the age at which they are deleted (ms). */
type Retention = readonly [deleteRows: (scope: OperatorScope, before: Date) => Promise<number>, age: number];

/** Deletes rows past their retention, one kind after another; one that fails doesn't stop the rest. */
export const deleteOld = (platform: DatabaseAndClock, retentions: readonly Retention[]): Promise<void> =>
  eachSettled(retentions, ([deleteRows, age]) =>
    inBatches(() => inEveryAccount(platform, (scope) => deleteRows(scope, new Date(scope.now.getTime() - age)))),
  );
