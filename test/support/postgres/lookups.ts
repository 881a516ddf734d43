import pg from 'pg';
import { vi } from 'vitest';

/** Counts how often the product looks up words in the index of all accounts' texts, from now on. */
export function watchLookups() {
  const queries = vi.spyOn(pg.Client.prototype, 'query');
  return {
    count: (): number => queries.mock.calls.filter(([query]) => JSON.stringify(query).includes("set_config('role'")).length,
    stop: (): void => queries.mockRestore(),
  };
}
