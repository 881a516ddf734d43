/** Middle value; of an even number the upper middle. */
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

/** One line: what was measured, and how it compares. */
export function line(name: string, value: string, comparison = ''): void {
  say(`  ${name.padEnd(46)}${value.padStart(16)}  ${comparison}`);
}

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en-US')}/s`;
export const milliseconds = (ms: number): string => `${ms.toFixed(2)} ms`;
export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
export const times = (ratio: number): string => `${ratio.toFixed(2)}×`;

/** How often `work` is done in a second by so many workers side by side. */
export async function rateOf(work: (worker: number) => Promise<number>, { workers, ms }: { workers: number; ms: number }): Promise<number> {
  const started = performance.now();
  const end = started + ms;
  let done = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (performance.now() < end) {
        // Not `done += await …`: that reads the sum before it waits, and loses what others add meanwhile.
        const more = await work(worker);
        done += more;
      }
    }),
  );
  return (done / (performance.now() - started)) * 1000;
}
