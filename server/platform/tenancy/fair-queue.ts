import { Semaphore, withTimeout } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import { refusal } from '#contract/core/errors.ts';

/** Something that many use, and of which each may have a part at a time. */
export interface Shares {
  /** Runs `work` once `who` holds less than a share. Refuses where that takes too long, or too many wait. */
  take<T>(who: string, work: () => Promise<T>): Promise<T>;
  /** From now on what `member` takes is of `group`'s share. */
  join(member: string, group: string): void;
  /**
   * Resolves once it is known whose share a member takes of: those who are new are asked for together, within a share that
   * they have in common, so that many new members of one group do not each begin with a share of their own.
   */
  introduce(member: string, findGroup: () => Promise<string | undefined>): Promise<void>;
  /** How much waits for its own share. */
  waiting(): number;
}

interface ShareLimits {
  /** How much one may hold at a time. */
  readonly most: number;
  /** How many of one may wait. */
  readonly waiting: number;
  /** For how long (ms). */
  readonly patience: number;
}

/** Whoever asks for much waits behind their own, and the others do not notice. */
export function openShares({ most, waiting, patience }: ShareLimits): Shares {
  const holders = new Map<string, Holder>();
  const groups = new LRUCache<string, string>({ max: MOST_MEMBERS });
  const introductions = new Map<string, Promise<void>>();
  return {
    join,
    waiting: () => [...holders.values()].reduce((all, { count }) => all + Math.max(0, count - most), 0),
    take: (member, work) => takeOf(groups.get(member) ?? member, work),
    async introduce(member, findGroup) {
      if (groups.has(member)) return;
      const introduction = introductions.get(member) ?? findTogether(member, findGroup);
      introductions.set(member, introduction);
      await introduction;
    },
  };

  function join(member: string, group: string): void {
    groups.set(member, group);
  }

  async function findTogether(member: string, findGroup: () => Promise<string | undefined>): Promise<void> {
    try {
      const group = await takeOf(NEWCOMERS, findGroup);
      if (group !== undefined) join(member, group);
    } finally {
      introductions.delete(member);
    }
  }

  async function takeOf<T>(who: string, work: () => Promise<T>): Promise<T> {
    const holder = holders.get(who) ?? newHolder();
    if (holder.count >= most + waiting) throw holder.refusal;
    holders.set(who, holder);
    holder.count += 1;
    try {
      return await holder.turns.runExclusive(work);
    } finally {
      holder.count -= 1;
      if (holder.count === 0) holders.delete(who);
    }
  }

  function newHolder(): Holder {
    const no = refusal('overloaded', { retryAfter: 1 });
    return { turns: withTimeout(new Semaphore(most), patience, no), count: 0, refusal: no };
  }
}

/** A member who is not remembered is introduced again. */
const MOST_MEMBERS = 10_000;
const NEWCOMERS = 'newcomers';

interface Holder {
  readonly turns: Pick<Semaphore, 'runExclusive'>;
  /** How many hold a part or wait for one. */
  count: number;
  readonly refusal: Error;
}
