import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainText } from './csv.ts';
import { type SheetFormat, WRITE_SHEET } from './sheet.ts';
import type { CellRow, SheetState } from './table.ts';
import type { Packing } from './zip.ts';

const STORED: Packing = { utf8: (text) => Buffer.from(text) };
const PACKED: Packing = { ...STORED, deflate: async (bytes) => deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH }) };

/** Texts that a spreadsheet might evaluate, or that break out of cells, lines and elements. */
const HOSTILE = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n+1', '＝1', '＠x'],
  ...[
    '"',
    'a"b',
    ',',
    'a\r\nb',
    "'",
    '',
    '</t></is></c>',
    '<!--',
    ']]>',
    '&amp;',
    '&#61;',
    '_x003D_',
    '\u0001\u000B\u001F',
    '\uFFFE',
    '東京 👩‍🍳',
  ],
];

it('writes CSV by RFC 4180, with a byte order mark', async () => {
  const file = await fileOf('csv', STORED, { headings: ['One', 'Two'], pages: [[['a "b"', 1.5]], [[undefined, 'c\r\nd,']]] });
  expect(file.toString()).toBe('\uFEFF"One","Two"\r\n"a ""b""",1.5\r\n,"c\r\nd,"\r\n');
});

/** Every Unicode character that is invisible, or that spreadsheets or people take for a blank. */
const INVISIBLE = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code))
  .filter((sign) => /\p{Cc}|\p{Cf}|\p{Z}|\p{Default_Ignorable_Code_Point}|\u2800/u.test(sign));
const SIGNS = [...'=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−'];

it('writes no CSV cell that a spreadsheet would evaluate, and loses nothing', () => {
  expect(INVISIBLE).toEqual(expect.arrayContaining(['\u0085', '\u00A0', '\u00AD', '\u200B', '\u202E', '\u2060', '\u3164', '\uFEFF']));
  const before = fc.array(fc.constantFrom(...INVISIBLE), { maxLength: 3 }).map((signs) => signs.join(''));
  const formula = fc.tuple(before, fc.constantFrom(...SIGNS), fc.string({ unit: 'grapheme' })).map((parts) => parts.join(''));
  fc.assert(
    fc.property(formula, (text) => {
      expect(plainText(text)).toBe(`'${text}`);
    }),
    { numRuns: 5_000 },
  );
  for (const sign of INVISIBLE) expect(plainText(`${sign}=1`)).toBe(`'${sign}=1`);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect([text, `'${text}`]).toContain(plainText(text));
    }),
  );
});

it.each(['', 'a', "it's", ' Lovely – thanks', '5 = great', '👩‍🍳 + team', '东京', '(soup)', '\u200Fشكرا'])(
  'leaves %j unchanged in a CSV',
  (text) => {
    expect(plainText(text)).toBe(text);
  },
);

it.each(['\t', '\ra', '\n', '\0'])('puts a quote before %j, which some programs drop', (text) => {
  expect(plainText(text)).toBe(`'${text}`);
});

it.each([
  ['stored', STORED],
  ['packed', PACKED],
] as const)('writes a workbook (%s) in parts that reads back unchanged', async (_name, packing) => {
  const pages: CellRow[][] = [HOSTILE.map((text) => [text, 5]), [], [[undefined, -1.5]]];
  const file = await fileOf('xlsx', packing, { headings: ['Text <b>', 'Number'], pages });
  const parts = unzip(file);
  expect([...parts.keys()]).toContain('[Content_Types].xml');
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
  expect(sheet).not.toContain('<f>');
  expect(rowsOf(sheet)).toEqual([
    ['Text <b>', 'Number'],
    ...pages.flat().map((row) => row.map((cell) => (cell === '' ? undefined : cell))),
  ]);
});

const python = spawnSync('python3', ['--version']).status === 0;

it.skipIf(!python)('writes a workbook that another program reads', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'afterword-sheet-'));
  try {
    const pages: CellRow[][] = Array.from({ length: 5 }, () => HOSTILE.map((text) => [text, 5]));
    const name = path.join(folder, 'sheet.xlsx');
    writeFileSync(name, await fileOf('xlsx', PACKED, { headings: ['Text', 'Number'], pages }));
    const read = JSON.parse(execFileSync('python3', ['-c', READ, name], { encoding: 'utf8' })) as string[][];
    expect(read.map(([text = '', number]) => [decoded(text), number])).toEqual([
      ['Text', 'Number'],
      ...pages.flat().map(([text]) => [text, '5']),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Checks every entry's checksum, parses every part as XML, and prints the cells. */
const READ = `
import json, sys, zipfile
from xml.etree import ElementTree
book = zipfile.ZipFile(sys.argv[1])
assert book.testzip() is None
for name in book.namelist(): ElementTree.fromstring(book.read(name))
space = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
sheet = ElementTree.fromstring(book.read('xl/worksheets/sheet1.xml'))
print(json.dumps([[''.join(cell.itertext()) for cell in row] for row in sheet.iter(space + 'row')]))
`;

/** Returns a file whose pages are written by separate writers that share only a state stored as JSON. */
async function fileOf(
  format: SheetFormat,
  packing: Packing,
  { headings, pages }: { readonly headings: readonly string[]; readonly pages: readonly (readonly CellRow[])[] },
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let before: string | undefined;
  for (const [place, rows] of pages.entries()) {
    const state = before === undefined ? undefined : (JSON.parse(before) as SheetState);
    const part = await WRITE_SHEET[format]({ packing, headings, before: state, rows, isLast: place === pages.length - 1 });
    parts.push(part.bytes);
    before = JSON.stringify(part.state);
  }
  return Buffer.concat(parts);
}

/** Returns an archive's entries from its directory, and checks their checksums. */
function unzip(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06'));
  let at = file.readUInt32LE(end + 16);
  const entries = new Map<string, string>();
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, crc, packed, size] = [
      file.readUInt16LE(at + 10),
      file.readUInt32LE(at + 16),
      file.readUInt32LE(at + 20),
      file.readUInt32LE(at + 24),
    ];
    const name = file.subarray(at + 46, at + 46 + file.readUInt16LE(at + 28));
    const start = file.readUInt32LE(at + 42);
    const data = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
    const bytes = file.subarray(data, data + packed);
    const raw = method === 8 ? inflateRawSync(bytes) : bytes;
    expect([raw.length, crc32(raw)]).toEqual([size, crc]);
    entries.set(name.toString(), raw.toString());
    at += 46 + name.length;
  }
  return entries;
}

const rowsOf = (sheet: string): unknown[][] =>
  [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c\/>|<c>.*?<v>(.*?)<\/v><\/c>|<c[^>]*t="inlineStr"><is><t[^>]*>(.*?)<\/t><\/is><\/c>/gs)].map(([, number, text]) =>
      number === undefined ? text && decoded(plainXml(text)) : Number(number),
    ),
  );

const plainXml = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
/** Decodes `_x0001_` as spreadsheets do. */
const decoded = (text: string): string =>
  text.replace(/_x([0-9A-F]{4})_/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
