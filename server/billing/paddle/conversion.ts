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
import type { Money } from '#contract/billing/subscription.ts';
import type { EventBody, ProviderEvent } from '../port.ts';

/* Converts Paddle's records to ours. */

/** The custom data field with the account's id. One word, because Paddle's library changes the case of others. */
export const ACCOUNT_FIELD = 'account';

type PaddleSubscription = Pick<
  SubscriptionNotification | Subscription,
  'id' | 'customerId' | 'status' | 'createdAt' | 'firstBilledAt' | 'nextBilledAt' | 'canceledAt' | 'scheduledChange' | 'items'
>;

/** Converts a subscription. Throws if a field is missing or invalid. */
function subscriptionFrom(subscription: PaddleSubscription): ProviderSubscription {
  const [item] = subscription.items;
  const trialEnds = item?.trialDates?.endsAt;
  const cancelAt = subscription.scheduledChange?.action === 'cancel' ? subscription.scheduledChange.effectiveAt : undefined;
  return v.parse(providerSubscription, {
    id: subscription.id,
    customerId: subscription.customerId,
    priceId: item?.price?.id,
    status: subscription.status,
    created: Date.parse(subscription.createdAt),
    ...timeField('firstBilledAt', subscription.firstBilledAt),
    ...timeField('nextBilledAt', subscription.nextBilledAt),
    ...timeField('trialEndsAt', subscription.status === 'trialing' ? trialEnds : undefined),
    ...timeField('cancelAt', cancelAt),
    ...timeField('canceledAt', subscription.canceledAt),
  });
}

const timeField = (name: string, text: string | null | undefined) =>
  text === null || text === undefined ? {} : { [name]: Date.parse(text) };

/** Converts a response of Paddle. It is dated by its last change, and an event of the same time takes precedence. */
export const reportFrom = (subscription: Subscription): SubscriptionReport => ({
  eventId: '',
  at: keyOf(subscription.updatedAt),
  subscription: subscriptionFrom(subscription),
});

function keyOf(text: string): string {
  const key = instantKey(text);
  if (key === undefined) throw new TypeError(`${text.slice(0, 40)} is not a date and time`);
  return key;
}

export const moneyFrom = (amount: string, currency: string): Money => ({ amount: Number(amount), currency });

const PADDLE_ID = /^[a-z]+_[a-z\d]{26}$/;

/** Converts an event. Throws if it can't be read. */
export function eventFrom(body: EventBody): ProviderEvent {
  // Paddle's library expects its own type, but reads any JSON.
  const event: EventEntity = Webhooks.fromJson(body as unknown as IEvents);
  const { eventId, eventType, occurredAt } = event;
  if (!PADDLE_ID.test(eventId)) throw new TypeError('The event has no id');
  return { eventId, type: eventType, at: keyOf(occurredAt), about: [], body, ...contentOf(event) };
}

function contentOf(event: EventEntity): Partial<ProviderEvent> {
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
      return contentOfSubscription(event.data);
    case EventName.TransactionCompleted:
    case EventName.TransactionCanceled:
      return { ...contentOfTransaction(event.data), closes: event.data.id };
    case EventName.TransactionPaymentFailed:
    case EventName.TransactionPastDue:
      return contentOfTransaction(event.data);
    case EventName.AdjustmentCreated:
    case EventName.AdjustmentUpdated:
      return contentOfAdjustment(event.data);
    case EventName.ApiKeyExpiring:
      return { notice: 'The API key expires within a week. Create a new one at Paddle and set PADDLE_API_KEY.' };
    case EventName.ApiKeyExpired:
    case EventName.ApiKeyRevoked:
      return { notice: 'An API key no longer works. If it is the one in PADDLE_API_KEY, replace it.' };
    default:
      return {};
  }
}

const contentOfSubscription = (
  subscription: SubscriptionNotification & { readonly transactionId?: string | null },
): Partial<ProviderEvent> => ({
  ...accountIn(subscription.customData),
  about: idsOf(subscription.id, subscription.transactionId),
  customerId: subscription.customerId,
  subscription: subscriptionFrom(subscription),
});

const contentOfTransaction = ({ id, subscriptionId, customerId, customData }: TransactionNotification): Partial<ProviderEvent> => ({
  ...accountIn(customData),
  about: idsOf(id, subscriptionId),
  ...(customerId !== null && { customerId }),
});

function contentOfAdjustment({ action, subscriptionId, transactionId, customerId }: AdjustmentNotification): Partial<ProviderEvent> {
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
  ids.filter((id) => typeof id === 'string' && PADDLE_ID.test(id)) as string[];

function accountIn(customData: unknown): { accountId?: string } {
  const accountId = (customData as Readonly<Record<string, unknown>> | null)?.[ACCOUNT_FIELD];
  return typeof accountId === 'string' ? { accountId } : {};
}
