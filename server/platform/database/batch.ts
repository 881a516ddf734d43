/**
 * Processes many items at once and returns one result per item, in order; an Error is the result of an item that failed alone.
 * `lane` numbers the concurrent runs, from 0.
 */
type RunBatch<Item, Result> = (items: readonly Item[], lane: number) => Promise<readonly (Result | Error)[]>;

interface BatchOptions<Item, Result> {
  readonly run: RunBatch<Item, Result>;
  /** Concurrent runs. */
  readonly lanes: number;
  /** Items per run. */
  readonly most: number;
  /** Items that may wait; beyond this `add` rejects with `full()`. */
  readonly waiting: number;
  readonly full: () => Error;
}

export interface Batcher<Item, Result> {
  /** Resolves with the item's result, or rejects with its error or the run's. */
  add(item: Item): Promise<Result>;
  /** Returns the number of waiting items and of active runs. */
  state(): { readonly waiting: number; readonly running: number };
  /** Resolves when no item waits and no run is active. */
  drain(): Promise<void>;
}

interface WaitingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects items while earlier runs are active, so that many items share a transaction under load and a single item runs at once. */
export function createBatcher<Item, Result>({ run, lanes, most, waiting, full }: BatchOptions<Item, Result>): Batcher<Item, Result> {
  const queue: WaitingItem<Item, Result>[] = [];
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

  /** Waits for the end of the event loop's turn, so that requests read from sockets in the same turn share a run. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (queue.length > 0 && free.length > 0) void start(free.shift() ?? 0, queue.splice(0, most));
    });
  }

  async function start(lane: number, batch: readonly WaitingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await run(
        batch.map(({ item }) => item),
        lane,
      );
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        // `run` returns one result per item.
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
