/* Lists are read page by page. A cursor has the sort key and the id of a page's last row. */

/** Returns the first `limit` of rows that were queried with a limit of one more, and the next page's cursor; null on the last page. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): { readonly rows: Row[]; readonly cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, cursor: rows.length > limit && last ? cursorOf(last) : null };
}

/** Returns the cursor of a row in a list that is ordered by a moment (UTC ms) or a text, then by id. */
export const cursorAt = (order: number | string, id: string): string => `${order}.${id}`;

/** Returns the parts of a cursor. An id has no dot; a text, such as an email address, may. */
export function cursorParts(cursor: string): { readonly order: string; readonly id: string } {
  const dot = cursor.lastIndexOf('.');
  return { order: cursor.slice(0, Math.max(dot, 0)), id: cursor.slice(dot + 1) };
}
