import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Application } from './application.ts';

type Code =
  | 'binaries_missing'
  | 'binaries_unusable'
  | 'data_directory_gone'
  | 'disk_full'
  | 'in_use'
  | 'initdb_failed'
  | 'no_unprivileged_user'
  | 'not_a_cluster'
  | 'password_missing'
  | 'password_wrong'
  | 'permission_denied'
  | 'start_failed'
  | 'start_timed_out'
  | 'version_mismatch'
  | 'wrong_owner';

/** Why the embedded PostgreSQL does not run: a code for programs, and plain words for whoever starts it. */
export class EmbeddedPostgresError extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The way out that every platform has. */
export const ownServerAdvice = ({ variables }: Application): string => `set ${variables.databaseUrl} to a PostgreSQL server of your own`;

const FORBIDDEN = new Set(['EACCES', 'EPERM', 'EROFS']);
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Says what a refused file means to whoever starts the application; gives other errors back as they are. */
export function inPlainWords(error: unknown, { application, dataDir }: { application: Application; dataDir: string }): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresError) return error;
  // Node's system errors carry both; others carry neither.
  const { code = '', path: file = dataDir } = error as NodeJS.ErrnoException;
  if (FULL.has(code)) return new EmbeddedPostgresError('disk_full', `The disk that holds ${file} is full.`, { cause: error });
  if (!FORBIDDEN.has(code)) return error;
  const reason = code === 'EROFS' ? 'it is on a read-only disk' : 'the system does not allow it';
  return new EmbeddedPostgresError('permission_denied', `${application.title} could not use ${file}: ${reason} (${error.message}).`, {
    cause: error,
  });
}

/** PostgreSQL writes its log ahead in files of this size, in bytes: with less free space a disk counts as full. */
const WAL_SEGMENT = 16 * 1024 * 1024;

const FAILURES = {
  initdb: { code: 'initdb_failed', message: 'PostgreSQL could not make its database in' },
  postgres: { code: 'start_failed', message: 'PostgreSQL could not start on the database in' },
} as const;

/** An error that quotes the program's last lines. On a full disk it may have none, for its log is there too. */
export async function programFailed(
  program: keyof typeof FAILURES,
  { application, pgdata }: { application: Application; pgdata: string },
  output: string,
): Promise<EmbeddedPostgresError> {
  const { code, message } = FAILURES[program];
  const isFull = /No space left on device|Disk quota exceeded/.test(output) || (await freeBytes(pgdata)) < WAL_SEGMENT;
  const advice = isFull
    ? 'The disk is full: free some space and start again.'
    : `If its files are damaged, restore a backup into an empty ${application.variables.dataDir}.`;
  return new EmbeddedPostgresError(
    isFull ? 'disk_full' : code,
    `${message} ${pgdata}. ${advice} It said:\n${lastLines(output) || '(nothing)'}`,
  );
}

/** The last lines of a program's output, for a message. */
export const lastLines = (output: string, count = 6): string => output.trim().split('\n').slice(-count).join('\n');

/** Of the folder above: the data directory may not exist yet. */
async function freeBytes(pgdata: string): Promise<number> {
  const { bavail, bsize } = await statfs(path.dirname(pgdata));
  return bavail * bsize;
}
