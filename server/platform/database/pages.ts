import { ilike, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/* Lists that are read page by page, newest first. A cursor names the last row that was seen. */

/** By what a list is ordered: the moment, and the id where moments are the same. */
interface Ordered<Created, Id> {
  readonly created: Created;
  readonly id: Id;
}

/** A condition: the rows behind the one that a cursor names. A cursor that nobody gave out finds nothing. */
export function olderThan({ created, id }: Ordered<PgColumn, PgColumn>, cursor: string | undefined): SQL | undefined {
  if (cursor === undefined) return undefined;
  const [moment = '', ...rest] = cursor.split('.');
  const at = new Date(/^\d{1,14}$/.test(moment) ? Number(moment) : Number.NaN);
  return Number.isNaN(at.getTime()) ? sql`false` : sql`(${created}, ${id}) < (${at.toISOString()}::timestamptz, ${rest.join('.')})`;
}

/** One page of what was found with a limit that is one greater, and the cursor to go on by; null where nothing follows. */
export function pageOf<Row>(found: readonly Row[], limit: number, orderOf: (row: Row) => Ordered<Date, string>) {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const isMore = found.length > limit && last !== undefined;
  return { rows, cursor: isMore ? cursorOf(orderOf(last)) : null };
}

const cursorOf = ({ created, id }: Ordered<Date, string>): string => `${created.getTime()}.${id}`;

/** A condition: one of these columns contains the search text, taken literally; nothing where there is no text. */
export function containing(search: string, ...within: Parameters<typeof ilike>[0][]): SQL | undefined {
  const words = `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
  return search.trim() === '' ? undefined : or(...within.map((column) => ilike(column, words)));
}
