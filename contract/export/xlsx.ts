import type { Cell, CellRow, WriteSheet } from './table.ts';
import { openZip } from './zip.ts';

/* A workbook of one sheet (ECMA-376) with inline strings: a table of shared strings would grow with the rows. */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of the archive before the sheet. */
const PARTS: readonly (readonly [name: string, text: string])[] = [
  [
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>`,
      `<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>`,
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/>`,
    ].join('')}</Types>`,
  ],
  ['_rels/.rels', relationships(['officeDocument', 'xl/workbook.xml'])],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Feedback" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  ['xl/_rels/workbook.xml.rels', relationships(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml'])],
  [
    'xl/styles.xml',
    `<styleSheet xmlns="${MAIN}">${[
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
      '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>',
    ].join('')}</styleSheet>`,
  ],
];

/** The index of the headings' style. */
const BOLD = 1;

export const xlsxSheet: WriteSheet = async ({ packing, headings, before, rows, isLast }) => {
  const zip = openZip(packing, before?.zip);
  if (!before) {
    for (const [name, text] of PARTS) {
      zip.begin(name);
      await zip.write(XML + text);
      zip.end();
    }
    zip.begin('xl/worksheets/sheet1.xml');
  }
  await zip.write(
    (before ? '' : sheetStart(headings)) + rows.map((row) => xmlRow(row)).join('') + (isLast ? '</sheetData></worksheet>' : ''),
  );
  if (isLast) {
    zip.end();
    zip.finish();
  }
  const { bytes, state } = zip.take();
  return { bytes, state: { zip: state } };
};

/** Returns the sheet up to its rows, with headings that stay visible while scrolling. */
const sheetStart = (headings: CellRow): string =>
  `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${[
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
    `<cols><col min="1" max="${headings.length}" width="22" customWidth="1"/></cols><sheetData>`,
  ].join('')}${xmlRow(headings, BOLD)}`;

const xmlRow = (row: CellRow, style?: number): string => `<row>${row.map((cell) => xmlCell(cell, style)).join('')}</row>`;

/** Returns a cell's XML. Text is an inline string, so nothing in it is evaluated. */
function xmlCell(cell: Cell, style: number | undefined): string {
  if (cell === undefined || cell === '') return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  return `<c${style === undefined ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`;
}

/** Characters that XML can't contain or that its readers change, and text that looks like their escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for them
const UNWRITABLE = /[\0-\x08\x0B-\x1F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/g;
const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const xmlText = (text: string): string =>
  text
    .replace(UNWRITABLE, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>]/g, (sign) => SIGNS[sign] ?? sign);

function relationships(...to: readonly (readonly [kind: string, target: string])[]): string {
  const elements = to.map(([kind, target], place) => `<Relationship Id="rId${place + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`);
  return `<Relationships xmlns="${RELATIONS}">${elements.join('')}</Relationships>`;
}
