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
import { ACCOUNT_FIELD, eventFrom, reportFrom } from './conversion.ts';

interface PaddleGatewayOptions {
  readonly kind: PaymentProvider['kind'];
  readonly config: Pick<PaddleConfig, 'apiKey' | 'environment' | 'webhookSecrets'>;
  readonly prices: readonly Price[];
  readonly checkout: PaymentProvider['checkout'];
  /** The page where checkouts are paid. */
  readonly payUrl: string;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** UTC ms. */
  readonly now: () => number;
}

/** Events per page. */
const EVENTS_AT_ONCE = 100;
/** Payments shown: eight years of monthly ones. */
const PAYMENTS_SHOWN = 100;
/** Signatures dated further ahead than this (ms) are rejected, because someone could store them for later. */
const AHEAD = 5_000;

/** Credentials of a Paddle account. */
export type PaddleKey = Pick<PaddleConfig, 'apiKey' | 'environment'>;

/** Opens Paddle's library, for Paddle or the stand-in. */
export const openPaddle = ({ apiKey, environment }: PaddleKey): Paddle =>
  // The library also accepts a URL as its environment.
  new Paddle(apiKey, { environment: environment as Environment, logLevel: LogLevel.none });

/** Implements the port with Paddle. */
export function openGateway({ kind, config, prices, checkout, payUrl, log, now }: PaddleGatewayOptions): PaymentProvider {
  const paddle = openPaddle(config);
  const { read, write } = openCalls(log);
  const priceFor = (choice: Choice, hasTrial = false): Price => {
    const match = prices.find(
      (price) => price.plan === choice.plan && price.paymentFrequency === choice.paymentFrequency && price.hasTrial === hasTrial,
    );
    if (!match) throw refusal('conflict', 'This plan isn’t for sale here.');
    return match;
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
          customData: { [ACCOUNT_FIELD]: accountId },
          checkout: { url: payUrl },
        }),
      );
      return { transactionId: id, customerId };
    },
    async cancelCheckout(transactionId) {
      if (!(await isOpen(transactionId))) return false;
      await write('transactions.cancel', () => paddle.transactions.update(transactionId, { status: 'canceled' }));
      return true;
    },
    isOpen,
    async subscriptionOf(transactionId) {
      const subscriptionId = (await transaction(transactionId))?.subscriptionId ?? undefined;
      return subscriptionId === undefined ? undefined : reportOf(subscriptionId);
    },
    report: reportOf,

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
        const transactions = await paddle.transactions
          .list({
            subscriptionId: [...subscriptionIds],
            status: ['completed', 'past_due'],
            include: ['adjustments_totals'],
            orderBy: 'billed_at[DESC]',
            perPage: PAYMENTS_SHOWN,
          })
          .next();
        return transactions.flatMap(paymentFrom);
      }),
    invoiceUrl: async (transactionId) => (await read('transactions.invoice', () => paddle.transactions.getInvoicePDF(transactionId))).url,
    async portalUrl({ id, customerId }) {
      const { urls } = await write('portal', () => paddle.customerPortalSessions.create(customerId, [id]));
      return urls.general.overview;
    },

    async readWebhook(raw, header) {
      const signatures = signaturesIn(header, now());
      // An empty secret would accept any signature. The settings refuse one.
      for (const secret of config.webhookSecrets)
        for (const signature of signatures)
          if (secret !== '' && (await isSigned(raw, secret, signature))) return JSON.parse(raw) as EventBody;
      return 'forged';
    },
    readEvent: eventFrom,
    async *eventsAfter(after) {
      const events = paddle.events.list({ orderBy: 'id[ASC]', perPage: EVENTS_AT_ONCE, ...(after !== undefined && { after }) });
      // Unparsed, so that one unreadable event doesn't block the others.
      events.fromJson = (body) => body as unknown as EventEntity;
      while (events.hasMore) yield (await read('events.list', () => events.next())) as unknown as (EventBody & IEventsResponse)[];
    },
  };

  function reportOf(id: string): Promise<SubscriptionReport | undefined> {
    return read('subscriptions.get', async () => reportFrom(await paddle.subscriptions.get(id)), { isMissing: undefined });
  }

  async function isOpen(transactionId: string): Promise<boolean> {
    const status = (await transaction(transactionId))?.status;
    return status === 'draft' || status === 'ready';
  }

  function transaction(id: string): Promise<Transaction | undefined> {
    return read('transactions.get', () => paddle.transactions.get(id), { isMissing: undefined });
  }

  /** Returns the Paddle customer with this address, which may have bought for another account before. */
  async function customerOf({ id, email, name }: Customer): Promise<string> {
    if (id !== undefined) return id;
    const find = () => read('customers.list', async () => (await paddle.customers.list({ email: [email] }).next())[0]?.id);
    const existing = await find();
    if (existing !== undefined) return existing;
    const created = await write('customers.create', async () => {
      try {
        return (await paddle.customers.create({ email, name })).id;
      } catch (error) {
        if ((error as { code?: unknown }).code === 'customer_already_exists') return undefined;
        throw error;
      }
    });
    const customer = created ?? (await find());
    if (customer === undefined) throw refusal('payments-away');
    return customer;
  }

  function isSigned(raw: string, secret: string, signature: string): Promise<boolean> {
    return paddle.webhooks.isSignatureValid(raw, secret, signature);
  }

  /** Returns the update to another plan, for both its preview and the change itself. */
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

