/**
 * Runs many items at once and answers item by item, in order; an Error is the answer of an item that failed alone.
 * `lane` is the number of the run among those under way side by side, from 0.
 */
type RunBatch<Item, Result> = (items: readonly Item[], lane: number) => Promise<readonly (Result | Error)[]>;

interface BatchOptions<Item, Result> {
  readonly run: RunBatch<Item, Result>;
  /** How many runs may be under way. */
  readonly lanes: number;
  /** The most items a run carries. */
  readonly most: number;
  /** The most items that wait; beyond it `full()` is thrown. */
  readonly waiting: number;
  readonly full: () => Error;
}

export interface Batcher<Item, Result> {
  /** Settles once the run that carried the item has: with its result, or with the run's error. */
  add(item: Item): Promise<Result>;
  /** How many items wait, and how many runs are under way. */
  state(): { readonly waiting: number; readonly running: number };
  /** Resolves when nothing waits and nothing is under way. */
  drain(): Promise<void>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers what arrives while earlier runs are under way, and gives each run all of it: under load many items
 * share a transaction, alone an item waits for nobody.
 */
export function createBatcher<Item, Result>({ run, lanes, most, waiting, full }: BatchOptions<Item, Result>): Batcher<Item, Result> {
  const queue: Waiting<Item, Result>[] = [];
  const free = Array.from({ length: lanes }, (_, lane) => lane);
  let scheduled = false;
  let drained: (() => void)[] = [];

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (queue.length >= waiting) return reject(full());
        queue.push({ item, resolve, reject });
        schedule();
      }),
    state: () => ({ waiting: queue.length, running: lanes - free.length }),
    drain: () => new Promise((resolve) => (isIdle() ? resolve() : drained.push(resolve))),
  };

  /** Requests that were read from the sockets in the same turn travel together. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (queue.length > 0 && free.length > 0) void start(free.shift() ?? 0, queue.splice(0, most));
    });
  }

  async function start(lane: number, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(
        batch.map(({ item }) => item),
        lane,
      );
      for (const [place, { resolve, reject }] of batch.entries()) {
        const result = results[place];
        // `run` gives one answer an item.
        if (result instanceof Error) reject(result);
        else resolve(result as Result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    free.push(lane);
    if (queue.length > 0) schedule();
    else if (isIdle()) settleDrained();
  }

  function isIdle(): boolean {
    return queue.length === 0 && free.length === lanes;
  }

  function settleDrained(): void {
    for (const resolve of drained) resolve();
    drained = [];
  }
}
