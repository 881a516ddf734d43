interface LimiterOptions {
  /** How many run side by side. */
  readonly atOnce: number;
  /** The most that wait; beyond it `full()` is thrown. */
  readonly waiting: number;
  readonly full: () => Error;
}

/** Lets a few pieces of work run at a time, in the order in which they came. */
export interface Limiter {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createLimiter({ atOnce, waiting, full }: LimiterOptions): Limiter {
  const waitingWork: (() => void)[] = [];
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
    if (waitingWork.length >= waiting) throw full();
    return new Promise((resolve) => waitingWork.push(resolve));
  }

  function releaseSlot(): void {
    const next = waitingWork.shift();
    if (next) next();
    else running -= 1;
  }
}
