import type { Binaries } from './binaries.ts';
import type { DataDirectory } from './data-directory.ts';
import type { Log } from './log.ts';

/** A database on disk, and all it takes to run it. */
export interface Cluster extends DataDirectory {
  readonly binaries: Binaries;
  readonly password: string;
  /** Beyond our own. */
  readonly settings: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** The superuser, and owner of the schema. */
export const SUPERUSER = 'afterword';
