import type { Cell, CellRow, WriteSheet } from './table.ts';

/** Marks the bytes as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';

/** Writes CSV (RFC 4180): text in quotes, lines that end with CR LF. */
export const csvSheet: WriteSheet = async ({ packing, headings, before, rows }) => {
  const lines = [...(before ? [] : [headings]), ...rows].map(csvLine).join('');
  return { bytes: packing.utf8(before ? lines : BYTE_ORDER_MARK + lines), state: {} };
};

/** Returns a table as one CSV file. */
export const csvOf = (rows: readonly CellRow[]): string => BYTE_ORDER_MARK + rows.map(csvLine).join('');

const csvLine = (row: CellRow): string => row.map(csvCell).join(',') + LINE_END;

function csvCell(cell: Cell): string {
  if (cell === undefined || cell === '') return '';
  return typeof cell === 'number' ? String(cell) : `"${plainText(cell).replaceAll('"', '""')}"`;
}

/** Invisible characters at the start of a text: blanks, control and format characters, marks and fillers. */
const INVISIBLE = /^[\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*/u;
const FORMULA = /^[=+\-@\u2212]/u;
const DROPPED_BY_SOME = /^[\t\r\n\0]/;

/** Returns a text that no spreadsheet evaluates: a quote precedes a possible formula (docs/rules.md#exports). */
export const plainText = (text: string): string => (DROPPED_BY_SOME.test(text) || FORMULA.test(firstVisible(text)) ? `'${text}` : text);

/** Returns the first visible character in its usual form: ＝, ﹦ and ⁼ become =. */
const firstVisible = (text: string): string => {
  const [first = ''] = text.replace(INVISIBLE, '');
  return first.normalize('NFKC');
};
