import * as v from 'valibot';
import { account } from '../account/account.ts';
import { accountIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { instant, okOrNotFound, page } from '../core/schema.ts';
import { FREQUENCIES, OFFERED_PLANS, SUBSCRIPTION_FILTERS } from './billing.ts';

/* An account's payments and changes of plan. Every amount comes from the payment provider. */

/** An amount in minor units such as cents, negative for a refund. `currency` is an ISO 4217 code. */
const money = v.strictObject({ amount: v.pipe(v.number(), v.integer()), currency: v.pipe(v.string(), v.length(3)) });
export type Money = v.InferOutput<typeof money>;

/** The cost of another plan, as quoted by the provider. */
const planPreview = v.strictObject({
  /** Charged immediately; undefined if nothing is. */
  dueNow: v.optional(money),
  /** Added to the account's credit at the provider. */
  credit: v.optional(money),
  /** The next bill. */
  next: v.optional(v.strictObject({ total: money, at: v.optional(v.number()) })),
  /** Each bill after that. */
  recurring: v.optional(money),
});
export type PlanPreview = v.InferOutput<typeof planPreview>;

/** A payment of the account, as the provider reports it. */
const payment = v.strictObject({
  id: v.string(),
  at: v.number(),
  total: money,
  status: v.picklist(['paid', 'due', 'partly-refunded', 'refunded']),
  invoiceNumber: v.optional(v.string()),
  /** The last digits of the card. */
  card: v.optional(v.string()),
  hasInvoice: v.boolean(),
});
export type Payment = v.InferOutput<typeof payment>;

/** The id of a transaction that a checkout opens. */
export const TRANSACTION_ID = /^txn_[a-z\d]{26}$/;
const transactionId = v.pipe(v.string(), v.regex(TRANSACTION_ID, 'This isn’t the id of a payment'));

/** An event from the provider that needs an operator's attention. */
const billingProblem = v.strictObject({
  eventId: v.string(),
  type: v.string(),
  at: v.number(),
  /** `unmatched`: it belongs to none of our accounts. `failed`: it couldn't be applied. `noted`: it was applied, but an operator should know about it. */
  outcome: v.picklist(['unmatched', 'failed', 'noted']),
  /** The reason, in a sentence. */
  why: v.string(),
  accountId: v.optional(v.string()),
});
export type BillingProblem = v.InferOutput<typeof billingProblem>;

const choice = { plan: v.picklist(OFFERED_PLANS), paymentFrequency: v.picklist(FREQUENCIES) };
const NOT_BILLED = 'Billing is off.';
const NO_RESPONSE = 'The payment provider doesn’t respond.';
const PROVIDER_REFUSALS = { 'not-billed': NOT_BILLED, 'payments-away': NO_RESPONSE };

export const subscriptionOperations = {
  checkout: operation({
    access: 'admin',
    whileEnded: true,
    summary:
      'Create the transaction that `/pay` opens a checkout for. Repeating it before payment returns the same one; a different choice replaces it.',
    refusals: { ...PROVIDER_REFUSALS, conflict: 'A subscription is already active. Change it instead.' },
    input: v.strictObject(choice),
    answer: okOrNotFound({ transactionId }),
  }),
  confirmPayment: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Check a payment with the provider, apply the result, and return whether the account is paid for.',
    refusals: PROVIDER_REFUSALS,
    input: v.strictObject({ transactionId }),
    answer: okOrNotFound({ account, isConfirmed: v.boolean() }),
  }),
  previewPlan: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Get the price and next billing date of another plan, as quoted by the provider.',
    refusals: { ...PROVIDER_REFUSALS, conflict: 'Nothing has been paid yet, a payment is due, or the subscription is being renewed.' },
    input: v.strictObject(choice),
    answer: okOrNotFound({ preview: planPreview }),
  }),
  changePlan: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Change the plan. In an unpaid trial, it changes what checkout offers.',
    refusals: {
      ...PROVIDER_REFUSALS,
      'payment-declined': 'The amount due couldn’t be charged. The plan is unchanged.',
      conflict: 'A payment is due, or the subscription is being renewed.',
    },
    input: v.strictObject(choice),
    answer: okOrNotFound({ account }),
  }),
  changePayment: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Create the transaction that `/pay` opens to change the card or pay what is due.',
    refusals: { ...PROVIDER_REFUSALS, conflict: 'There is no active subscription.', 'too-many': 'At most ten an hour.' },
    input: v.strictObject({}),
    answer: okOrNotFound({ transactionId }),
  }),
  cancelPlan: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Cancel the subscription at the end of the paid period, or immediately if it is paused.',
    refusals: { ...PROVIDER_REFUSALS, conflict: 'There is no active subscription, or it is being renewed.' },
    input: v.strictObject({}),
    answer: okOrNotFound({ account }),
  }),
  keepPlan: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Withdraw a cancellation before it takes effect, or resume a paused subscription.',
    refusals: {
      ...PROVIDER_REFUSALS,
      'payment-declined': 'The amount due couldn’t be charged.',
      conflict: 'The subscription has ended, or it is being renewed.',
    },
    input: v.strictObject({}),
    answer: okOrNotFound({ account }),
  }),
  payments: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'List the account’s payments, newest first.',
    refusals: PROVIDER_REFUSALS,
    input: v.strictObject({}),
    answer: okOrNotFound({ payments: v.array(payment) }),
  }),
  invoice: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Get a link to a payment’s invoice (PDF). It works for an hour.',
    refusals: PROVIDER_REFUSALS,
    input: v.strictObject({ transactionId }),
    answer: okOrNotFound({ url: v.string() }),
  }),
  paymentPortal: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Get a short-lived link to the provider’s page about the subscription.',
    refusals: { ...PROVIDER_REFUSALS, conflict: 'No payments yet.' },
    input: v.strictObject({}),
    answer: okOrNotFound({ url: v.string() }),
  }),
  listSubscriptions: operation({
    access: 'operator',
    summary: 'List subscriptions, newest account first, page by page.',
    records: 'subscriptions.listed',
    input: v.strictObject({ ...page, standing: v.optional(v.picklist(SUBSCRIPTION_FILTERS), 'all') }),
    answer: okOrNotFound({
      subscriptions: v.array(
        v.strictObject({
          account,
          /** The provider's ids. */
          customerId: v.optional(v.string()),
          subscriptionId: v.optional(v.string()),
          /** True if more than one subscription is live, so that someone pays twice. */
          isDoubled: v.boolean(),
        }),
      ),
      cursor: v.nullable(v.string()),
    }),
  }),
  billingProblems: operation({
    access: 'operator',
    summary: 'List the provider’s events that couldn’t be processed, newest first, and whether the provider responds.',
    input: v.strictObject({}),
    answer: okOrNotFound({
      kind: v.picklist(['none', 'sandbox', 'paddle']),
      problems: v.array(billingProblem),
      /** When the provider's events were last read completely (UTC ms). */
      readAt: v.optional(v.number()),
      /** Why the last read failed. */
      failure: v.optional(v.string()),
    }),
  }),
  replayBillingEvent: operation({
    access: 'operator',
    summary: 'Reapply an event that failed, or dismiss one that is only for information.',
    records: 'billing-event.replayed',
    input: v.strictObject({ eventId: v.pipe(v.string(), v.regex(/^evt_[a-z\d]{26}$/)) }),
    answer: okOrNotFound({ isSettled: v.boolean() }),
  }),
  extendTrial: operation({
    access: 'operator',
    summary: 'Move the end of an account’s free trial, up to a year ahead.',
    records: 'subscription.extended',
    refusals: { ...PROVIDER_REFUSALS, conflict: 'Sign-up isn’t finished, or a subscription is active.' },
    input: v.strictObject({ accountId: accountIdSchema, endsAt: instant }),
    answer: okOrNotFound({ account }),
  }),
  giveBeta: operation({
    access: 'operator',
    summary: 'Give an account the Beta plan, which is free and never ends.',
    records: 'subscription.given-free',
    refusals: { 'not-billed': NOT_BILLED, conflict: 'Sign-up isn’t finished, or a subscription is active. Cancel it first.' },
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ account }),
  }),
  syncSubscription: operation({
    access: 'operator',
    summary: 'Sync an account’s subscriptions with the provider within seconds.',
    records: 'subscription.synced',
    refusals: PROVIDER_REFUSALS,
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ account }),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly transactionId: string;
  }
  interface AuditEvents {
    'subscriptions.listed': unknown;
    'billing-event.replayed': unknown;
    'subscription.extended': unknown;
    'subscription.given-free': unknown;
    'subscription.synced': unknown;
  }
}

export const subscriptionExamples: Examples<typeof subscriptionOperations> = {
  checkout: () => ({ plan: 'Pro', paymentFrequency: 'Annual' }),
  confirmPayment: ({ transactionId }) => ({ transactionId }),
  previewPlan: () => ({ plan: 'Pro', paymentFrequency: 'Annual' }),
  changePlan: () => ({ plan: 'Pro', paymentFrequency: 'Annual' }),
  changePayment: () => ({}),
  cancelPlan: () => ({}),
  keepPlan: () => ({}),
  payments: () => ({}),
  invoice: ({ transactionId }) => ({ transactionId }),
  paymentPortal: () => ({}),
  listSubscriptions: () => ({ search: 'harbor', standing: 'trial' }),
  billingProblems: () => ({}),
  replayBillingEvent: ({ transactionId }) => ({ eventId: transactionId.replace('txn_', 'evt_') }),
  extendTrial: ({ accountId, now }) => ({ accountId, endsAt: now + 10 * 86_400_000 }),
  giveBeta: ({ accountId }) => ({ accountId }),
  syncSubscription: ({ accountId }) => ({ accountId }),
};
