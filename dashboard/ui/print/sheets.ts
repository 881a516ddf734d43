import { codeBlock, column, dashed, facesBlock, type Ink, openInk, type PaperBox, type WordPainter, wordsBlock } from './drawing.ts';
import { number, type PdfPage, pdfOf } from './pdf.ts';

export const PRINTS = ['poster', 'tent', 'sticker'] as const;
export type PrintKind = (typeof PRINTS)[number];
export const PAPERS = ['A4', 'A6', 'Letter'] as const;
export type PaperName = (typeof PAPERS)[number];

interface PaperSize {
  readonly width: number;
  readonly height: number;
}
/** Upright, in mm. */
const SIZES: Readonly<Record<PaperName, PaperSize>> = {
  A4: { width: 210, height: 297 },
  A6: { width: 105, height: 148 },
  Letter: { width: 215.9, height: 279.4 },
};

/** What stands on a sheet. */
export interface SheetWords {
  /** The property's name. */
  readonly place: string;
  /** Where the code stands, such as 'Table 4'. */
  readonly placement?: string | undefined;
  readonly question: string;
  /** What the code leads to. */
  readonly address: string;
}

const INVITATION = 'Scan the code and tap a face. That’s all.';
/** A code is never printed smaller than 2.5 cm, its light border not counted (docs/rules.md#printed-codes). */
const STICKER: PaperSize = { width: 50, height: 62 };
const STICKER_CODE = 34;

interface PrintOrder {
  readonly kind: PrintKind;
  readonly paper: PaperName;
  /** One page for each. */
  readonly sheets: readonly SheetWords[];
  readonly painter: WordPainter;
}

/** A PDF file to print. */
export function printed({ kind, paper, sheets, painter }: PrintOrder): Promise<Blob> {
  const ink = openInk(painter);
  const { width, height } = SIZES[paper];
  const pages: PdfPage[] = sheets.map((sheet) => ({ width, height, content: DRAWN[kind](ink, sheet, SIZES[paper]) }));
  return pdfOf({ title: sheets[0]?.place ?? '', pages, pictures: ink.pictures });
}

type DrawSheet = (ink: Ink, words: SheetWords, paper: PaperSize) => string;

const DRAWN: Readonly<Record<PrintKind, DrawSheet>> = { poster, tent, sticker };

function poster(ink: Ink, { place, placement, question, address }: SheetWords, { width, height }: PaperSize): string {
  // All of it grows with the paper.
  const unit = Math.min(width / 210, height / 297);
  const room = width - 30 * unit;
  const small = { width: room, size: Math.max(4.8 * unit, 2.6) };
  return column(
    [
      wordsBlock(ink, place, { width: room, size: 11 * unit, lines: 2, isBold: true }),
      wordsBlock(ink, question, { width: room, size: 16.5 * unit, lines: 2, isBold: true }),
      facesBlock(118 * unit),
      codeBlock(address, 118 * unit),
      wordsBlock(ink, INVITATION, { width: room, size: 7.5 * unit }),
      ...(placement === undefined ? [] : [wordsBlock(ink, placement, { width: room, size: 7 * unit, isBold: true })]),
      wordsBlock(ink, shortOf(address), small),
    ],
    { x: 0, y: 5 * unit, width, height: height - 10 * unit },
  );
}

/** Two sides, of which one stands on its head, so that the folded sheet can be read from both. */
function tent(ink: Ink, words: SheetWords, { width, height }: PaperSize): string {
  const side = tentSide(ink, words, { width, height: height / 2 });
  const upper = `q -1 0 0 -1 ${number(width)} ${number(height / 2)} cm\n${side}Q\n`;
  const lower = `q 1 0 0 1 0 ${number(height / 2)} cm\n${side}Q\n`;
  return upper + lower + dashed(`0 ${number(height / 2)} m ${number(width)} ${number(height / 2)} l`);
}

function tentSide(ink: Ink, { place, placement, question, address }: SheetWords, { width, height }: PaperSize): string {
  const unit = Math.min(width / 210, height / 139);
  const edge = 8 * unit;
  const left: PaperBox = { x: edge, y: 0, width: 92 * unit, height };
  const right: PaperBox = { x: left.x + left.width + edge / 2, y: 0, width: width - left.width - 3 * edge, height };
  const room = right.width;
  const code = column(
    [codeBlock(address, left.width), wordsBlock(ink, shortOf(address), { width: left.width, size: Math.max(3.4 * unit, 2.4), lines: 2 })],
    left,
  );
  const said = [
    wordsBlock(ink, place, { width: room, size: 8 * unit, lines: 2, isBold: true }),
    wordsBlock(ink, question, { width: room, size: 13 * unit, lines: 3, isBold: true }),
    facesBlock(Math.min(room, 84 * unit)),
    wordsBlock(ink, INVITATION, { width: room, size: Math.max(5 * unit, 2.8), lines: 2 }),
    ...(placement === undefined ? [] : [wordsBlock(ink, placement, { width: room, size: 6 * unit, isBold: true })]),
  ];
  return code + column(said, right);
}

/** As many as the sheet holds, with lines to cut along. */
function sticker(ink: Ink, words: SheetWords, paper: PaperSize): string {
  const [columns, rows] = [Math.floor(paper.width / STICKER.width), Math.floor(paper.height / STICKER.height)];
  const left = (paper.width - columns * STICKER.width) / 2;
  const top = (paper.height - rows * STICKER.height) / 2;
  const one = oneSticker(ink, words);
  return Array.from({ length: columns * rows }, (_, at) => {
    const [x, y] = [left + (at % columns) * STICKER.width, top + Math.floor(at / columns) * STICKER.height];
    return `q 1 0 0 1 ${number(x)} ${number(y)} cm\n${one}Q\n`;
  }).join('');
}

function oneSticker(ink: Ink, { place, placement, question, address }: SheetWords): string {
  const width = STICKER.width - 5;
  const name = placement === undefined ? place : `${place} · ${placement}`;
  const blocks = [
    wordsBlock(ink, question, { width, size: 4.6, isBold: true }),
    codeBlock(address, STICKER_CODE),
    wordsBlock(ink, name, { width, size: 3.2, lines: 2, isBold: true }),
    wordsBlock(ink, shortOf(address), { width, size: 2, lines: 2 }),
  ];
  const outline = dashed(`0 0 ${STICKER.width} ${STICKER.height} re`);
  return outline + column(blocks, { x: 0, y: 0, ...STICKER });
}

/** As people type it. */
const shortOf = (address: string): string => address.replace(/^https?:\/\//, '');
