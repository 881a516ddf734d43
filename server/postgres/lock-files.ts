import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** The contents of a server's `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly hasSocket: boolean;
  /** `starting`, `ready`, `stopping`, or empty at first. */
  readonly status: string;
}

/** Reads `postmaster.pid`, which may be out of date. */
export async function readPostmaster(pgdata: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '');
  // One value per line: https://doxygen.postgresql.org/pidfile_8h_source.html
  const [pid, , , port, socket = '', , , status = ''] = text.split('\n');
  if (!pid) return undefined;
  return { pid: Math.abs(Number(pid)), port: Number(port), hasSocket: socket !== '', status: status.trim() };
}

/** Returns the server running on a data directory, if any. */
export async function runningPostmaster(pgdata: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(pgdata);
  return postmaster && (await isPostmasterOf(pgdata, postmaster.pid)) ? postmaster : undefined;
}

/**
 * Removes lock files that are empty or name a process other than this directory's server. PostgreSQL itself replaces lock files
 * of dead processes, but fails on an empty file and on a process id that another process of the same user now has.
 */
export async function removeStaleLockFiles(pgdata: string): Promise<void> {
  const names = (await readdir(pgdata)).filter((name) => name === 'postmaster.pid' || /^\.s\.PGSQL\.\d+\.lock$/.test(name));
  for (const name of names) await removeStale(pgdata, name);
}

/** Renames the file before checking it, so that a server that starts in between doesn't lose its own. */
async function removeStale(pgdata: string, name: string): Promise<void> {
  const file = path.join(pgdata, name);
  const renamed = `${file}.${randomBytes(4).toString('hex')}`;
  await rename(file, renamed);
  const pid = Math.abs(Number.parseInt(await readFile(renamed, 'utf8'), 10));
  await (pid && (await isPostmasterOf(pgdata, pid)) ? rename(renamed, file) : rm(renamed));
}

/** Returns whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns whether a process is the postmaster of a data directory. Process ids are reused, so being alive isn't enough. */
async function isPostmasterOf(pgdata: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return (await output('tasklist', ['/NH', '/FI', `PID eq ${pid}`])).includes('postgres.exe');
  const command = await commandOf(pid);
  if (command.includes(`/postgres -D ${pgdata} `)) return true;
  return command.includes('/postgres -D ') && (await isWorkingIn(pgdata, pid));
}

/**
 * Returns children of a killed postmaster that are still running and keep a new server from starting. Linux only; empty if the
 * system hides other users' processes.
 */
export async function orphansIn(pgdata: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 1);
  const orphans = await Promise.all(pids.map(async (pid) => (await isOrphanIn(pgdata, pid)) && pid));
  return orphans.filter((pid) => pid !== false);
}

async function isOrphanIn(pgdata: string, pid: number): Promise<boolean> {
  if (!(await isWorkingIn(pgdata, pid))) return false;
  if (!(await commandOf(pid)).startsWith('postgres: ')) return false;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const parent = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
  return !(await isPostmasterOf(pgdata, parent));
}

/** Compares inodes, because the directory may have been renamed since. */
async function isWorkingIn(pgdata: string, pid: number): Promise<boolean> {
  const [cwd, directory] = await Promise.all([`/proc/${pid}/cwd`, pgdata].map((name) => stat(name).catch(() => undefined)));
  return cwd !== undefined && cwd.ino === directory?.ino && cwd.dev === directory.dev;
}

/** Returns a process's program and arguments, each followed by a space; empty if it has ended. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') return `${(await output('ps', ['-ww', '-o', 'args=', '-p', String(pid)])).trim()} `;
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
}

const output = (program: string, args: readonly string[]): Promise<string> =>
  promisify(execFile)(program, args).then(
    ({ stdout }) => stdout,
    () => '',
  );
