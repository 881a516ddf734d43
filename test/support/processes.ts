import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Kills a process and all its descendants at once, as a power cut would. Linux only. */
export async function killTree(root: number): Promise<void> {
  const pids = await freezeTree(root);
  for (const pid of pids) signal(pid, 'SIGKILL');
  for (const pid of pids) while (await isRunning(pid)) await sleep(2);
}

/**
 * Stops a process and all its descendants, whose connections stay open without an answer, and returns their ids. Linux only.
 * PostgreSQL's processes form no group, so each is stopped before its children are listed.
 */
export async function freezeTree(root: number): Promise<number[]> {
  const pids = [root];
  // The array grows during the loop.
  for (const pid of pids) {
    signal(pid, 'SIGSTOP');
    pids.push(...(await childrenOf(pid)));
  }
  return pids;
}

/** Kills a child process of this one like `killTree`, unless it has exited. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasExited(child)) return;
  const exit = once(child, 'exit');
  await killTree(child.pid);
  await exit;
}

export const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Returns the ids of a process's running children. */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(async (pid) => (await statOf(pid))?.parent));
  return pids.filter((_, index) => parents[index] === parent);
}

/** Returns whether a process runs; a zombie has ended, and only waits for its parent to read its status. */
export const isRunning = async (pid: number): Promise<boolean> => !['Z', 'X', undefined].includes((await statOf(pid))?.state);

async function statOf(pid: number): Promise<{ state: string | undefined; parent: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The name in parentheses may contain any character.
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent) };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
