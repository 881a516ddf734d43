import { Semaphore, withTimeout } from 'async-mutex';

interface LimiterOptions {
  /** Concurrent runs. */
  readonly atOnce: number;
  /** Runs that may wait; beyond this `full()` is thrown. */
  readonly waiting: number;
  /** Time to wait (ms) before `full()` is thrown; unlimited by default. */
  readonly waitTimeout?: number;
  readonly full: () => Error;
}

/** Limits concurrent work, first come, first served. */
export interface Limiter {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Returns how much work runs or waits. */
  count(): number;
}

export function createLimiter({ atOnce, waiting, waitTimeout, full }: LimiterOptions): Limiter {
  const semaphore = new Semaphore(atOnce);
  const slots = waitTimeout === undefined ? semaphore : withTimeout(semaphore, waitTimeout, full());
  let count = 0;
  return {
    async run(work) {
      if (count >= atOnce + waiting) throw full();
      count += 1;
      try {
        return await slots.runExclusive(work);
      } finally {
        count -= 1;
      }
    },
    count: () => count,
  };
}
