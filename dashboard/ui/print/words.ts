/* Words on paper: which the fonts of every PDF reader have, how wide they are, and where their lines break. */

/** A line that is set, or drawn where the fonts lack a letter. */
export interface WordLine {
  readonly text: string;
  /** In ems. */
  readonly width: number;
}

export interface FittedWords {
  readonly lines: readonly WordLine[];
  /** The em (mm). */
  readonly size: number;
}

interface Room {
  readonly width: number;
  /** The em at most (mm). It shrinks until the words fit, down to a third. */
  readonly size: number;
  readonly lines: number;
}

/** The width of a text in ems. */
export type MeasureText = (text: string) => number;

/** Breaks a text into lines. What does not fit at the smallest size gets more lines: nothing is cut off. */
export function fitted(text: string, { width, size, lines: most }: Room, measure: MeasureText): FittedWords {
  for (let em = size; ; em *= 0.96) {
    const lines = broken(text, width / em, measure);
    if (lines.length <= most || em < size / 3) return { size: em, lines: lines.map((line) => ({ text: line, width: measure(line) })) };
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks at spaces; where a word is longer than a line, within it. */
function broken(text: string, width: number, measure: MeasureText): string[] {
  const pieces = text.split(/(?<=\s)/u).flatMap((word) => (measure(word.trim()) <= width ? [word] : lettersOf(word)));
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    if (line !== '' && measure((line + piece).trim()) > width) {
      lines.push(line.trim());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trim()];
}

const lettersOf = (word: string): string[] => [...graphemes.segment(word)].map(({ segment }) => segment);

/* ── Helvetica, which every reader has ── */

/** Advance widths in thousandths of an em, from the space to the tilde. */
const REGULAR = widths(
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556*10 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 ' +
    '500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 ' +
    '500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584',
);
const BOLD = widths(
  '278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556*10 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 ' +
    '556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 ' +
    '556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584',
);
/** Punctuation of typographers: its code in WinAnsi, and what it is about as wide as. */
const OTHERS: Readonly<Record<string, readonly [code: number, like: string]>> = {
  '‘': [0x91, "'"],
  '’': [0x92, "'"],
  '“': [0x93, '"'],
  '”': [0x94, '"'],
  '–': [0x96, '0'],
  '—': [0x97, 'W'],
  '·': [0xb7, '.'],
};
const ACCENT = /[\u0300-\u036f]/g;

function widths(table: string): readonly number[] {
  return table.split(' ').flatMap((each) => {
    const [width, times = 1] = each.split('*').map(Number);
    return Array<number>(times).fill(width ?? 0);
  });
}

/** The width of a text in Helvetica, in ems; undefined where it lacks a letter. */
export function widthInHelvetica(text: string, isBold: boolean): number | undefined {
  const table = isBold ? BOLD : REGULAR;
  let sum = 0;
  for (const letter of text.normalize('NFC')) {
    // An accent takes no room.
    const plain = (OTHERS[letter]?.[1] ?? letter).normalize('NFD').replace(ACCENT, '');
    const width = plain.length === 1 && codeOf(letter) !== undefined ? table[plain.charCodeAt(0) - 0x20] : undefined;
    if (width === undefined) return undefined;
    sum += width;
  }
  return sum / 1_000;
}

/** A letter's code in WinAnsi, of those that this file knows the width of. */
function codeOf(letter: string): number | undefined {
  const code = letter.charCodeAt(0);
  return (
    OTHERS[letter]?.[0] ?? (letter.length === 1 && ((code >= 0x20 && code < 0x7f) || (code >= 0xc0 && code <= 0xff)) ? code : undefined)
  );
}

/** A text as a string of PDF, in hexadecimal. */
export const inHelvetica = (text: string): string =>
  `<${Array.from(text.normalize('NFC'), (letter) => (codeOf(letter) ?? 0x3f).toString(16).padStart(2, '0')).join('')}>`;
