/** What the embedded PostgreSQL cannot do, in plain words that end the start. */
export class EmbeddedPostgresError extends Error {}

/** The way out that every platform has. */
export const OWN_SERVER = 'set DATABASE_URL to a PostgreSQL server of your own';

const FORBIDDEN = new Set(['EACCES', 'EPERM', 'EROFS']);
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Says what a refused file means to the person who starts Afterword; gives other errors back as they are. */
export function inPlainWords(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresError) return error;
  // Node's system errors carry both; others carry neither.
  const { code = '', path = dataDir } = error as NodeJS.ErrnoException;
  if (FULL.has(code)) return new EmbeddedPostgresError(`The disk that holds ${path} is full.`, { cause: error });
  if (!FORBIDDEN.has(code)) return error;
  const reason = code === 'EROFS' ? 'it is on a read-only disk' : 'the system does not allow it';
  return new EmbeddedPostgresError(`Afterword could not use ${path}: ${reason} (${error.message}).`, { cause: error });
}
