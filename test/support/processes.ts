import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Ends a process and all that it has started, and they, at once: as a power cut would. Linux only. PostgreSQL's processes
 * are no group, so each is stopped before its children are looked for.
 */
export async function killTree(root: number): Promise<void> {
  const family = [root];
  // Grows while it is walked.
  for (const pid of family) {
    signal(pid, 'SIGSTOP');
    family.push(...(await childrenOf(pid)));
  }
  for (const pid of family) signal(pid, 'SIGKILL');
  for (const pid of family) while (await isRunning(pid)) await sleep(2);
}

/** The processes that a process has started and that still run. */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(async (pid) => (await statOf(pid))?.parent));
  return pids.filter((_, place) => parents[place] === parent);
}

/** A zombie is gone: only its parent has not asked yet. */
export const isRunning = async (pid: number): Promise<boolean> => !['Z', 'X', undefined].includes((await statOf(pid))?.state);

async function statOf(pid: number): Promise<{ state: string | undefined; parent: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The name in brackets may have anything in it.
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent) };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
