import {
  type Environment,
  type EventEntity,
  type IEventsResponse,
  LogLevel,
  Paddle,
  type ProrationBillingMode,
  type SubscriptionPreview,
  type Transaction,
} from '@paddle/paddle-node-sdk';
import type { FastifyBaseLogger } from 'fastify';
import { billedAmount } from '#contract/billing/billing.ts';
import type { ProviderSubscription, SubscriptionReport } from '#contract/billing/billing-state.ts';
import type { Money, Payment, PlanPreview } from '#contract/billing/subscription.ts';
import { refusal } from '#contract/core/errors.ts';
import type { PaddleConfig } from '../../platform/config/config.ts';
import type { Choice, Customer, EventBody, PaymentProvider, Price } from '../port.ts';
import { openCalls } from './calls.ts';
import { eventFrom, OURS, reportFrom } from './reading.ts';

interface PaddleGatewayOptions {
  readonly kind: PaymentProvider['kind'];
  readonly config: Pick<PaddleConfig, 'apiKey' | 'environment' | 'webhookSecrets'>;
  readonly prices: readonly Price[];
  readonly checkout: PaymentProvider['checkout'];
  /** Where checkouts are paid. */
  readonly payUrl: string;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** UTC ms. */
  readonly now: () => number;
}

/** Events that change something here, or that somebody should know of. */
const EVENTS_AT_ONCE = 100;
/** How many payments are shown: eight years of monthly ones. */
const PAYMENTS_SHOWN = 100;
/** A signature of the future is one that somebody keeps for later (ms). */
const AHEAD = 5_000;

/** What opens a Paddle account. */
export type PaddleKey = Pick<PaddleConfig, 'apiKey' | 'environment'>;

/** Paddle's library, at an address: Paddle's own, or that of what stands in for it. */
export const openPaddle = ({ apiKey, environment }: PaddleKey): Paddle =>
  // An address in place of a name is where the library asks.
  new Paddle(apiKey, { environment: environment as Environment, logLevel: LogLevel.none });

