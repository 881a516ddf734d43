import * as v from 'valibot';
import { DAY } from '../core/time.ts';

/* What a payment provider says of an account's subscriptions, and what follows from it. Pure: reports may come in any order, twice, or not at all. */

/** What the provider calls the states of a subscription. */
export const PROVIDER_STATUSES = ['trialing', 'active', 'past_due', 'paused', 'canceled'] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

const instant = v.pipe(v.number(), v.integer());

/** A subscription as the provider described it at a moment. Instants are UTC ms. */
export const providerSubscription = v.object({
  id: v.string(),
  customerId: v.string(),
  /** What is paid for; which plan that is stands in the settings. */
  priceId: v.string(),
  status: v.picklist(PROVIDER_STATUSES),
  /** When it was made. */
  created: instant,
  /** When something was charged for it first: its trial was over by then. */
  firstBilledAt: v.optional(instant),
  nextBilledAt: v.optional(instant),
  /** When the provider's own trial ends. */
  trialEndsAt: v.optional(instant),
  /** From when it is cancelled, where that was asked for. */
  cancelAt: v.optional(instant),
  canceledAt: v.optional(instant),
});
export type ProviderSubscription = v.InferOutput<typeof providerSubscription>;

/** Something that the provider said of a subscription. */
export interface SubscriptionReport {
  /** The provider's id of it; empty for an answer to a question of ours. */
  readonly eventId: string;
  /** When it happened, as `instantKey` writes it. */
  readonly at: string;
  readonly subscription: ProviderSubscription;
}

/** The last that was heard of one subscription. */
const heard = v.object({
  at: v.string(),
  eventId: v.string(),
  subscription: providerSubscription,
  /** When it was last heard of without a payment that is due. */
  fineAt: v.string(),
  /** When it was said since then that a payment is due, in order. */
  dueAt: v.array(v.string()),
});

/** Everything that is kept of what the provider said, by the ids of the subscriptions. */
const billingState = v.record(v.string(), heard);
export type BillingState = v.InferOutput<typeof billingState>;

export const NO_REPORTS: BillingState = {};

/** Nanoseconds of a second have nine digits. */
const FRACTION = 9;
const AN_INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/**
 * A moment that the provider wrote, such as `2026-02-20T07:30:00.33415Z`, so that later ones come after earlier ones as text.
 * The provider leaves out zeros at the end, and a `Date` would leave out all below milliseconds. Undefined where it is no moment.
 */
export function instantKey(written: string): string | undefined {
  const [, seconds, fraction = ''] = AN_INSTANT.exec(written) ?? [];
  return seconds === undefined ? undefined : `${seconds}.${fraction.padEnd(FRACTION, '0')}Z`;
}

/** The moment of an `instantKey` (UTC ms). */
export const momentOf = (key: string): number => Date.parse(`${key.slice(0, -(FRACTION - 2))}Z`);

/** What is known once this was reported, too. In whatever order reports come, and however often, the same is known in the end. */
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

const latest = (one: string, other: string): string => (one > other ? one : other);

/** Ids of events are in the order of time, too. */
function isLater(one: Pick<SubscriptionReport, 'at' | 'eventId'>, other: Pick<SubscriptionReport, 'at' | 'eventId'>): boolean {
  return one.at === other.at ? one.eventId > other.eventId : one.at > other.at;
}

/** The subscriptions that are paid for, or could be again. Where there is more than one, somebody pays twice. */
export const liveSubscriptions = (state: BillingState): ProviderSubscription[] =>
  Object.values(state)
    .map(({ subscription }) => subscription)
    .filter(({ status }) => status !== 'canceled')
    .sort(byAge);

const byAge = (one: ProviderSubscription, other: ProviderSubscription): number =>
  other.created - one.created || (other.id > one.id ? 1 : -1);

/** The subscription that counts: the newest that lives, or else the newest. One that ended never outweighs one that lives. */
export function currentSubscription(state: BillingState): ProviderSubscription | undefined {
  return (
    liveSubscriptions(state)[0] ??
    Object.values(state)
      .map(({ subscription }) => subscription)
      .sort(byAge)[0]
  );
}

/** Since when a payment for this subscription is due (UTC ms); undefined where none is. */
export function dueSince(state: BillingState, id: string): number | undefined {
  const first = Object.hasOwn(state, id) ? state[id]?.dueAt[0] : undefined;
  return first === undefined ? undefined : momentOf(first);
}

/** How long everything works on after a payment failed (ms; docs/limits.md#grace). */
export const GRACE = 14 * DAY;
