import { and, asc, lte, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Transaction } from './database.ts';

interface PortionOptions {
  /** What the rows have in common. */
  readonly of: SQL | undefined;
  /** No two of these rows have the same there; an index leads to them in its order. */
  readonly by: PgColumn;
  readonly most: number;
}

/**
 * The first of these rows, as a condition for deleting them: a range. As a list they would be compared with every row, each with
 * each, by a planner whose statistics are older than the rows, and the statement would never end in its time.
 */
export function portion(db: Transaction, { of, by, most }: PortionOptions): SQL | undefined {
  const first = db.select({ key: by }).from(by.table).where(of).orderBy(asc(by)).limit(most).as('first');
  return and(of, lte(by, db.select({ last: sql`max(${first.key})` }).from(first)));
}
