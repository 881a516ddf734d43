import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** What a server wrote about itself into `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly hasSocket: boolean;
  /** `starting`, `ready`, `stopping`; empty before the first. */
  readonly status: string;
}

/** What is written in `postmaster.pid`, whether or not it is still true. */
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
export async function removeStaleLockFiles(pgdata: string): Promise<void> {
  const names = (await readdir(pgdata)).filter((name) => name === 'postmaster.pid' || /^\.s\.PGSQL\.\d+\.lock$/.test(name));
  for (const name of names) await removeStale(pgdata, name);
}

/** Moved away first and judged then: a server that starts in between does not lose its file. */
async function removeStale(pgdata: string, name: string): Promise<void> {
  const file = path.join(pgdata, name);
  const aside = `${file}.${randomBytes(4).toString('hex')}`;
  await rename(file, aside);
  const pid = Math.abs(Number.parseInt(await readFile(aside, 'utf8'), 10));
  await (pid && (await isPostmasterOf(pgdata, pid)) ? rename(aside, file) : rm(aside));
}

/** Whether a process has this number, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is the postmaster of the data directory: numbers are given again, so a living one proves nothing. */
async function isPostmasterOf(pgdata: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return (await output('tasklist', ['/NH', '/FI', `PID eq ${pid}`])).includes('postgres.exe');
  const command = await commandOf(pid);
  if (command.includes(`/postgres -D ${pgdata} `)) return true;
  return command.includes('/postgres -D ') && (await worksIn(pgdata, pid));
}

/**
 * Linux only: children of a killed postmaster that have not noticed yet. They keep a new server from starting.
 * Empty where the system hides the processes of others.
 */
export async function orphansIn(pgdata: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 1);
  const found = await Promise.all(pids.map(async (pid) => (await isOrphanIn(pgdata, pid)) && pid));
  return found.filter((pid) => pid !== false);
}

async function isOrphanIn(pgdata: string, pid: number): Promise<boolean> {
  if (!(await worksIn(pgdata, pid))) return false;
  if (!(await commandOf(pid)).startsWith('postgres: ')) return false;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const parent = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
  return !(await isPostmasterOf(pgdata, parent));
}

/** By inode, not by name: the directory may have been moved since. */
async function worksIn(pgdata: string, pid: number): Promise<boolean> {
  const [cwd, directory] = await Promise.all([`/proc/${pid}/cwd`, pgdata].map((name) => stat(name).catch(() => undefined)));
  return cwd !== undefined && cwd.ino === directory?.ino && cwd.dev === directory.dev;
}

/** The program and its arguments, each followed by a space; empty for a process that has ended. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') return `${(await output('ps', ['-ww', '-o', 'args=', '-p', String(pid)])).trim()} `;
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
}

const output = (program: string, args: readonly string[]): Promise<string> =>
  promisify(execFile)(program, args).then(
    ({ stdout }) => stdout,
    () => '',
  );
