import { ilike, is, or, SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { cursorAt, cursorParts } from '#contract/core/pagination.ts';
import { folded } from '#contract/feedback/search.ts';

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

/**
 * Returns a condition that one of the columns contains the search text, in any case and with or without accents; undefined if the text is
 * blank. Only columns with letters beyond ASCII are read without accents, because that takes six times as long.
 */
export function containing(search: string, ...columns: PgColumn[]): SQL | undefined {
  const text = search.trim();
  if (text === '') return undefined;
  const pattern = `%${folded(text).replace(/[\\%_]/g, '\\$&')}%`;
  const isIn = (column: PgColumn) =>
    sql`octet_length(${column}) > length(${column}) and strpos(${unaccented(column)}, ${unaccented(sql`${text}::text`)}) > 0`;
  return or(...columns.flatMap((column) => [ilike(column, pattern), isIn(column)]));
}

/** Returns SQL of a text in lower case, without accents. */
const unaccented = (text: PgColumn | SQL): SQL => sql`lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`;
