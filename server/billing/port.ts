import type { PaymentFrequency, Plan } from '#contract/billing/billing.ts';
import type { ProviderSubscription, SubscriptionReport } from '#contract/billing/billing-state.ts';
import type { Payment, PlanPreview } from '#contract/billing/subscription.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';

/* The port to a payment provider. Nothing specific to a provider leaves its implementation, except the ids of its records. */

/** A paid plan and how often it is billed. */
export interface Choice {
  readonly plan: Plan;
  readonly paymentFrequency: PaymentFrequency;
}

/** A price at the provider. */
export interface Price extends Choice {
  readonly id: string;
  /** Whether it begins with a free trial: the rest of ours. */
  readonly hasTrial: boolean;
}

/** A checkout that isn't paid yet. Times are UTC ms. */
export interface OpenCheckout extends Choice {
  /** When it was requested. */
  readonly asked: number;
  readonly hasTrial: boolean;
  /** Undefined while it is being created. */
  readonly transactionId?: string | undefined;
}

/** An event as the provider sends it: JSON. */
export type EventBody = Readonly<Record<string, unknown>>;

/** An event of the provider, converted. */
export interface ProviderEvent {
  readonly eventId: string;
  readonly type: string;
  /** When it happened, as `instantKey` writes it. */
  readonly at: string;
  /** The account id that we stored with the provider's record. */
  readonly accountId?: string | undefined;
  /** Ids of the provider's records that it concerns, each of which belongs to one account. */
  readonly about: readonly string[];
  /** The payer. One customer may buy for several accounts. */
  readonly customerId?: string | undefined;
  /** The subscription's state. */
  readonly subscription?: ProviderSubscription | undefined;
  /** A transaction that was paid or canceled. */
  readonly closes?: string | undefined;
  /** A sentence for operators. */
  readonly notice?: string | undefined;
  readonly body: EventBody;
}

/** The buyer, to whom the provider writes. */
export interface Customer {
  readonly email: string;
  readonly name: string;
  /** The provider's id, if the account has bought before. */
  readonly id?: string | undefined;
}

/** A payment provider. Its functions call it over the network, so call none in a transaction. They refuse `payments-away`, `payment-declined` or `conflict`. */
export interface PaymentProvider {
  readonly kind: Exclude<PublicConfig['billing']['kind'], 'none'>;
  readonly checkout: NonNullable<PublicConfig['billing']['checkout']>;
  /** Returns a price, or undefined if it isn't in the settings. */
  priceOf(id: string): Price | undefined;
  startCheckout(purchase: Choice & { readonly hasTrial: boolean; readonly accountId: string; readonly customer: Customer }): Promise<{
    readonly transactionId: string;
    readonly customerId: string;
  }>;
  /** Cancels an unpaid checkout. Returns false if it has been paid. */
  cancelCheckout(transactionId: string): Promise<boolean>;
  /** Returns true if a checkout can still be paid. */
  isOpen(transactionId: string): Promise<boolean>;
  /** Returns the subscription that a transaction created, or undefined if there is none yet. */
  subscriptionOf(transactionId: string): Promise<SubscriptionReport | undefined>;
  /** Returns a subscription's state, or undefined for an unknown one. */
  report(subscriptionId: string): Promise<SubscriptionReport | undefined>;
  preview(current: ProviderSubscription, choice: Choice): Promise<PlanPreview>;
  change(current: ProviderSubscription, choice: Choice): Promise<SubscriptionReport>;
  /** Moves the first bill of a subscription in its trial (UTC ms). */
  billFrom(subscriptionId: string, at: number): Promise<SubscriptionReport>;
  /** Returns the transaction that changes the card or pays what is due. */
  changePayment(subscriptionId: string): Promise<string>;
  cancel(subscriptionId: string, when: 'at-once' | 'at-the-end'): Promise<SubscriptionReport>;
  keep(current: ProviderSubscription): Promise<SubscriptionReport>;
  payments(subscriptionIds: readonly string[]): Promise<Payment[]>;
  invoiceUrl(transactionId: string): Promise<string>;
  portalUrl(current: ProviderSubscription): Promise<string>;
  /** Returns a posted event, or `forged` without a valid signature. Throws if a signed body isn't JSON. */
  readWebhook(raw: string, signature: string): Promise<EventBody | 'forged'>;
  /** Converts an event. Throws if it can't be read. */
  readEvent(body: EventBody): ProviderEvent;
  /** Yields the events after one, in the order of their ids, page by page. */
  eventsAfter(after: string | undefined): AsyncIterable<readonly EventBody[]>;
}
