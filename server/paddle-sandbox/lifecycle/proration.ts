import type { ISubscriptionTimePeriodResponse, ITimePeriod, ProrationBillingMode } from '@paddle/paddle-node-sdk';
import { addCycles, millisecondsOf, momentOf } from '../moments.ts';
import { costOf, type SoldItem, sumOf } from '../money.ts';

/* What a change of items comes to: by the share of the period that is left. */

interface ItemChange {
  readonly before: readonly SoldItem[];
  readonly after: readonly SoldItem[];
  readonly mode: ProrationBillingMode;
  /** The current period; null where there is none. */
  readonly period: ISubscriptionTimePeriodResponse | null;
  readonly cycle: { readonly before: ITimePeriod; readonly after: ITimePeriod };
  /** UTC ms. */
  readonly now: number;
}

/** Amounts in minor units. */
export interface Proration {
  /** The share of its price that each new item is charged for now or next time. */
  readonly rate: number;
  readonly charged: readonly { readonly item: SoldItem; readonly amount: number }[];
  readonly charge: number;
  /** What was paid for the items before and not used. */
  readonly credit: number;
  /** When it is charged; undefined: never. */
  readonly billed: 'immediately' | 'next_billing_period' | undefined;
  /** A period that begins now, because the length of a cycle changes and is billed at once. */
  readonly newPeriod: ISubscriptionTimePeriodResponse | undefined;
}

/**
 * The charge for the new items and the credit for the old ones. Within cycles of one length both are for the rest of the period. Where the
 * length changes and is billed at once, a period begins with the full price; billed later, the period goes on to its end and nothing is
 * counted out.
 */
export function prorate({ before, after, mode, period, cycle, now }: ItemChange): Proration {
  const billed = mode === 'do_not_bill' ? undefined : mode.endsWith('_immediately') ? 'immediately' : 'next_billing_period';
  const hasNewLength = cycle.before.interval !== cycle.after.interval || cycle.before.frequency !== cycle.after.frequency;
  const isRestarted = hasNewLength && billed === 'immediately';
  const isCounted = billed !== undefined && (!hasNewLength || isRestarted);
  const share = shareLeft(period, now);
  const rate = !isCounted ? 0 : isRestarted || mode.startsWith('full_') ? 1 : share;
  const charged = without(after, hasNewLength ? [] : before).map((item) => ({ item, amount: Math.round(costOf(item) * rate) }));
  const gone = without(before, hasNewLength ? [] : after);
  const credit = isCounted && mode.startsWith('prorated_') ? sumOf(gone.map((item) => Math.round(costOf(item) * share))) : 0;
  return {
    rate,
    charged,
    charge: sumOf(charged.map(({ amount }) => amount)),
    credit,
    billed,
    newPeriod: isRestarted ? { starts_at: momentOf(now), ends_at: momentOf(addCycles(now, cycle.after)) } : undefined,
  };
}

/** How much of a period is left, 0 to 1. */
function shareLeft(period: ISubscriptionTimePeriodResponse | null, now: number): number {
  if (!period) return 0;
  const [start, end] = [millisecondsOf(period.starts_at), millisecondsOf(period.ends_at)];
  return Math.min(1, Math.max(0, (end - now) / (end - start)));
}

const without = (items: readonly SoldItem[], others: readonly SoldItem[]): SoldItem[] =>
  items.filter((item) => !others.some((other) => other.price.id === item.price.id && other.quantity === item.quantity));
