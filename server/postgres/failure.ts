import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

interface Failure {
  /** A sentence. */
  readonly what: string;
  /** By PostgreSQL's programs. */
  readonly said: string;
}

/** Bytes below which a disk counts as full: PostgreSQL needs one file of its journal at least. */
const LITTLE = 16 * 1024 * 1024;

/** An error that quotes the program's last lines. On a full disk it may have none, for its log is there too. */
export async function failure(pgdata: string, { what, said }: Failure): Promise<EmbeddedPostgresError> {
  const full = /No space left on device|Disk quota exceeded/.test(said) || (await freeBytes(pgdata)) < LITTLE;
  const advice = full
    ? 'The disk is full: free some space and start again.'
    : 'If its files are damaged, restore a backup into an empty DATA_DIR.';
  return new EmbeddedPostgresError([what, advice, 'It said:\n'].join(' ') + (lastLines(said) || '(nothing)'));
}

/** The last lines of what a program said, for a message. */
export const lastLines = (text: string, count = 6): string => text.trim().split('\n').slice(-count).join('\n');

/** Of the folder above: the data directory may not exist yet. */
async function freeBytes(pgdata: string): Promise<number> {
  const { bavail, bsize } = await statfs(path.dirname(pgdata));
  return bavail * bsize;
}
