import type { ISubscriptionItemResponse, ISubscriptionResponse, ISubscriptionTimePeriodResponse } from '@paddle/paddle-node-sdk';
import { notFound } from '../api-error.ts';
import { millisecondsOf, momentOf, nextBillingDate } from '../moments.ts';
import type { SoldItem } from '../money.ts';
import type { KeptSubscription } from '../state.ts';
import type { SandboxEventName, SandboxWorld } from '../world.ts';

export function subscriptionById({ state }: SandboxWorld, id: string): KeptSubscription {
  const kept = state.subscriptions[id];
  if (!kept) throw notFound(`Subscription ${id}`);
  return kept;
}

/** Changes a subscription and says `subscription.updated`. */
export function changeSubscription(world: SandboxWorld, kept: KeptSubscription, changes: Partial<ISubscriptionResponse>): void {
  Object.assign(kept.entity, changes, { updated_at: world.moment() });
  reportSubscription(world, 'subscription.updated', kept);
}

/** An event of a subscription. Links to manage it are never in an event; the checkout that made it is in the first. */
export function reportSubscription(world: SandboxWorld, type: SandboxEventName, { entity, transaction_id }: KeptSubscription): void {
  const { management_urls: _, ...data } = entity;
  world.report(type, type === 'subscription.created' ? { ...data, transaction_id } : data);
}

/** What is charged every cycle. */
export const recurring = ({ entity }: KeptSubscription): SoldItem[] =>
  entity.items.filter((item) => item.recurring).map(({ price, product, quantity }) => ({ price, product, quantity }));

interface ItemDates {
  readonly status: ISubscriptionItemResponse['status'];
  readonly previouslyBilledAt: string | null;
  readonly nextBilledAt: string | null;
  readonly trialDates?: ISubscriptionTimePeriodResponse | null;
}

export const newItem = (world: SandboxWorld, { price, product, quantity }: SoldItem, dates: ItemDates): ISubscriptionItemResponse => {
  const at = world.moment();
  const { status, previouslyBilledAt, nextBilledAt, trialDates = null } = dates;
  return {
    status,
    quantity,
    recurring: price.billing_cycle !== null,
    created_at: at,
    updated_at: at,
    previously_billed_at: previouslyBilledAt,
    next_billed_at: nextBilledAt,
    trial_dates: trialDates,
    price,
    product,
  };
};

/** The items of a subscription with other dates. */
export const datedItems = (
  world: SandboxWorld,
  { entity }: KeptSubscription,
  changes: Partial<ISubscriptionItemResponse>,
): ISubscriptionItemResponse[] => entity.items.map((item) => ({ ...item, ...changes, updated_at: world.moment() }));

/** The cycle that begins at `from` (UTC ms). */
export function cycleFrom({ entity, anchor }: KeptSubscription, from: number): ISubscriptionTimePeriodResponse {
  return { starts_at: momentOf(from), ends_at: momentOf(nextBillingDate(millisecondsOf(anchor), entity.billing_cycle, from)) };
}
