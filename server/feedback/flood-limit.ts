import type { Platform } from '../platform/context.ts';
import { warnSeldom } from '../platform/log/log.ts';
import { type FloodCount, FloodCounts, isLimitReached } from './flood-counts.ts';
import * as store from './flood-limit-store.ts';

/** A submission's place under its network's limit. */
export interface FloodClaim {
  readonly isBeyond: boolean;
  /** Counts the submission if it was stored as a new record, and otherwise releases the claim. Call it once. */
  settle(isStored: boolean): void;
}

/**
 * Counts the new answers to a form from each network in each quarter of an hour (docs/rules.md#suspected). Counts are in memory and
 * exchanged with the other processes once a second, so that no visitor waits for them.
 */
export interface FloodLimit {
  /** Claims a place for a submission. Repeats of it, even concurrent ones, share the claim. */
  claim(form: store.LimitedForm, submission: { readonly network: string; readonly keyHash: string }): FloodClaim;
  /** Stores the counts since the last exchange, and ends. */
  stop(): Promise<void>;
}

/** How often processes exchange their counts (ms). @limit answers */
const EXCHANGE_EVERY = 1_000;

export function openFloodLimit({ database, pubsub, now, log }: Pick<Platform, 'database' | 'pubsub' | 'now' | 'log'>): FloodLimit {
  const counts = new FloodCounts();
  const warn = warnSeldom(log, 'could not exchange the counts of answers per network');
  const timer = setInterval(() => void exchange().catch(warn), EXCHANGE_EVERY).unref();
  let exchanging: Promise<void> | undefined;
  return {
    claim(form, { network, keyHash }) {
      counts.startQuarter(now());
      return claimIn(counts, counts.of(form, network), shortOf(keyHash));
    },
    async stop() {
      clearInterval(timer);
      await exchanging?.catch(warn);
      await exchange().catch(warn);
    },
  };

  /** Runs one exchange at a time, so that a slow database doesn't get the same counts twice. */
  function exchange(): Promise<void> {
    exchanging ??= exchangeChanged(counts, { database, pubsub, now }).finally(() => {
      exchanging = undefined;
    });
    return exchanging;
  }
}

function claimIn(counts: FloodCounts, count: FloodCount, key: number): FloodClaim {
  if (count.stored.includes(key)) return UNCOUNTED;
  count.pending ??= new Map();
  const submission = count.pending.get(key) ?? { isBeyond: isLimitReached(count), sends: 0 };
  submission.sends += 1;
  count.pending.set(key, submission);
  return {
    isBeyond: submission.isBeyond,
    settle(isStored) {
      submission.sends -= 1;
      if (isStored || submission.sends === 0) count.pending?.delete(key);
      if (count.pending?.size === 0) count.pending = undefined;
      if (isStored) counts.add(count, key);
    },
  };
}

/** Stores the counts that changed, and reads those of all processes. */
async function exchangeChanged(
  counts: FloodCounts,
  { database, pubsub, now }: Pick<Platform, 'database' | 'pubsub' | 'now'>,
): Promise<void> {
  const { quarter } = counts;
  const changed = counts.takeChanged();
  const sent = changed.map(({ form, key, local }) => ({ ...form, key, added: local, quarter, at: now() }));
  if (sent.length === 0) return;
  try {
    const { totals, events } = await store.exchangeCounts(database, sent);
    changed.forEach((count, index) => {
      count.local -= sent[index]?.added ?? 0;
      count.shared = totals.get(count.key) ?? count.shared;
    });
    pubsub.publish(events);
  } catch (error) {
    counts.putBack(changed, quarter);
    throw error;
  }
}

/** The claim of a submission that doesn't count toward the limit. */
export const UNCOUNTED: FloodClaim = { isBeyond: false, settle: () => undefined };

/** Returns the first 48 bits of a hash: small, and enough to distinguish a hundred submissions. */
const shortOf = (hash: string): number => Number.parseInt(hash.slice(0, 12), 16);
