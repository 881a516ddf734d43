import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Whether a process has this number, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is the postmaster of the data directory: numbers are given again, so a living one proves nothing. */
export async function isPostmasterOf(pgdata: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return (await output('tasklist', ['/NH', '/FI', `PID eq ${pid}`])).includes('postgres.exe');
  const command = await commandOf(pid);
  if (command.includes(`/postgres -D ${pgdata} `)) return true;
  return command.includes('/postgres -D ') && (await worksIn(pgdata, pid));
}

/**
 * Linux only: children of a killed postmaster that have not noticed yet. They keep a new server from starting.
 * Empty where the system does not let us see the processes of others.
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
  const [theirs, ours] = await Promise.all([`/proc/${pid}/cwd`, pgdata].map((name) => stat(name).catch(() => undefined)));
  return theirs !== undefined && theirs.ino === ours?.ino && theirs.dev === ours.dev;
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
