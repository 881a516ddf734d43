import type { Cell, CellRow, WriteSheet } from './table.ts';

/** By this, spreadsheets know that the bytes are UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';

/** RFC 4180: text in quotes, lines that end with CR and LF. */
export const csvSheet: WriteSheet = async ({ packing, headings, before, rows }) => {
  const lines = [...(before ? [] : [headings]), ...rows].map(csvLine).join('');
  return { bytes: packing.utf8(before ? lines : BYTE_ORDER_MARK + lines), state: {} };
};

const csvLine = (row: CellRow): string => row.map(csvCell).join(',') + LINE_END;

function csvCell(cell: Cell): string {
  if (cell === undefined || cell === '') return '';
  return typeof cell === 'number' ? String(cell) : `"${plainText(cell).replaceAll('"', '""')}"`;
}

/** What a spreadsheet takes for the beginning of a formula, also behind blanks and in full width (docs/rules.md#exports). */
const FORMULA = /^\s*[=+\-@\t\r\n\0＝＋－＠]/u;

/** Text that no spreadsheet calculates: a quote stands before what could be a formula. */
export const plainText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
