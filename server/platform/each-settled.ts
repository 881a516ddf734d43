import { throwIfAborted } from './aborted-work.ts';

/**
 * Runs `work` on each item in turn, even if some fail, then throws the first failure so that the job fails and retries what is left.
 */
export async function eachSettled<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    throwIfAborted();
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
