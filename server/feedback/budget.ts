import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { QUARTER_HOUR } from '#contract/core/time.ts';
import { FLOOD_LIMIT } from '#contract/feedback/feedback.ts';
import type { Platform } from '../platform/context.ts';
import { warnSeldom } from '../platform/log/log.ts';
import * as store from './budget-store.ts';

/** A submission's place in its network's budget. */
export interface Spending {
  readonly isBeyond: boolean;
  /** Counts the submission if it was stored as a new record, and otherwise returns its place. Call it once. */
  settle(isStored: boolean): void;
}

/**
 * How many new answers to a form each network has sent in this quarter of an hour (docs/rules.md#suspected). Counted in memory,
 * and once a second together with the other processes, so that no visitor waits for it.
 */
export interface SubmissionBudget {
  /** Takes a place for a submission. One that is sent again, even at the same moment, takes no second place. */
  spend(form: store.BudgetedForm, submission: { readonly network: string; readonly keyHash: string }): Spending;
  /** Writes down what was counted since the last time, and ends. */
  stop(): Promise<void>;
}

interface Count {
  readonly form: store.BudgetedForm;
  /** SHA-256 of form and network. */
  readonly key: string;
  /** As all processes knew it at the last exchange. */
  shared: number;
  /** Stored since then, by this one. */
  own: number;
  /** The submissions that are being stored. */
  readonly pending: Map<number, BudgetPlace>;
  /** The submissions that this process stored, until the budget is spent. */
  readonly stored: Set<number>;
}

/** A submission's place, which it keeps while it is sent many times at once. */
interface BudgetPlace {
  readonly isBeyond: boolean;
  sends: number;
}

const EXCHANGE_EVERY = 1_000;
/** How many networks are known at a time; those that were silent longest are forgotten. */
const MOST_KNOWN = 50_000;

export function openBudget({ database, pubsub, now, log }: Pick<Platform, 'database' | 'pubsub' | 'now' | 'log'>): SubmissionBudget {
  const counts = new LRUCache<string, Count>({ max: MOST_KNOWN });
  const changed = new Set<Count>();
  const warn = warnSeldom(log, 'the budgets of networks could not be exchanged');
  const timer = setInterval(() => void exchange().catch(warn), EXCHANGE_EVERY).unref();
  let quarter = 0;
  let exchanging: Promise<void> | undefined;
  return {
    spend(form, { network, keyHash }) {
      turn();
      const [count, key] = [countOf(form, network), shortOf(keyHash)];
      if (count.stored.has(key)) return UNCOUNTED;
      const place = count.pending.get(key) ?? { isBeyond: isSpent(count), sends: 0 };
      place.sends += 1;
      count.pending.set(key, place);
      return {
        isBeyond: place.isBeyond,
        settle(isStored) {
          place.sends -= 1;
          if (isStored || place.sends === 0) count.pending.delete(key);
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

  /** Every budget begins anew with the quarter of an hour. */
  function turn(): void {
    const current = Math.floor(now() / QUARTER_HOUR) * QUARTER_HOUR;
    if (current === quarter) return;
    quarter = current;
    counts.clear();
    changed.clear();
  }

  function countOf(form: store.BudgetedForm, network: string): Count {
    const name = `${form.id} ${network}`;
    const known = counts.get(name);
    if (known) return known;
    const key = createHash('sha256').update(name).digest('hex');
    const count: Count = { form, key, shared: 0, own: 0, pending: new Map(), stored: new Set() };
    counts.set(name, count);
    return count;
  }

  function add(count: Count, key: number): void {
    count.own += 1;
    changed.add(count);
    // Beyond the budget it makes no difference which submissions are sent again.
    if (count.shared + count.own < FLOOD_LIMIT) count.stored.add(key);
    else count.stored.clear();
  }

  /** One at a time: what is on its way to a slow database is not sent once more. */
  function exchange(): Promise<void> {
    exchanging ??= send().finally(() => {
      exchanging = undefined;
    });
    return exchanging;
  }

  async function send(): Promise<void> {
    const counted = quarter;
    const sent = [...changed].map((count) => ({ ...count.form, key: count.key, added: count.own, quarter, at: now() }));
    if (sent.length === 0) return;
    const exchanged = [...changed];
    changed.clear();
    try {
      const { totals, events } = await store.exchangeBudgets(database, sent);
      exchanged.forEach((count, place) => {
        count.own -= sent[place]?.added ?? 0;
        count.shared = totals.get(count.key) ?? count.shared;
      });
      pubsub.publish(events);
    } catch (error) {
      // What a quarter that is over was to be told decides nothing any more.
      if (counted === quarter) for (const count of exchanged) changed.add(count);
      throw error;
    }
  }
}

/** Of a submission that takes no place. */
export const UNCOUNTED: Spending = { isBeyond: false, settle: () => undefined };

const isSpent = ({ shared, own, pending }: Count): boolean => shared + own + pending.size >= FLOOD_LIMIT;

/** 48 bits of a hash: enough to tell a hundred apart, and small. */
const shortOf = (hash: string): number => Number.parseInt(hash.slice(0, 12), 16);
