import { type SQL, sql } from 'drizzle-orm';
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { eachApart } from '../each-settled.ts';
import { type Clocked, inEveryAccount, type OperatorScope } from '../tenancy/access.ts';
import type { Transaction } from './database.ts';

/** The most rows that one statement deletes or changes: it ends well within its deadline. docs/limits.md#rows-at-once. */
const AT_ONCE = 5_000;

/** Deletes some of the rows that are so; gives back how many. */
export async function deleteSome(db: Transaction, table: PgTable, of: SQL | undefined, most: number = AT_ONCE): Promise<number> {
  const { rowCount } = await db.delete(table).where(isAmongSome(db, table, of, most));
  return rowCount ?? 0;
}

/** Changes some of the rows that are so, after which they must not be so any more; gives back how many. */
export async function updateSome<Table extends PgTable>(
  db: Transaction,
  table: Table,
  { set, of }: { readonly set: PgUpdateSetSource<Table>; readonly of: SQL | undefined },
): Promise<number> {
  const { rowCount } = await db
    .update(table)
    .set(set)
    .where(isAmongSome(db, table, of, AT_ONCE));
  return rowCount ?? 0;
}

/**
 * They are found by their places: as a list of keys they would be compared with every row, each with each, by a planner whose
 * statistics are older than the rows, and the statement would never end in its time.
 */
function isAmongSome(db: Transaction, table: PgTable, of: SQL | undefined, most: number): SQL {
  const places = db.select({ ctid: sql`ctid` }).from(table).where(of).limit(most);
  return sql`ctid = any (array(${places}))`;
}

/**
 * Does one portion after the other, each in a transaction of its own, until nothing is left: however much there is, it gets done. One
 * that is not full need not be the last, since what is being changed meanwhile is passed over.
 */
export async function inPortions(doPortion: () => Promise<number>): Promise<void> {
  while ((await doPortion()) > 0);
}

/** How a portion of a kind is forgotten, of every account, and for how long that kind is kept (ms). */
type KeptKind = readonly [forget: (scope: OperatorScope, before: Date) => Promise<number>, kept: number];

/** Forgets what was kept long enough, each kind apart: one that fails holds up no other. */
export const forgetOld = (platform: Clocked, kinds: readonly KeptKind[]): Promise<void> =>
  eachApart(kinds, ([forget, kept]) =>
    inPortions(() => inEveryAccount(platform, (scope) => forget(scope, new Date(scope.now.getTime() - kept)))),
  );
