interface LimiterOptions {
  /** How many run side by side. */
  readonly atOnce: number;
  /** The most that wait; beyond it `full()` is thrown. */
  readonly waiting: number;
  /** How long anybody waits (ms) before `full()` is thrown; for ever, unless it is given. */
  readonly waitTimeout?: number;
  readonly full: () => Error;
}

/** Lets a few pieces of work run at a time, in the order in which they came. */
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

  /** Resolves when work that is done hands its slot on. */
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
