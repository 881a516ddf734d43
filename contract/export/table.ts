import type { Packing, ZipState } from './zip.ts';

/* Tables as files, written from front to back in batches of rows, so that another process can continue. */

/** Text, a number, or nothing. Text is never a formula, whatever program opens it. */
export type Cell = string | number | undefined;
export type CellRow = readonly Cell[];

/** The state that another writer needs to continue a file. It can be stored as JSON. */
export interface SheetState {
  readonly zip?: ZipState;
}

/** A part of a file, and the state after it. */
interface SheetPart {
  readonly bytes: Uint8Array;
  readonly state: SheetState;
}

interface SheetOptions {
  readonly packing: Packing;
  /** The first row. */
  readonly headings: readonly string[];
  /** The state after the previous part; undefined for the first part. */
  readonly before: SheetState | undefined;
  readonly rows: readonly CellRow[];
  readonly isLast: boolean;
}

/** Returns the next part of a file, which is the concatenation of its parts. Only these rows are in memory. */
export type WriteSheet = (options: SheetOptions) => Promise<SheetPart>;
