import { LRUCache } from 'lru-cache';
import { PoolError } from '../pool/errors.ts';

const KEPT = 5_000;
/** How long a client may go on repeating a call, in milliseconds. */
const LIFE = 60_000;

/**
 * Remembers what a call was answered, so that a repetition whose first answer was lost gets it again instead of doing
 * the work twice. The key covers the whole body with its secrets: who can name it knew all that the answer rests on.
 */
export interface ReplayCache {
  once(key: Buffer, work: () => Promise<object>): Promise<object>;
}

export function createReplayCache(now: () => number): ReplayCache {
  const replays = new LRUCache<string, Promise<object>>({ max: KEPT, ttl: LIFE, ttlResolution: 0, perf: { now } });
  return {
    once(key, work) {
      const name = key.toString('base64');
      const known = replays.get(name);
      if (known) return known;
      const answer = work();
      replays.set(name, answer);
      answer.catch((error: unknown) => {
        if (!isFinal(error) && replays.peek(name) === answer) replays.delete(name);
      });
      return answer;
    },
  };
}

/** Whether trying again would get the same answer. */
const isFinal = (error: unknown): boolean => error instanceof PoolError && error.status === 400 && error.name !== 'LimitExceededException';
