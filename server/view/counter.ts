import { refusal } from '#contract/core/errors.ts';
import type { PublicForm } from '../form/store.ts';
import type { Platform } from '../platform/context.ts';
import { createBatcher } from '../platform/database/batch.ts';
import { add, type Opening } from './store.ts';

/** Counts openings of forms. Those of many visitors share a transaction. */
export interface ViewCounter {
  /** Resolves once the opening is on disk. */
  count(target: PublicForm): Promise<void>;
  drain(): Promise<void>;
}

/** Openings that one statement counts, and that wait. @limit openings */
const MOST_OPENINGS = 2_000;
const MOST_WAITING = 20_000;

export function openViewCounter({ database, now }: Pick<Platform, 'database' | 'now'>): ViewCounter {
  const batcher = createBatcher<Opening, void>({
    lanes: 1,
    most: MOST_OPENINGS,
    waiting: MOST_WAITING,
    full: () => refusal('overloaded', { retryAfter: 2 }),
    run: async (openings) => {
      await add(database, openings);
      return openings.map(() => undefined);
    },
  });
  return {
    count: ({ accountId, form }) => batcher.add({ accountId, propertyId: form.data.propertyId, formId: form.id, at: now() }),
    drain: () => batcher.drain(),
  };
}
