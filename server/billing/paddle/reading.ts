import {
  type AdjustmentNotification,
  type EventEntity,
  EventName,
  type IEvents,
  type Subscription,
  type SubscriptionNotification,
  type TransactionNotification,
  Webhooks,
} from '@paddle/paddle-node-sdk';
import * as v from 'valibot';
import { instantKey, type ProviderSubscription, providerSubscription, type SubscriptionReport } from '#contract/billing/billing-state.ts';
import type { EventBody, ProviderEvent } from '../port.ts';

/* From Paddle's words to ours. */

/** The field of what we make at Paddle that names the account: one word, which its library sends as it is. */
export const OURS = 'account';

type Described = Pick<
  SubscriptionNotification | Subscription,
  'id' | 'customerId' | 'status' | 'createdAt' | 'firstBilledAt' | 'nextBilledAt' | 'canceledAt' | 'scheduledChange' | 'items'
>;

/** Throws where something is missing, or is not what it should be. */
function subscriptionFrom(said: Described): ProviderSubscription {
  const [item] = said.items;
  const trialEnds = item?.trialDates?.endsAt;
  const cancelAt = said.scheduledChange?.action === 'cancel' ? said.scheduledChange.effectiveAt : undefined;
  return v.parse(providerSubscription, {
    id: said.id,
    customerId: said.customerId,
    priceId: item?.price?.id,
    status: said.status,
    created: Date.parse(said.createdAt),
    ...momentAs('firstBilledAt', said.firstBilledAt),
    ...momentAs('nextBilledAt', said.nextBilledAt),
    ...momentAs('trialEndsAt', said.status === 'trialing' ? trialEnds : undefined),
    ...momentAs('cancelAt', cancelAt),
    ...momentAs('canceledAt', said.canceledAt),
  });
}

const momentAs = (name: string, written: string | null | undefined) =>
  written === null || written === undefined ? {} : { [name]: Date.parse(written) };

/** What Paddle answered to a question of ours. It says when it changed, and an event of that moment outweighs it. */
export const reportFrom = (said: Subscription): SubscriptionReport => ({
  eventId: '',
  at: keyOf(said.updatedAt),
  subscription: subscriptionFrom(said),
});

function keyOf(written: string): string {
  const key = instantKey(written);
  if (key === undefined) throw new TypeError(`${written.slice(0, 40)} is no moment`);
  return key;
}

const AN_ID = /^[a-z]+_[a-z\d]{26}$/;

/** What an event says to us. Throws where it cannot be read. */
export function eventFrom(body: EventBody): ProviderEvent {
  // Paddle's library reads what was sent, whatever its type is.
  const event: EventEntity = Webhooks.fromJson(body as unknown as IEvents);
  const { eventId, eventType, occurredAt } = event;
  if (!AN_ID.test(eventId)) throw new TypeError('The event has no id');
  return { eventId, type: eventType, at: keyOf(occurredAt), about: [], body, ...saidBy(event) };
}

function saidBy(event: EventEntity): Partial<ProviderEvent> {
  switch (event.eventType) {
    case EventName.SubscriptionCreated:
    case EventName.SubscriptionTrialing:
    case EventName.SubscriptionActivated:
    case EventName.SubscriptionUpdated:
    case EventName.SubscriptionPastDue:
    case EventName.SubscriptionPaused:
    case EventName.SubscriptionResumed:
    case EventName.SubscriptionCanceled:
    case EventName.SubscriptionImported:
      return saidOfSubscription(event.data);
    case EventName.TransactionCompleted:
    case EventName.TransactionCanceled:
      return { ...saidOfTransaction(event.data), closes: event.data.id };
    case EventName.TransactionPaymentFailed:
    case EventName.TransactionPastDue:
      return saidOfTransaction(event.data);
    case EventName.AdjustmentCreated:
    case EventName.AdjustmentUpdated:
      return saidOfAdjustment(event.data);
    case EventName.ApiKeyExpiring:
      return { notice: 'The API key expires within a week. Create a new one at Paddle and set PADDLE_API_KEY.' };
    case EventName.ApiKeyExpired:
    case EventName.ApiKeyRevoked:
      return { notice: 'An API key no longer works. If it is the one in PADDLE_API_KEY, replace it.' };
    default:
      return {};
  }
}

const saidOfSubscription = (said: SubscriptionNotification & { readonly transactionId?: string | null }): Partial<ProviderEvent> => ({
  ...accountIn(said.customData),
  about: idsOf(said.id, said.transactionId),
  customerId: said.customerId,
  subscription: subscriptionFrom(said),
});

const saidOfTransaction = ({ id, subscriptionId, customerId, customData }: TransactionNotification): Partial<ProviderEvent> => ({
  ...accountIn(customData),
  about: idsOf(id, subscriptionId),
  ...(customerId !== null && { customerId }),
});

function saidOfAdjustment({ action, subscriptionId, transactionId, customerId }: AdjustmentNotification): Partial<ProviderEvent> {
  const isDispute = action.startsWith('chargeback');
  return {
    about: idsOf(transactionId, subscriptionId),
    customerId,
    ...(isDispute && {
      notice: `The payer of ${transactionId} asked their bank for a refund (${action.replaceAll('_', ' ')}).`,
    }),
  };
}

const idsOf = (...ids: readonly (string | null | undefined)[]): string[] =>
  ids.filter((id) => typeof id === 'string' && AN_ID.test(id)) as string[];

function accountIn(customData: unknown): { accountId?: string } {
  const named = (customData as Readonly<Record<string, unknown>> | null)?.[OURS];
  return typeof named === 'string' ? { accountId: named } : {};
}
