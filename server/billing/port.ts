import type { PaymentFrequency, Plan } from '#contract/billing/billing.ts';
import type { ProviderSubscription, SubscriptionReport } from '#contract/billing/billing-state.ts';
import type { Payment, PlanPreview } from '#contract/billing/subscription.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';

/* The port to a payment provider. No word of a provider's leaves what fills it, but for the ids of its records. */

/** What is bought: the plans that cost something, at the prices that the settings name. */
export interface Choice {
  readonly plan: Plan;
  readonly paymentFrequency: PaymentFrequency;
}

/** A price at the provider, and what it is for. */
export interface Price extends Choice {
  readonly id: string;
  /** Whether it begins with a free trial: what is left of ours. */
  readonly hasTrial: boolean;
}

/** What a checkout was asked for. Instants are UTC ms. */
export interface OpenCheckout extends Choice {
  /** When it was asked for. */
  readonly asked: number;
  readonly hasTrial: boolean;
  /** Undefined while it is being made. */
  readonly transactionId?: string | undefined;
}

/** An event as the provider sends it: JSON. */
export type EventBody = Readonly<Record<string, unknown>>;

/** Something that the provider tells. */
export interface ProviderEvent {
  readonly eventId: string;
  readonly type: string;
  /** When it happened, as `instantKey` writes it. */
  readonly at: string;
  /** The account that we named when we made what it is about. */
  readonly accountId?: string | undefined;
  /** Ids of the provider's records that it is about, which are of one account each. */
  readonly about: readonly string[];
  /** Whoever pays. One customer may buy for several accounts. */
  readonly customerId?: string | undefined;
  /** What it says of a subscription. */
  readonly subscription?: ProviderSubscription | undefined;
  /** A transaction that is done with: paid, or called off. */
  readonly closes?: string | undefined;
  /** What an operator should know of it, in a sentence. */
  readonly notice?: string | undefined;
  readonly body: EventBody;
}

/** Who buys: whom the provider writes to. */
export interface Customer {
  readonly email: string;
  readonly name: string;
  /** The provider's id, where the account has bought before. */
  readonly id?: string | undefined;
}

/** Every function of it asks the provider: call none inside a transaction. They refuse `payments-away`, `payment-declined` or `conflict`. */
export interface PaymentProvider {
  readonly kind: Exclude<PublicConfig['billing']['kind'], 'none'>;
  readonly checkout: NonNullable<PublicConfig['billing']['checkout']>;
  /** What a price is for; undefined where the settings do not name it. */
  priceOf(id: string): Price | undefined;
  startCheckout(bought: Choice & { readonly hasTrial: boolean; readonly accountId: string; readonly customer: Customer }): Promise<{
    readonly transactionId: string;
    readonly customerId: string;
  }>;
  /** Calls off a checkout that nobody paid. False where it was paid meanwhile. */
  dropCheckout(transactionId: string): Promise<boolean>;
  /** Whether a checkout can still be paid. */
  isOpen(transactionId: string): Promise<boolean>;
  /** The subscription that a transaction made; undefined where there is none yet. */
  subscriptionOf(transactionId: string): Promise<SubscriptionReport | undefined>;
  /** Undefined where the provider knows no such subscription. */
  report(subscriptionId: string): Promise<SubscriptionReport | undefined>;
  preview(current: ProviderSubscription, choice: Choice): Promise<PlanPreview>;
  change(current: ProviderSubscription, choice: Choice): Promise<SubscriptionReport>;
  /** Moves the first bill of a subscription in its trial (UTC ms). */
  billFrom(subscriptionId: string, at: number): Promise<SubscriptionReport>;
  /** Gives the transaction by which another card, or what is due, is paid. */
  changePayment(subscriptionId: string): Promise<string>;
  cancel(subscriptionId: string, when: 'at-once' | 'at-the-end'): Promise<SubscriptionReport>;
  keep(current: ProviderSubscription): Promise<SubscriptionReport>;
  payments(subscriptionIds: readonly string[]): Promise<Payment[]>;
  invoiceUrl(transactionId: string): Promise<string>;
  portalUrl(current: ProviderSubscription): Promise<string>;
  /** What was posted to us, as it came. `forged`: nobody vouches for it. Throws where it is genuine and no JSON. */
  readWebhook(raw: string, signature: string): Promise<EventBody | 'forged'>;
  /** Reads an event. Throws where it cannot be read. */
  readEvent(body: EventBody): ProviderEvent;
  /** The events after one, in the order of their ids, page by page. */
  eventsAfter(after: string | undefined): AsyncIterable<readonly EventBody[]>;
}
