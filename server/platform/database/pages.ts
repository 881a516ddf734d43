import { ilike, is, or, SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { cursorAt, cursorParts } from '#contract/core/pagination.ts';

/** The columns that order a list: a time or text, then the id. */
interface Ordering {
  readonly by: PgColumn | SQL;
  readonly id: PgColumn;
}

/** Returns a condition for the rows after a cursor in a newest-first list. An invalid cursor matches nothing. */
export const olderThan = ({ created, id }: { readonly created: PgColumn; readonly id: PgColumn }, cursor: string | undefined) =>
  pastCursor({ by: created, id }, cursor, sql`<`);

/** Returns a condition for the rows after a cursor in an ascending list. An invalid cursor matches nothing. */
export const greaterThan = (ordering: Ordering, cursor: string | undefined) => pastCursor(ordering, cursor, sql`>`);

/** Returns the cursor of a row in a newest-first list. */
export const createdCursor = ({ created, id }: { readonly created: Date; readonly id: string }): string => cursorAt(created.getTime(), id);

function pastCursor({ by, id }: Ordering, cursor: string | undefined, comparison: SQL): SQL | undefined {
  if (cursor === undefined) return undefined;
  const last = cursorParts(cursor);
  if (!is(by, SQL) && by.dataType !== 'date') return sql`(${by}, ${id}) ${comparison} (${last.order}, ${last.id})`;
  const at = /^\d{1,14}$/.test(last.order) ? new Date(Number(last.order)) : undefined;
  return at ? sql`(${by}, ${id}) ${comparison} (${at.toISOString()}::timestamptz, ${last.id})` : sql`false`;
}

/** Returns a condition that one of the columns contains the search text literally; undefined if the text is blank. */
export function containing(search: string, ...columns: Parameters<typeof ilike>[0][]): SQL | undefined {
  const pattern = `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
  return search.trim() === '' ? undefined : or(...columns.map((column) => ilike(column, pattern)));
}
