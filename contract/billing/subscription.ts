import * as v from 'valibot';
import { account } from '../account/account.ts';
import { accountIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { found, instant, page } from '../core/schema.ts';
import { FREQUENCIES, OFFERED_PLANS } from './billing.ts';

/* What an account pays, and how that is changed. Everything about money comes from the payment provider. */

/** Cents, or what else a currency is counted in; negative for what is given back. `currency` is an ISO 4217 code. */
const money = v.strictObject({ amount: v.pipe(v.number(), v.integer()), currency: v.pipe(v.string(), v.length(3)) });
export type Money = v.InferOutput<typeof money>;

/** What another plan would cost, as the provider reckons it. */
const planPreview = v.strictObject({
  /** What is charged at once. Undefined: nothing. */
  dueNow: v.optional(money),
  /** What goes to the account's credit with the provider. */
  credit: v.optional(money),
  /** The next bill. */
  next: v.optional(v.strictObject({ total: money, at: v.optional(v.number()) })),
  /** Each bill from then on. */
  recurring: v.optional(money),
});
export type PlanPreview = v.InferOutput<typeof planPreview>;

/** A payment of the account, as the provider tells of it. */
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

/** The id of something that a checkout is opened for. */
export const TRANSACTION_ID = /^txn_[a-z\d]{26}$/;
const transactionId = v.pipe(v.string(), v.regex(TRANSACTION_ID, 'This is not the id of a payment'));

/** What the provider said that the product could not use. */
const billingProblem = v.strictObject({
  eventId: v.string(),
  type: v.string(),
  at: v.number(),
  /** `unmatched`: it is about no account of ours. `failed`: it could not be applied. `noted`: it was, and somebody should know. */
  outcome: v.picklist(['unmatched', 'failed', 'noted']),
  /** Why, in a sentence. */
  why: v.string(),
  accountId: v.optional(v.string()),
});
export type BillingProblem = v.InferOutput<typeof billingProblem>;

/** Which subscriptions an operator looks at. */
export const STANDINGS = ['all', 'trial', 'paid', 'due', 'ended', 'free'] as const;

const choice = { plan: v.picklist(OFFERED_PLANS), paymentFrequency: v.picklist(FREQUENCIES) };
const NOT_BILLED = 'Nobody pays here.';
const AWAY = 'The payment provider gives no answer.';
const ASKS = { 'not-billed': NOT_BILLED, 'payments-away': AWAY };

export const subscriptionOperations = {
  checkout: operation({
    access: 'admin',
    whileEnded: true,
    summary:
      'Makes what `/pay` opens a checkout for. Asked for again before it was paid, the same one is given; another choice takes its place.',
    refusals: { ...ASKS, conflict: 'A subscription is running already: it can be changed.' },
    input: v.strictObject(choice),
    answer: found({ transactionId }),
  }),
  confirmPayment: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Asks the provider whether a payment was made, and applies what it says. Says whether the account is paid for.',
    refusals: ASKS,
    input: v.strictObject({ transactionId }),
    answer: found({ account, isConfirmed: v.boolean() }),
  }),
  previewPlan: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Says what another plan would cost and when, as the provider reckons it.',
    refusals: { ...ASKS, conflict: 'Nothing is paid yet, a payment is due, or the subscription is just being renewed.' },
    input: v.strictObject(choice),
    answer: found({ preview: planPreview }),
  }),
  changePlan: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Changes what is paid for. During a trial that nothing was paid in, it changes what is offered at the checkout.',
    refusals: {
      ...ASKS,
      'payment-declined': 'What is due at once could not be charged; the plan stays.',
      conflict: 'A payment is due, or the subscription is just being renewed.',
    },
    input: v.strictObject(choice),
    answer: found({ account }),
  }),
  changePayment: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Makes what `/pay` opens to pay by another card, or what is due.',
    refusals: { ...ASKS, conflict: 'No subscription is running.', 'too-many': 'Ten within an hour.' },
    input: v.strictObject({}),
    answer: found({ transactionId }),
  }),
  cancelPlan: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Cancels the subscription at the end of what is paid; one that is paused at once.',
    refusals: { ...ASKS, conflict: 'No subscription is running, or it is just being renewed.' },
    input: v.strictObject({}),
    answer: found({ account }),
  }),
  keepPlan: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Takes a cancellation back before it takes effect, or lets a paused subscription go on.',
    refusals: {
      ...ASKS,
      'payment-declined': 'What is due could not be charged.',
      conflict: 'The subscription has ended, or it is just being renewed.',
    },
    input: v.strictObject({}),
    answer: found({ account }),
  }),
  payments: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Lists what the account paid, newest first.',
    refusals: ASKS,
    input: v.strictObject({}),
    answer: found({ payments: v.array(payment) }),
  }),
  invoice: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Gives the address of a payment’s invoice (PDF), which lasts an hour.',
    refusals: ASKS,
    input: v.strictObject({ transactionId }),
    answer: found({ url: v.string() }),
  }),
  paymentPortal: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Gives the address of the provider’s own page about the subscription, which lasts a short while.',
    refusals: { ...ASKS, conflict: 'Nothing was paid yet.' },
    input: v.strictObject({}),
    answer: found({ url: v.string() }),
  }),
  listSubscriptions: operation({
    access: 'operator',
    summary: 'Lists who pays what, newest account first, page by page.',
    records: 'subscriptions.listed',
    input: v.strictObject({ ...page, standing: v.optional(v.picklist(STANDINGS), 'all') }),
    answer: found({
      subscriptions: v.array(
        v.strictObject({
          account,
          /** The provider's ids, to find it there. */
          customerId: v.optional(v.string()),
          subscriptionId: v.optional(v.string()),
          /** More than one subscription lives: somebody pays twice. */
          isDoubled: v.boolean(),
        }),
      ),
      cursor: v.nullable(v.string()),
    }),
  }),
  billingProblems: operation({
    access: 'operator',
    summary: 'Lists what the payment provider said that could not be used, newest first, and whether it can be asked.',
    input: v.strictObject({}),
    answer: found({
      kind: v.picklist(['none', 'sandbox', 'paddle']),
      problems: v.array(billingProblem),
      /** When the provider's events were last read to their end (UTC ms). */
      readAt: v.optional(v.number()),
      /** Why the last reading failed. */
      failure: v.optional(v.string()),
    }),
  }),
  replayBillingEvent: operation({
    access: 'operator',
    summary: 'Applies once more what could not be applied, or puts aside what was only to be known.',
    records: 'billing-event.replayed',
    input: v.strictObject({ eventId: v.pipe(v.string(), v.regex(/^evt_[a-z\d]{26}$/)) }),
    answer: found({ isSettled: v.boolean() }),
  }),
  extendTrial: operation({
    access: 'operator',
    summary: 'Moves the end of an account’s free trial, up to a year ahead.',
    records: 'subscription.extended',
    refusals: { ...ASKS, conflict: 'Signing up is not finished, or a subscription is running.' },
    input: v.strictObject({ accountId: accountIdSchema, endsAt: instant }),
    answer: found({ account }),
  }),
  giveBeta: operation({
    access: 'operator',
    summary: 'Gives an account the plan Beta, which costs nothing and never ends.',
    records: 'subscription.given-free',
    refusals: { 'not-billed': NOT_BILLED, conflict: 'Signing up is not finished, or a subscription is running: cancel that first.' },
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: found({ account }),
  }),
  syncSubscription: operation({
    access: 'operator',
    summary: 'Has the provider asked for an account’s subscriptions, within seconds; what it says is applied.',
    records: 'subscription.synced',
    refusals: ASKS,
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: found({ account }),
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
