import { MOUTHS, RATINGS, type Rating } from '#contract/rating.ts';
import { modulesOf } from '../qr/codes.ts';
import { number, type PdfPicture } from './pdf.ts';
import { type FittedWords, fitted, inHelvetica, type WordLine, widthInHelvetica } from './words.ts';

/* What a sheet is made of. Lengths are in mm, y grows downwards. */

/** Paints words that the fonts of PDF readers lack, with those of this device. */
export interface WordPainter {
  /** The width of a text in ems. */
  measure(text: string, isBold: boolean): number;
  /** A line on white, as wide as it is and `LINE` ems high, its letters standing at `BASELINE` ems. `size` is the em (mm). */
  paint(line: WordLine, look: { readonly size: number; readonly isBold: boolean }): PdfPicture;
}

export const LINE = 1.4;
export const BASELINE = 1.05;
/** From one line to the next, what letters reach above where they stand, and what the eye takes for a line's height, in ems. */
const [LEADING, ASCENT, BODY] = [1.2, 0.74, 0.95];

/** What the sheets of one file share: a line that repeats is painted and embedded once. */
export interface Ink {
  readonly painter: WordPainter;
  /** By the names that the content calls them. */
  readonly pictures: Map<string, PdfPicture>;
  /** The name of a line that was painted. */
  readonly painted: Map<string, string>;
}

export const openInk = (painter: WordPainter): Ink => ({ painter, pictures: new Map(), painted: new Map() });

/** A thing of a sheet: its height, and the operators that draw it in the middle of a width. */
export interface PrintBlock {
  readonly height: number;
  readonly draw: (x: number, y: number, width: number) => string;
}

interface WordStyle {
  /** The room for a line (mm). */
  readonly width: number;
  /** The em at most (mm). */
  readonly size: number;
  readonly lines?: number;
  readonly isBold?: boolean;
}

/** Words in as many lines as it takes, each in the middle. */
export function wordsBlock(ink: Ink, text: string, { width, size, lines = 1, isBold = false }: WordStyle): PrintBlock {
  const isSet = widthInHelvetica(text, isBold) !== undefined;
  const measure = (part: string) => (isSet ? widthInHelvetica(part, isBold) : undefined) ?? ink.painter.measure(part, isBold);
  const words = fitted(text, { width, size, lines }, measure);
  return {
    height: words.size * (BODY + LEADING * (words.lines.length - 1)),
    draw: (x, y, room) =>
      words.lines
        .map((line, at) => {
          const place = { left: x + (room - line.width * words.size) / 2, foot: y + words.size * (ASCENT + LEADING * at) };
          return isSet ? setLine(line, words, isBold, place) : paintedLine(ink, line, words, isBold, place);
        })
        .join(''),
  };
}

interface LinePlace {
  readonly left: number;
  /** Where its letters stand. */
  readonly foot: number;
}

function setLine({ text }: WordLine, { size }: FittedWords, isBold: boolean, { left, foot }: LinePlace): string {
  const font = `${isBold ? TEXT : QUIET} rg /F${isBold ? 2 : 1} ${number(size)} Tf`;
  return `BT ${font} 1 0 0 -1 ${number(left)} ${number(foot)} Tm ${inHelvetica(text)} Tj ET\n`;
}

function paintedLine(ink: Ink, line: WordLine, { size }: FittedWords, isBold: boolean, { left, foot }: LinePlace): string {
  const look = `${isBold} ${number(size)} ${line.text}`;
  const name = ink.painted.get(look) ?? `P${ink.painted.size}`;
  if (!ink.painted.has(look)) {
    ink.painted.set(look, name);
    ink.pictures.set(name, ink.painter.paint(line, { size, isBold }));
  }
  const bottom = foot + (LINE - BASELINE) * size;
  return `q ${number(line.width * size)} 0 0 ${number(-LINE * size)} ${number(left)} ${number(bottom)} cm /${name} Do Q\n`;
}

/** A QR code with its light border, dark on the white of the paper. One path, so that no seam shows between modules. */
export function codeBlock(address: string, side: number): PrintBlock {
  const { size, runs } = modulesOf(address);
  const dark = runs.map(({ x, y, length }) => `${x} ${y} ${length} 1 re`).join('\n');
  const unit = number(side / size);
  return {
    height: side,
    draw: (x, y, width) => `q ${unit} 0 0 ${unit} ${number(x + (width - side) / 2)} ${number(y)} cm 0 0 0 rg\n${dark}\nf Q\n`,
  };
}

/* Colours as tokens.css has them, from 0 to 1. */
const TEXT = '0.11 0.106 0.098';
const QUIET = '0.337 0.333 0.31';
const FACES: Readonly<Record<Rating, string>> = {
  1: '0.588 0.098 0.106',
  2: '0.722 0.263 0.122',
  3: '0.678 0.51 0',
  4: '0.235 0.549 0.384',
  5: '0.039 0.333 0.388',
};
const CIRCLE = 0.5523;

/** The five faces of the form, to be recognised there. */
export function facesBlock(width: number): PrintBlock {
  const side = width / 6.2;
  const gap = (width - 5 * side) / 4;
  return {
    height: side,
    draw: (x, y, room) => RATINGS.map((rating, at) => face(rating, side, x + (room - width) / 2 + at * (side + gap), y)).join(''),
  };
}

function face(rating: Rating, side: number, x: number, y: number): string {
  const unit = number(side / 24);
  const [, left = '', top = '', by = '', rest = ''] = /^M([\d.]+) ([\d.]+)([ch])(.*)$/.exec(MOUTHS[rating]) ?? [];
  const [x0, y0] = [Number(left), Number(top)];
  const steps = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map((step, at) => Number(step) + (at % 2 === 0 ? x0 : y0));
  const mouth = by === 'h' ? `${number(steps[0] ?? x0)} ${y0} l` : `${steps.map(number).join(' ')} c`;
  const eyes = [8.6, 15.4].map((eye) => `${circle(eye, 9.6, 1.35)} f`).join(' ');
  const line = `1.8 w 1 J ${circle(12, 12, 10.6)} S ${x0} ${y0} m ${mouth} S`;
  return `q ${unit} 0 0 ${unit} ${number(x)} ${number(y)} cm ${FACES[rating]} rg ${FACES[rating]} RG ${eyes} ${line} Q\n`;
}

function circle(x: number, y: number, r: number): string {
  const c = r * CIRCLE;
  const curve = (...points: number[]) => `${points.map(number).join(' ')} c`;
  return [
    `${number(x + r)} ${number(y)} m`,
    curve(x + r, y + c, x + c, y + r, x, y + r),
    curve(x - c, y + r, x - r, y + c, x - r, y),
    curve(x - r, y - c, x - c, y - r, x, y - r),
    curve(x + c, y - r, x + r, y - c, x + r, y),
  ].join(' ');
}

/** A fine dashed line, where the paper is cut or folded. */
export const dashed = (path: string): string => `q 0.7 G 0.15 w [1.2 1.2] 0 d ${path} S Q\n`;

/** Blocks below one another in a box, the room that is left shared out between and around them. */
export function column(blocks: readonly PrintBlock[], { x, y, width, height }: PaperBox): string {
  const free = height - blocks.reduce((sum, block) => sum + block.height, 0);
  const gap = free / (blocks.length + 1);
  let top = y + gap;
  return blocks
    .map((block) => {
      const drawn = block.draw(x, top, width);
      top += block.height + gap;
      return drawn;
    })
    .join('');
}

export interface PaperBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
