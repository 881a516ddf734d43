import { LRUCache } from 'lru-cache';
import { refusal } from '#contract/errors.ts';

/** Counts what an address asked for; refuses with `too-many` beyond the limit. Of this process: a hint against floods, no proof. */
export interface RateLimit {
  take(address: string): void;
}

interface Limit {
  readonly most: number;
  /** Within so many ms. */
  readonly within: number;
}

const KEPT = 50_000;

export function openRateLimit({ most, within }: Limit): RateLimit {
  const counts = new LRUCache<string, number>({ max: KEPT, ttl: within, noUpdateTTL: true });
  return {
    take(address) {
      const count = (counts.get(address) ?? 0) + 1;
      counts.set(address, count);
      if (count > most) throw refusal('too-many', { retryAfter: Math.ceil((counts.getRemainingTTL(address) || within) / 1000) });
    },
  };
}
