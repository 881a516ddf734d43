/**
 * Works on each in turn. What fails of one keeps no other from being done: its failure, or the first, is thrown after the last, so
 * that the job is seen to fail, and tries again what is left.
 */
export async function eachApart<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
