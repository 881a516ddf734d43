import { pluralize } from '#contract/core/sentences.ts';

export interface CommandOutcome {
  /** The output for `--json`. */
  readonly data: object;
  /** The output for people, without a newline at the end. */
  readonly text: string;
  /** True if the command succeeded but found a problem. */
  readonly isBad?: boolean;
}

/** The reason a command is refused, in a sentence. */
export class CommandRefused extends Error {}

/** Returns aligned rows below their headings, with numbers right-aligned. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_heading, column) => Math.max(...lines.map((row) => widthOf(row[column]))));
  return lines
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const widthOf = (cell: string | number | undefined): number => [...String(cell ?? '')].length;

function pad(cell: string | number, width: number): string {
  const space = ' '.repeat(width - widthOf(cell));
  return typeof cell === 'number' ? space + cell : cell + space;
}

/** Formats a time (UTC ms) to the minute. */
export const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Formats a duration (ms) in its largest unit. */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms >= each) ?? ['second', 1_000];
  return pluralize(Math.floor(ms / size), unit);
}

/** Replaces control characters, so that text typed by others can't control the terminal. */
export const printable = (text: string): string => text.replace(/[^\P{C}\n]/gu, '\u{fffd}');
