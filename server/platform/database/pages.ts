import { is, or, SQL, sql } from 'drizzle-orm';
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

/** Returns a condition that one of the columns contains the search text, in any case and with or without accents; undefined if the text is blank. */
export function containing(search: string, ...columns: PgColumn[]): SQL | undefined {
  const sought = search.trim();
  return sought === '' ? undefined : or(...columns.map((column) => sql`strpos(${plain(column)}, ${plain(sql`${sought}::text`)}) > 0`));
}

const plain = (text: PgColumn | SQL): SQL => sql`lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`;