/** Splits the header into one signature each, because Paddle's library checks only the last. Returns none for a future date. */
function signaturesIn(header: string, now: number): string[] {
  const parts = header.split(';').map((part) => part.trim());
  const at = parts.find((part) => /^ts=\d{1,12}$/.test(part));
  if (at === undefined || Number(at.slice(3)) * 1_000 > now + AHEAD) return [];
  return parts
    .filter((part) => /^h1=[\da-f]{64}$/.test(part))
    .slice(0, MOST_SIGNATURES)
    .map((part) => `${at};${part}`);
}

/** There are two while a secret is being replaced. */
const MOST_SIGNATURES = 4;

const yearly = ({ plan, paymentFrequency }: Choice): number =>
  billedAmount(plan, paymentFrequency) * (paymentFrequency === 'Annual' ? 1 : 12);
const isLonger = (before: Choice | undefined, after: Choice): boolean =>
  before?.paymentFrequency === 'Monthly' && after.paymentFrequency === 'Annual';

/** Returns when Paddle charges for a change: immediately for an upgrade, with the next bill for a downgrade. */
function modeOf(
  change: Pick<ProviderSubscription, 'status' | 'cancelAt'> & { isDearer: boolean; isLonger: boolean },
): ProrationBillingMode {
  if (change.status === 'trialing' || change.status === 'paused') return 'do_not_bill';
  return change.isDearer || change.isLonger || change.cancelAt !== undefined ? 'prorated_immediately' : 'prorated_next_billing_period';
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

/** Returns no payment for a transaction of 0, which is how a card is changed. */
function paymentFrom({ id, status, billedAt, createdAt, details, payments, invoiceNumber, ...transaction }: Transaction): Payment[] {
  const totals = details?.totals;
  if (!totals || Number(totals.total) === 0) return [];
  const card = payments.find(({ methodDetails }) => methodDetails?.card)?.methodDetails?.card?.last4;
  const refunded =
    Number(transaction.adjustmentsTotals?.breakdown?.refund ?? 0) + Number(transaction.adjustmentsTotals?.breakdown?.chargeback ?? 0);
  return [
    {
      id,
      at: Date.parse(billedAt ?? createdAt),
      total: moneyFrom(totals.grandTotal, totals.currencyCode),
      status: status === 'past_due' ? 'due' : statusAfter(refunded, Number(totals.grandTotal)),
      ...(invoiceNumber !== null && { invoiceNumber }),
      ...(card !== undefined && { card }),
      // Payments from credit have no invoice.
      hasInvoice: status === 'completed' && Number(totals.grandTotal) > 0,
    },
  ];
}

const statusAfter = (refunded: number, paid: number): Payment['status'] => {
  if (refunded <= 0) return 'paid';
  return refunded < paid ? 'partly-refunded' : 'refunded';
};
