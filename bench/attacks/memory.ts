import { readFile } from 'node:fs/promises';

/** What the product's process holds of the machine's memory, in MB; NaN where the system does not say so under `/proc`. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1000;
}

/** The most that it holds until something is done. */
export async function peakOf(pid: number, until: Promise<unknown>): Promise<number> {
  let peak = 0;
  const look = async () => {
    peak = Math.max(peak, await memoryOf(pid));
  };
  const timer = setInterval(() => void look(), 100);
  await until;
  clearInterval(timer);
  return peak;
}
