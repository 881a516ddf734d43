import { readFile } from 'node:fs/promises';

/** Returns the resident memory of the product's process (MB), or NaN on systems without `/proc`. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1000;
}

/** Returns the peak until a promise resolves (MB). */
export async function peakOf(pid: number, until: Promise<unknown>): Promise<number> {
  let peak = 0;
  const sample = async () => {
    peak = Math.max(peak, await memoryOf(pid));
  };
  const timer = setInterval(() => void sample(), 100);
  await until;
  clearInterval(timer);
  return peak;
}
