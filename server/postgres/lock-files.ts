import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isPostmasterOf } from './process.ts';

/** What a server wrote about itself into `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly hasSocket: boolean;
  /** `starting`, `ready`, `stopping`; empty before the first. */
  readonly status: string;
}

/** What stands in the file, whether or not it is still true. */
export async function readPostmaster(pgdata: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '');
  // https://doxygen.postgresql.org/pidfile_8h_source.html: one fact a line.
  const [pid, , , port, socket = '', , , status = ''] = text.split('\n');
  if (!pid) return undefined;
  return { pid: Math.abs(Number(pid)), port: Number(port), hasSocket: socket !== '', status: status.trim() };
}

/** The server of this data directory, if one runs. */
export async function runningPostmaster(pgdata: string): Promise<Postmaster | undefined> {
  const written = await readPostmaster(pgdata);
  return written && (await isPostmasterOf(pgdata, written.pid)) ? written : undefined;
}

/**
 * Takes lock files away that name nobody, or a process that is not this directory's server. PostgreSQL replaces those of
 * dead processes itself, but stops at an empty file, and at a number that another process of the same user has now.
 */
export async function discardLockFiles(pgdata: string): Promise<void> {
  const names = (await readdir(pgdata)).filter((name) => name === 'postmaster.pid' || /^\.s\.PGSQL\.\d+\.lock$/.test(name));
  for (const name of names) await discard(pgdata, name);
}

/** Moved away first and judged then: a server that starts in between does not lose its file. */
async function discard(pgdata: string, name: string): Promise<void> {
  const file = path.join(pgdata, name);
  const aside = `${file}.${randomBytes(4).toString('hex')}`;
  await rename(file, aside);
  const pid = Math.abs(Number.parseInt(await readFile(aside, 'utf8'), 10));
  await (pid && (await isPostmasterOf(pgdata, pid)) ? rename(aside, file) : rm(aside));
}
