import { type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../platform/database/database.ts';
import { IS_COUNTED } from './tables.ts';

/* Adds ratings to the counts by place and quarter of an hour, and by day. */

/** Returns the `set` clause that adds the new counts to an existing row. */
const added = (table: string): string => COUNT_COLUMNS.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');

export const COUNT_COLUMNS = ['one', 'two', 'three', 'four', 'five', 'reviews', 'urgent', 'suspected'];

/**
 * Statements that add counts to the tallies, from a query `counted` with a row for each place and quarter of an hour. Rows are written
 * in one order, so that concurrent writers can't deadlock: quarters before days, and the account's last, because those of a deleted
 * property are subtracted from them.
 */
export const [BY_QUARTER, BY_DAY] = [
  `insert into feedback_tally (account_id, place, quarter, lane, ${COUNT_COLUMNS})
    select account_id, place, quarter, lane, ${COUNT_COLUMNS} from counted order by 1, 2 desc, 3
    on conflict (account_id, place, quarter, lane) do update set ${added('feedback_tally')}`,
  `insert into feedback_day (account_id, place, day, lane, ${COUNT_COLUMNS})
    select account_id, place, (quarter at time zone 'UTC')::date, lane, ${COUNT_COLUMNS.map((column) => `sum(${column})`)}
      from counted group by 1, 2, 3, 4 order by 1, 2 desc, 3
    on conflict (account_id, place, day, lane) do update set ${added('feedback_day')}`,
];

/** The same as parts of one statement. */
export const TALLIED = `by_quarter as (
    ${BY_QUARTER}
  ), by_day as (
    ${BY_DAY}
  )`;

/** Adds the counts that a query returns to the tallies. */
export async function addCounts(db: Transaction, counted: SQL): Promise<void> {
  if (!db.isDistributed) await db.execute(sql`with counted as (${counted}), ${sql.raw(TALLIED)} select`);
  else for (const insert of [BY_QUARTER, BY_DAY]) await db.execute(sql`with counted as (${counted}) ${sql.raw(insert)}`);
}

/** A tally's columns as aggregates over rows of feedback. */
export const COUNTS = `count(*) filter (where rating = 1 and ${IS_COUNTED}) as one, count(*) filter (where rating = 2 and ${IS_COUNTED}) as two,
  count(*) filter (where rating = 3 and ${IS_COUNTED}) as three, count(*) filter (where rating = 4 and ${IS_COUNTED}) as four,
  count(*) filter (where rating = 5 and ${IS_COUNTED}) as five, count(*) filter (where converted is not null and ${IS_COUNTED}) as reviews,
  count(*) filter (where urgent and ${IS_COUNTED}) as urgent, count(*) filter (where suspected) as suspected`;

/** The lane of amendments, which no batch of new feedback uses. */
export const AMENDMENT_LANE = -1;
