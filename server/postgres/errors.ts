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

/** The reason the embedded PostgreSQL doesn't run: a code for programs, and a message for the person who starts it. */
export class EmbeddedPostgresError extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Advice that works on every platform. */
export const ownServerAdvice = ({ variables }: Application): string => `set ${variables.databaseUrl} to a PostgreSQL server of your own`;

const FORBIDDEN = new Set(['EACCES', 'EPERM', 'EROFS']);
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Turns a file error into a message for the person who starts the application; returns other errors unchanged. */
export function inPlainWords(error: unknown, { application, dataDir }: { application: Application; dataDir: string }): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresError) return error;
  // Node's system errors have both; others have neither.
  const { code = '', path: file = dataDir } = error as NodeJS.ErrnoException;
  if (FULL.has(code)) return new EmbeddedPostgresError('disk_full', `The disk with ${file} is full.`, { cause: error });
  if (!FORBIDDEN.has(code)) return error;
  const reason = code === 'EROFS' ? 'it is on a read-only disk' : 'access is denied';
  return new EmbeddedPostgresError('permission_denied', `${application.title} can’t use ${file}: ${reason} (${error.message}).`, {
    cause: error,
  });
}

/** The size of a write-ahead log file in bytes; with less free space, a disk counts as full. */
const WAL_SEGMENT = 16 * 1024 * 1024;

const FAILURES = {
  initdb: { code: 'initdb_failed', message: 'PostgreSQL could not create its database in' },
  postgres: { code: 'start_failed', message: 'PostgreSQL could not start on the database in' },
} as const;

/** Returns an error that quotes the program's last lines. On a full disk there may be none, because the log is there too. */
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
    `${message} ${pgdata}. ${advice} Its last output:\n${lastLines(output) || '(none)'}`,
  );
}

/** Returns the last lines of a program's output. */
export const lastLines = (output: string, count = 6): string => output.trim().split('\n').slice(-count).join('\n');

/** Checks the folder above, because the data directory may not exist yet. */
async function freeBytes(pgdata: string): Promise<number> {
  const { bavail, bsize } = await statfs(path.dirname(pgdata));
  return bavail * bsize;
}
