import path from 'node:path';
import type { Binaries } from './binaries.ts';
import type { DataDirectory } from './data-directory.ts';
import type { Log } from './log.ts';
import type { Program } from './program.ts';

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

export const program = (cluster: Cluster, name: 'initdb' | 'pg_ctl' | 'postgres'): Program => ({
  file: path.join(cluster.binaries.folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name),
  osUser: cluster.osUser,
  cwd: path.parse(cluster.pgdata).root,
});