/** Fills the port with Paddle. */
export function openGateway({ kind, config, prices, checkout, payUrl, log, now }: PaddleGatewayOptions): PaymentProvider {
  const paddle = openPaddle(config);
  const { read, write } = openCalls(log);
  const priceFor = (choice: Choice, hasTrial = false): Price => {
    const found = prices.find(
      (price) => price.plan === choice.plan && price.paymentFrequency === choice.paymentFrequency && price.hasTrial === hasTrial,
    );
    if (!found) throw refusal('conflict', 'This plan isn’t for sale here.');
    return found;
  };
  const priceOf = (id: string): Price | undefined => prices.find((price) => price.id === id);
  const update = (id: string, name: string, change: Parameters<Paddle['subscriptions']['update']>[1]): Promise<SubscriptionReport> =>
    write(name, async () => reportFrom(await paddle.subscriptions.update(id, change)));

  return {
    kind,
    checkout,
    priceOf,

    async startCheckout({ accountId, customer, hasTrial, ...choice }) {
      const customerId = await customerOf(customer);
      const { id } = await write('transactions.create', () =>
        paddle.transactions.create({
          items: [{ priceId: priceFor(choice, hasTrial).id, quantity: 1 }],
          customerId,
          collectionMode: 'automatic',
          customData: { [OURS]: accountId },
          checkout: { url: payUrl },
        }),
      );
      return { transactionId: id, customerId };
    },
    async dropCheckout(transactionId) {
      if (!(await isOpen(transactionId))) return false;
      await write('transactions.cancel', () => paddle.transactions.update(transactionId, { status: 'canceled' }));
      return true;
    },
    isOpen,
    async subscriptionOf(transactionId) {
      const subscriptionId = (await transaction(transactionId))?.subscriptionId ?? undefined;
      return subscriptionId === undefined ? undefined : reported(subscriptionId);
    },
    report: reported,

    async preview(current, choice) {
      const change = changeTo(current, choice);
      return previewFrom(await read('subscriptions.preview', () => paddle.subscriptions.previewUpdate(current.id, change)));
    },
    change: (current, choice) => update(current.id, 'subscriptions.update', changeTo(current, choice)),
    billFrom: (id, at) =>
      update(id, 'subscriptions.bill-from', { nextBilledAt: new Date(at).toISOString(), prorationBillingMode: 'do_not_bill' }),
    async changePayment(subscriptionId) {
      const { id } = await write('subscriptions.change-payment', () =>
        paddle.subscriptions.getPaymentMethodChangeTransaction(subscriptionId),
      );
      return id;
    },
    cancel: (id, when) =>
      write('subscriptions.cancel', async () =>
        reportFrom(await paddle.subscriptions.cancel(id, { effectiveFrom: when === 'at-once' ? 'immediately' : 'next_billing_period' })),
      ),
    keep: ({ id, status }) =>
      status === 'paused'
        ? write('subscriptions.resume', async () => reportFrom(await paddle.subscriptions.resume(id, { effectiveFrom: 'immediately' })))
        : update(id, 'subscriptions.keep', { scheduledChange: null }),

    payments: (subscriptionIds) =>
      read('transactions.list', async () => {
        const found = await paddle.transactions
          .list({
            subscriptionId: [...subscriptionIds],
            status: ['completed', 'past_due'],
            include: ['adjustments_totals'],
            orderBy: 'billed_at[DESC]',
            perPage: PAYMENTS_SHOWN,
          })
          .next();
        return found.flatMap(paymentFrom);
      }),
    invoiceUrl: async (transactionId) => (await read('transactions.invoice', () => paddle.transactions.getInvoicePDF(transactionId))).url,
    async portalUrl({ id, customerId }) {
      const { urls } = await write('portal', () => paddle.customerPortalSessions.create(customerId, [id]));
      return urls.general.overview;
    },

    async readWebhook(raw, header) {
      const signatures = signaturesIn(header, now());
      // An empty secret would vouch for anything; the settings refuse one.
      for (const secret of config.webhookSecrets)
        for (const signature of signatures)
          if (secret !== '' && (await isSigned(raw, secret, signature))) return JSON.parse(raw) as EventBody;
      return 'forged';
    },
    readEvent: eventFrom,
    async *eventsAfter(after) {
      const events = paddle.events.list({ orderBy: 'id[ASC]', perPage: EVENTS_AT_ONCE, ...(after !== undefined && { after }) });
      // As they were sent: one that cannot be read keeps no other from being read.
      events.fromJson = (sent) => sent as unknown as EventEntity;
      while (events.hasMore) yield (await read('events.list', () => events.next())) as unknown as (EventBody & IEventsResponse)[];
    },
  };

  function reported(id: string): Promise<SubscriptionReport | undefined> {
    return read('subscriptions.get', async () => reportFrom(await paddle.subscriptions.get(id)), { isMissing: undefined });
  }

  async function isOpen(transactionId: string): Promise<boolean> {
    const status = (await transaction(transactionId))?.status;
    return status === 'draft' || status === 'ready';
  }

  function transaction(id: string): Promise<Transaction | undefined> {
    return read('transactions.get', () => paddle.transactions.get(id), { isMissing: undefined });
  }

  /** Paddle knows a customer by their address: one account may have bought for the same one before, or another account. */
  async function customerOf({ id, email, name }: Customer): Promise<string> {
    if (id !== undefined) return id;
    const find = () => read('customers.list', async () => (await paddle.customers.list({ email: [email] }).next())[0]?.id);
    const known = await find();
    if (known !== undefined) return known;
    const made = await write('customers.create', async () => {
      try {
        return (await paddle.customers.create({ email, name })).id;
      } catch (error) {
        if ((error as { code?: unknown }).code === 'customer_already_exists') return undefined;
        throw error;
      }
    });
    const customer = made ?? (await find());
    if (customer === undefined) throw refusal('payments-away');
    return customer;
  }

  function isSigned(raw: string, secret: string, signature: string): Promise<boolean> {
    return paddle.webhooks.isSignatureValid(raw, secret, signature);
  }

  /** The same for a preview and for the change itself. */
  function changeTo({ status, priceId, cancelAt }: ProviderSubscription, choice: Choice) {
    const price = priceFor(choice);
    const before = priceOf(priceId);
    return {
      items: [{ priceId: price.id, quantity: 1 }],
      prorationBillingMode: modeOf({
        status,
        isDearer: !before || yearly(price) > yearly(before),
        isLonger: isLonger(before, price),
        cancelAt,
      }),
      onPaymentFailure: 'prevent_change' as const,
    };
  }
}

