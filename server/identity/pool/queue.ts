interface QueueOptions {
  /** How many run side by side. */
  readonly atOnce: number;
  /** The most that wait; beyond it `full()` is thrown. */
  readonly waiting: number;
  readonly full: () => Error;
}

/** Lets a few pieces of work run at a time, in the order in which they came. */
export interface Queue {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createQueue({ atOnce, waiting, full }: QueueOptions): Queue {
  const line: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < atOnce) running += 1;
      else await turn();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };

  /** Resolves when somebody who leaves hands his place on. */
  function turn(): Promise<void> {
    if (line.length >= waiting) throw full();
    return new Promise((resolve) => line.push(resolve));
  }

  function leave(): void {
    const next = line.shift();
    if (next) next();
    else running -= 1;
  }
}
