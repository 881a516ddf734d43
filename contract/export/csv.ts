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

/** What isn't seen at the beginning of a text: blanks, control and format characters, marks and fillers. */
const UNSEEN = /^[\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*/u;
const FORMULA = /^[=+\-@\u2212]/u;
const LEFT_OUT = /^[\t\r\n\0]/;

/** Returns a text that no spreadsheet calculates: a quote comes before what could be a formula (docs/rules.md#exports). */
export const plainText = (text: string): string => (LEFT_OUT.test(text) || FORMULA.test(firstSeen(text)) ? `'${text}` : text);

/** In its usual width and height: ＝, ﹦ and ⁼ are =. */
const firstSeen = (text: string): string => {
  const [first = ''] = text.replace(UNSEEN, '');
  return first.normalize('NFKC');
};
