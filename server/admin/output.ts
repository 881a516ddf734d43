/** What a command has done or found out: for programs, and for people. */
export interface CommandOutcome {
  readonly data: object;
  /** Lines, without the last one's end. */
  readonly text: string;
  /** True where something is wrong, though the command was carried out. */
  readonly isBad?: boolean;
}

/** Why a command is not carried out, in a sentence. */
export class CommandRefused extends Error {}

/** Rows below their headings, aligned; numbers at the right. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_heading, column) => Math.max(...all.map((row) => widthOf(row[column]))));
  return all
    .map((row) =>
      row
        .map((cell, column) => padded(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const widthOf = (cell: string | number | undefined): number => [...String(cell ?? '')].length;

function padded(cell: string | number, width: number): string {
  const space = ' '.repeat(width - widthOf(cell));
  return typeof cell === 'number' ? space + cell : cell + space;
}

/** A moment (UTC ms) to the minute. */
export const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** How long something takes or took (ms), in its largest unit. */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms >= each) ?? ['second', 1_000];
  return counted(Math.floor(ms / size), unit);
}

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** Text that a terminal shows and does not obey, whoever typed it. */
export const printable = (text: string): string => text.replace(/[^\P{C}\n]/gu, '\u{fffd}');
