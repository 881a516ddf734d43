import { LRUCache } from 'lru-cache';
import { refusal } from '#contract/core/errors.ts';
import { createLimiter, type Limiter } from './limiter.ts';

/** Limits how much of a shared resource each group uses at a time. */
export interface FairQueue {
  /** Runs `work` once the member's group has a free slot. Refuses if that takes too long or too many wait. */
  run<T>(member: string, work: () => Promise<T>): Promise<T>;
  /** Counts the member's work toward the group from now on. */
  join(member: string, group: string): void;
  /**
   * Looks up a new member's group and joins it. All lookups share one group, so that many new members of one group don't each
   * start with slots of their own.
   */
  introduce(member: string, findGroup: () => Promise<string | undefined>): Promise<void>;
  /** Returns how much work waits for a slot. */
  waiting(): number;
}

interface FairQueueLimits {
  /** Slots per group. */
  readonly most: number;
  /** How much of a group may wait. */
  readonly waiting: number;
  /** For how long (ms). */
  readonly patience: number;
}

/** Opens a queue in which a heavy caller waits behind its own requests and no one else is affected. */
export function openFairQueue({ most, waiting, patience }: FairQueueLimits): FairQueue {
  const queues = new Map<string, Limiter>();
  const groups = new LRUCache<string, string>({ max: MOST_MEMBERS });
  const introductions = new Map<string, Promise<void>>();
  return {
    join,
    waiting: () => [...queues.values()].reduce((all, { count }) => all + Math.max(0, count() - most), 0),
    run: (member, work) => runIn(groups.get(member) ?? member, work),
    async introduce(member, findGroup) {
      if (groups.has(member)) return;
      const introduction = introductions.get(member) ?? joinGroup(member, findGroup);
      introductions.set(member, introduction);
      await introduction;
    },
  };

  function join(member: string, group: string): void {
    groups.set(member, group);
  }

  async function joinGroup(member: string, findGroup: () => Promise<string | undefined>): Promise<void> {
    try {
      const group = await runIn(NEWCOMERS, findGroup);
      if (group !== undefined) join(member, group);
    } finally {
      introductions.delete(member);
    }
  }

  async function runIn<T>(group: string, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(group) ?? createLimiter({ atOnce: most, waiting, waitTimeout: patience, full: overloaded });
    queues.set(group, queue);
    try {
      return await queue.run(work);
    } finally {
      if (queue.count() === 0) queues.delete(group);
    }
  }
}

/**
 * Opens a queue of work that keeps a processor busy, such as searches: an account runs one piece at a time, and more wait (ms).
 * @limit reading-turns
 */
export const openTurns = (): FairQueue => openFairQueue({ most: 1, waiting: 20, patience: 2_000 });

/** Members beyond this are dropped and looked up again. */
const MOST_MEMBERS = 10_000;
const NEWCOMERS = 'newcomers';

const overloaded = () => refusal('overloaded', { retryAfter: 1 });