/** One signature each, as Paddle's library compares the last of several only. None of a moment that has not come. */
function signaturesIn(header: string, now: number): string[] {
  const parts = header.split(';').map((part) => part.trim());
  const at = parts.find((part) => /^ts=\d{1,12}$/.test(part));
  if (at === undefined || Number(at.slice(3)) * 1_000 > now + AHEAD) return [];
  return parts
    .filter((part) => /^h1=[\da-f]{64}$/.test(part))
    .slice(0, MOST_SIGNATURES)
    .map((part) => `${at};${part}`);
}

/** While a secret is changed there are two. */
const MOST_SIGNATURES = 4;

const yearly = ({ plan, paymentFrequency }: Choice): number =>
  billedAmount(plan, paymentFrequency) * (paymentFrequency === 'Annual' ? 1 : 12);
const isLonger = (before: Choice | undefined, after: Choice): boolean =>
  before?.paymentFrequency === 'Monthly' && after.paymentFrequency === 'Annual';

/** What Paddle charges when: at once where more is bought, with the next bill where less is. */
function modeOf(of: Pick<ProviderSubscription, 'status' | 'cancelAt'> & { isDearer: boolean; isLonger: boolean }): ProrationBillingMode {
  if (of.status === 'trialing' || of.status === 'paused') return 'do_not_bill';
  return of.isDearer || of.isLonger || of.cancelAt !== undefined ? 'prorated_immediately' : 'prorated_next_billing_period';
}

const moneyFrom = (amount: string, currency: string): Money => ({ amount: Number(amount), currency });

function previewFrom({
  immediateTransaction,
  nextTransaction,
  recurringTransactionDetails,
  nextBilledAt,
}: SubscriptionPreview): PlanPreview {
  const due = immediateTransaction?.details.totals;
  const next = nextTransaction?.details.totals;
  const recurring = recurringTransactionDetails?.totals;
  const isCharged = due !== undefined && Number(due.grandTotal) > 0;
  const credit = due && Number(due.creditToBalance) > 0 ? moneyFrom(due.creditToBalance, due.currencyCode) : undefined;
  return {
    ...(isCharged && { dueNow: moneyFrom(due.grandTotal, due.currencyCode) }),
    ...(credit && { credit }),
    ...(next && {
      next: { total: moneyFrom(next.grandTotal, next.currencyCode), ...(nextBilledAt !== null && { at: Date.parse(nextBilledAt) }) },
    }),
    ...(recurring && { recurring: moneyFrom(recurring.grandTotal, recurring.currencyCode) }),
  };
}

/** Nothing of what cost nothing: cards are changed so. */
function paymentFrom({ id, status, billedAt, createdAt, details, payments, invoiceNumber, ...said }: Transaction): Payment[] {
  const totals = details?.totals;
  if (!totals || Number(totals.total) === 0) return [];
  const card = payments.find(({ methodDetails }) => methodDetails?.card)?.methodDetails?.card?.last4;
  const returned = Number(said.adjustmentsTotals?.breakdown?.refund ?? 0) + Number(said.adjustmentsTotals?.breakdown?.chargeback ?? 0);
  return [
    {
      id,
      at: Date.parse(billedAt ?? createdAt),
      total: moneyFrom(totals.grandTotal, totals.currencyCode),
      status: status === 'past_due' ? 'due' : statusAfter(returned, Number(totals.grandTotal)),
      ...(invoiceNumber !== null && { invoiceNumber }),
      ...(card !== undefined && { card }),
      // There is none of what credit paid for.
      hasInvoice: status === 'completed' && Number(totals.grandTotal) > 0,
    },
  ];
}

const statusAfter = (returned: number, paid: number): Payment['status'] => {
  if (returned <= 0) return 'paid';
  return returned < paid ? 'partly-refunded' : 'refunded';
};
