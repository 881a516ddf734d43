import type { Packing, ZipState } from './zip.ts';

/* Tables as files, written from front to back: so many rows at a time, in one process or in another that goes on. */

/** Text, a number, or nothing. Text is text in whatever program opens it, and never a formula. */
export type Cell = string | number | undefined;
export type CellRow = readonly Cell[];

/** How far a file is: what another writer needs to go on with it. It can be kept as JSON. */
export interface SheetState {
  readonly zip?: ZipState;
}

/** A part of a file, and how far the file is with it. */
interface SheetPart {
  readonly bytes: Uint8Array;
  readonly state: SheetState;
}

interface SheetOptions {
  readonly packing: Packing;
  /** The first row. */
  readonly headings: readonly string[];
  /** Of the part before; undefined for the first part. */
  readonly before: SheetState | undefined;
  readonly rows: readonly CellRow[];
  readonly isLast: boolean;
}

/** The next part of a file: all parts, one behind the other, are the file. Holds no more than these rows. */
export type WriteSheet = (options: SheetOptions) => Promise<SheetPart>;
