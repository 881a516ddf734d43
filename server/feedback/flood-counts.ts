import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { QUARTER_HOUR } from '#contract/core/time.ts';
import { FLOOD_LIMIT } from '#contract/feedback/feedback.ts';
import type { LimitedForm } from './flood-limit-store.ts';

/** The answers to a form from one network. */
export interface FloodCount {
  readonly form: LimitedForm;
  /** SHA-256 of form and network. */
  readonly key: string;
  /** Start of its quarter of an hour (UTC ms). */
  readonly quarter: number;
  /** The count of all processes at the last exchange. */
  shared: number;
  /** Stored by this process since that exchange. */
  local: number;
  /** Submissions that are being stored, if any. */
  pending: Map<number, PendingSubmission> | undefined;
  /** Submissions that this process stored; empty once the limit is reached. An array, because most networks send one. */
  stored: number[];
}

interface PendingSubmission {
  readonly isBeyond: boolean;
  /** How many requests are sending it now. */
  sends: number;
}

/** At most this many counts are in memory; the least recently used is dropped. */
const MOST_COUNTS = 50_000;

/** This process's counts in the current quarter of an hour. */
export class FloodCounts {
  readonly #counts = new LRUCache<string, FloodCount>({ max: MOST_COUNTS });
  /** By key, so that an exchange has one count per network. */
  readonly #changed = new Map<string, FloodCount>();
  #quarter = 0;

  get quarter(): number {
    return this.#quarter;
  }

  /** Resets every count at the start of a quarter of an hour. */
  startQuarter(now: number): void {
    const current = Math.floor(now / QUARTER_HOUR) * QUARTER_HOUR;
    if (current === this.#quarter) return;
    this.#quarter = current;
    this.#counts.clear();
    this.#changed.clear();
  }

  of(form: LimitedForm, network: string): FloodCount {
    const name = `${form.id} ${network}`;
    const existing = this.#counts.get(name);
    if (existing) return existing;
    const key = hash('sha256', name);
    // A count that was dropped from memory may not have been exchanged yet.
    const count = this.#changed.get(key) ?? { form, key, quarter: this.#quarter, shared: 0, local: 0, pending: undefined, stored: [] };
    this.#counts.set(name, count);
    return count;
  }

  /** Counts a stored submission, unless its quarter ended while it was being stored. */
  add(count: FloodCount, submission: number): void {
    if (count.quarter !== this.#quarter) return;
    count.local += 1;
    this.#markChanged(count);
    // Beyond the limit, repeats no longer matter.
    if (count.shared + count.local < FLOOD_LIMIT) count.stored.push(submission);
    else count.stored = [];
  }

  /** Returns the counts that changed since the last call. */
  takeChanged(): readonly FloodCount[] {
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    return changed;
  }

  /** Marks counts of a quarter as changed again. Those of a quarter that has ended are no longer needed. */
  putBack(counts: readonly FloodCount[], quarter: number): void {
    if (quarter === this.#quarter) for (const count of counts) this.#markChanged(count);
  }

  #markChanged(count: FloodCount): void {
    const newer = this.#changed.get(count.key);
    if (newer && newer !== count) newer.local += count.local;
    else this.#changed.set(count.key, count);
  }
}

export const isLimitReached = ({ shared, local, pending }: FloodCount): boolean => shared + local + (pending?.size ?? 0) >= FLOOD_LIMIT;
