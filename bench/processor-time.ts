import { readdirSync, readFileSync } from 'node:fs';

/** Returns the processor time of a process and its children since they started, user and system, in ms; NaN where there is no /proc. */
export function processorTimeOf(pid: number): number {
  try {
    const processes = readdirSync('/proc').flatMap(readProcess);
    const family = processes.filter(({ id, parent }) => id === pid || parent === pid);
    return family.reduce((sum, { time }) => sum + time, 0);
  } catch {
    return Number.NaN;
  }
}

interface ProcessStat {
  readonly id: number;
  readonly parent: number;
  readonly time: number;
}

/** One tick of the clock in /proc, on every Linux (ms). */
const TICK = 10;

/** Returns the process of a name in /proc; nothing for other names, or if it has ended. */
function readProcess(name: string): ProcessStat[] {
  const id = Number(name);
  if (!Number.isInteger(id)) return [];
  try {
    // The name in parentheses may contain spaces.
    const [, rest = ''] = readFileSync(`/proc/${id}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
    const fields = rest.split(' ').map(Number);
    const [parent = 0, user = 0, system = 0] = [fields[1], fields[11], fields[12]];
    return [{ id, parent, time: (user + system) * TICK }];
  } catch {
    return [];
  }
}
