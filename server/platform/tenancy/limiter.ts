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
}

export function createLimiter({ atOnce, waiting, waitTimeout, full }: LimiterOptions): Limiter {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < atOnce) running += 1;
      else await waitForSlot();
      try {
        return await work();
      } finally {
        releaseSlot();
      }
    },
  };

  /** Resolves when finished work passes on its slot. */
  function waitForSlot(): Promise<void> {
    if (queue.length >= waiting) throw full();
    return new Promise((resolve, reject) => {
      const timer = waitTimeout === undefined ? undefined : setTimeout(giveUp, waitTimeout);
      queue.push(begin);

      function begin(): void {
        clearTimeout(timer);
        resolve();
      }
      function giveUp(): void {
        queue.splice(queue.indexOf(begin), 1);
        reject(full());
      }
    });
  }

  function releaseSlot(): void {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }
}
