import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { QUARTER_HOUR } from '#contract/core/time.ts';
import { FLOOD_LIMIT } from '#contract/feedback/feedback.ts';
import type { Platform } from '../platform/context.ts';
import { warnSeldom } from '../platform/log/log.ts';
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

interface Count {
  readonly form: store.LimitedForm;
  /** SHA-256 of form and network. */
  readonly key: string;
  /** The count of all processes at the last exchange. */
  shared: number;
  /** Stored by this process since then. */
  local: number;
  /** Submissions that are being stored. */
  readonly pending: Map<number, PendingSubmission>;
  /** Submissions that this process stored; empty once the limit is reached. */
  readonly stored: Set<number>;
}

interface PendingSubmission {
  readonly isBeyond: boolean;
  /** How many requests are sending it now. */
  sends: number;
}

const EXCHANGE_EVERY = 1_000;
/** At most this many counts are in memory; the least recently used is dropped. */
const MOST_COUNTS = 50_000;

export function openFloodLimit({ database, pubsub, now, log }: Pick<Platform, 'database' | 'pubsub' | 'now' | 'log'>): FloodLimit {
  const counts = new LRUCache<string, Count>({ max: MOST_COUNTS });
  const changed = new Set<Count>();
  const warn = warnSeldom(log, 'could not exchange the counts of answers per network');
  const timer = setInterval(() => void exchange().catch(warn), EXCHANGE_EVERY).unref();
  let quarter = 0;
  let exchanging: Promise<void> | undefined;
  return {
    claim(form, { network, keyHash }) {
      startQuarter();
      const [count, key] = [countOf(form, network), shortOf(keyHash)];
      if (count.stored.has(key)) return UNCOUNTED;
      const submission = count.pending.get(key) ?? { isBeyond: isLimitReached(count), sends: 0 };
      submission.sends += 1;
      count.pending.set(key, submission);
      return {
        isBeyond: submission.isBeyond,
        settle(isStored) {
          submission.sends -= 1;
          if (isStored || submission.sends === 0) count.pending.delete(key);
          if (isStored) add(count, key);
        },
      };
    },
    async stop() {
      clearInterval(timer);
      await exchanging?.catch(warn);
      await exchange().catch(warn);
    },
  };

  /** Resets every count at the start of a quarter of an hour. */
  function startQuarter(): void {
    const current = Math.floor(now() / QUARTER_HOUR) * QUARTER_HOUR;
    if (current === quarter) return;
    quarter = current;
    counts.clear();
    changed.clear();
  }

  function countOf(form: store.LimitedForm, network: string): Count {
    const name = `${form.id} ${network}`;
    const existing = counts.get(name);
    if (existing) return existing;
    const key = createHash('sha256').update(name).digest('hex');
    const count: Count = { form, key, shared: 0, local: 0, pending: new Map(), stored: new Set() };
    counts.set(name, count);
    return count;
  }

  function add(count: Count, key: number): void {
    count.local += 1;
    changed.add(count);
    // Beyond the limit, repeats no longer matter.
    if (count.shared + count.local < FLOOD_LIMIT) count.stored.add(key);
    else count.stored.clear();
  }

  /** Runs one exchange at a time, so that a slow database doesn't get the same counts twice. */
  function exchange(): Promise<void> {
    exchanging ??= send().finally(() => {
      exchanging = undefined;
    });
    return exchanging;
  }

  async function send(): Promise<void> {
    const sentQuarter = quarter;
    const sent = [...changed].map((count) => ({ ...count.form, key: count.key, added: count.local, quarter, at: now() }));
    if (sent.length === 0) return;
    const exchanged = [...changed];
    changed.clear();
    try {
      const { totals, events } = await store.exchangeCounts(database, sent);
      exchanged.forEach((count, index) => {
        count.local -= sent[index]?.added ?? 0;
        count.shared = totals.get(count.key) ?? count.shared;
      });
      pubsub.publish(events);
    } catch (error) {
      // Counts of a quarter that has ended are no longer needed.
      if (sentQuarter === quarter) for (const count of exchanged) changed.add(count);
      throw error;
    }
  }
}

/** The claim of a submission that doesn't count toward the limit. */
export const UNCOUNTED: FloodClaim = { isBeyond: false, settle: () => undefined };

const isLimitReached = ({ shared, local, pending }: Count): boolean => shared + local + pending.size >= FLOOD_LIMIT;

/** Returns the first 48 bits of a hash: small, and enough to distinguish a hundred submissions. */
const shortOf = (hash: string): number => Number.parseInt(hash.slice(0, 12), 16);
