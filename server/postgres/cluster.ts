import type { Log } from './application.ts';
import type { Binaries } from './binaries.ts';
import type { DataDirectory } from './data-directory.ts';

/** A database on disk, and all it takes to run it. */
export interface Cluster extends DataDirectory {
  readonly binaries: Binaries;
  readonly password: string;
  /** Beyond our own. */
  readonly settings: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** Read by `postgresql.conf`, so that the server has these settings whoever starts it. */
export const configurationFile = ({ application }: Cluster): string => `${application.name}.conf`;
