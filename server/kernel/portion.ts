import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { type Clocked, inEveryAccount, type OperatorScope } from './access.ts';
import { eachApart } from './apart.ts';
import type { Transaction } from './database.ts';

/** The most rows that one statement deletes: it ends well within its deadline. docs/limits.md#rows-at-once. */
const AT_ONCE = 5_000;

/**
 * Deletes some of the rows that are so; gives back how many. They are found by their places: as a list of keys they would be compared
 * with every row, each with each, by a planner whose statistics are older than the rows, and the statement would never end in its time.
 */
export async function deleteSome(db: Transaction, table: PgTable, of: SQL | undefined, most: number = AT_ONCE): Promise<number> {
  const places = db.select({ ctid: sql`ctid` }).from(table).where(of).limit(most);
  const { rowCount } = await db.delete(table).where(sql`ctid = any (array(${places}))`);
  return rowCount ?? 0;
}

/**
 * Deletes one portion after the other, each in a transaction of its own, until nothing is left: however much there is, it gets done. One
 * that is not full need not be the last, since what is being changed meanwhile is passed over.
 */
export async function inPortions(deletePortion: () => Promise<number>): Promise<void> {
  while ((await deletePortion()) > 0);
}

/** How a portion of a kind is forgotten, of every account, and for how long that kind is kept (ms). */
type KeptKind = readonly [forget: (scope: OperatorScope, before: Date) => Promise<number>, kept: number];

/** Forgets what was kept long enough, each kind apart: one that fails holds up no other. */
export const forgetOld = (kernel: Clocked, kinds: readonly KeptKind[]): Promise<void> =>
  eachApart(kinds, ([forget, kept]) =>
    inPortions(() => inEveryAccount(kernel, (scope) => forget(scope, new Date(scope.now.getTime() - kept)))),
  );
