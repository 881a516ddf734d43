import * as v from 'valibot';
import { DAY } from '../core/time.ts';

/* The state of an account's subscriptions, from the payment provider's reports, which may arrive in any order, twice, or not at all. */

/** The provider's names for the states of a subscription. */
export const PROVIDER_STATUSES = ['trialing', 'active', 'past_due', 'paused', 'canceled'] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

const instant = v.pipe(v.number(), v.integer());

/** A subscription as the provider reported it at a moment. Times are UTC ms. */
export const providerSubscription = v.object({
  id: v.string(),
  customerId: v.string(),
  /** The settings map it to a plan. */
  priceId: v.string(),
  status: v.picklist(PROVIDER_STATUSES),
  created: instant,
  /** The first charge; its trial was over by then. */
  firstBilledAt: v.optional(instant),
  nextBilledAt: v.optional(instant),
  /** The end of the provider's own trial. */
  trialEndsAt: v.optional(instant),
  /** When a requested cancellation takes effect. */
  cancelAt: v.optional(instant),
  canceledAt: v.optional(instant),
});
export type ProviderSubscription = v.InferOutput<typeof providerSubscription>;

/** The provider's report on a subscription. */
export interface SubscriptionReport {
  /** The provider's event id; empty for the response to a request of ours. */
  readonly eventId: string;
  /** When it happened, in the format of `instantKey`. */
  readonly at: string;
  readonly subscription: ProviderSubscription;
}

/** The latest report on one subscription. */
const latestReport = v.object({
  at: v.string(),
  eventId: v.string(),
  subscription: providerSubscription,
  /** The time of the last report without a payment due. */
  fineAt: v.string(),
  /** The times of later reports with a payment due, in order. */
  dueAt: v.array(v.string()),
});

/** The stored reports, by subscription id. */
const billingState = v.record(v.string(), latestReport);
export type BillingState = v.InferOutput<typeof billingState>;

export const NO_REPORTS: BillingState = {};

/** The digits of a second's nanoseconds. */
const FRACTION = 9;
const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/**
 * Returns a timestamp of the provider, such as `2026-02-20T07:30:00.33415Z`, padded so that timestamps sort by time as text; undefined
 * if it isn't one. The provider omits trailing zeros, and a `Date` would drop everything below milliseconds.
 */
export function instantKey(timestamp: string): string | undefined {
  const [, seconds, fraction = ''] = TIMESTAMP.exec(timestamp) ?? [];
  return seconds === undefined ? undefined : `${seconds}.${fraction.padEnd(FRACTION, '0')}Z`;
}

/** Returns the moment of an `instantKey` (UTC ms). */
export const momentOf = (key: string): number => Date.parse(`${key.slice(0, -(FRACTION - 2))}Z`);

/** Returns the state after one more report. The result doesn't depend on the order of the reports, or on how often each arrives. */
export function withReport(state: BillingState, report: SubscriptionReport): BillingState {
  const { id } = report.subscription;
  const before = Object.hasOwn(state, id) ? state[id] : undefined;
  const isNewer = !before || isLater(report, before);
  const { at, eventId, subscription } = isNewer ? report : before;
  const isDue = report.subscription.status === 'past_due';
  const fineAt = latest(before?.fineAt ?? '', isDue ? '' : report.at);
  const dueAt = [...new Set([...(before?.dueAt ?? []), ...(isDue ? [report.at] : [])])].filter((due) => due > fineAt).sort();
  return { ...state, [id]: { at, eventId, subscription, fineAt, dueAt } };
}

const latest = (a: string, b: string): string => (a > b ? a : b);

/** Returns whether one report is later than another. Event ids also sort by time. */
function isLater(a: Pick<SubscriptionReport, 'at' | 'eventId'>, b: Pick<SubscriptionReport, 'at' | 'eventId'>): boolean {
  return a.at === b.at ? a.eventId > b.eventId : a.at > b.at;
}

/** Returns the subscriptions that aren't canceled, newest first. If there is more than one, someone pays twice. */
export const liveSubscriptions = (state: BillingState): ProviderSubscription[] =>
  Object.values(state)
    .map(({ subscription }) => subscription)
    .filter(({ status }) => status !== 'canceled')
    .sort(newestFirst);

const newestFirst = (a: ProviderSubscription, b: ProviderSubscription): number => b.created - a.created || (b.id > a.id ? 1 : -1);

/** Returns the newest live subscription, or else the newest: an ended one never outweighs a live one. */
export function currentSubscription(state: BillingState): ProviderSubscription | undefined {
  return (
    liveSubscriptions(state)[0] ??
    Object.values(state)
      .map(({ subscription }) => subscription)
      .sort(newestFirst)[0]
  );
}

/** Returns since when a payment for a subscription is due (UTC ms); undefined if none is. */
export function dueSince(state: BillingState, id: string): number | undefined {
  const first = Object.hasOwn(state, id) ? state[id]?.dueAt[0] : undefined;
  return first === undefined ? undefined : momentOf(first);
}

/** How long everything keeps working after a failed payment (ms). @limit grace */
export const GRACE = 14 * DAY;
