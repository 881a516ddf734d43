/** Returns the median, the upper one of an even number. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a measurement and how it compares. */
export function line(name: string, value: string, comparison = ''): void {
  say(`  ${name.padEnd(46)}${value.padStart(16)}  ${comparison}`);
}

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en-US')}/s`;
export const milliseconds = (ms: number): string => `${ms.toFixed(2)} ms`;
export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
export const times = (ratio: number): string => `${ratio.toFixed(2)}×`;

/** Returns how often `work` is done per second by concurrent workers. */
export async function rateOf(work: (worker: number) => Promise<number>, { workers, ms }: { workers: number; ms: number }): Promise<number> {
  const started = performance.now();
  const end = started + ms;
  let done = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (performance.now() < end) {
        // Not `done += await …`, which reads the sum before waiting and loses what other workers add.
        const more = await work(worker);
        done += more;
      }
    }),
  );
  return (done / (performance.now() - started)) * 1000;
}
