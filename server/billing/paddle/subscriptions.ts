import type { Paddle, ProrationBillingMode, SubscriptionPreview } from '@paddle/paddle-node-sdk';
import { billedAmount } from '#contract/billing/billing.ts';
import type { ProviderSubscription, SubscriptionReport } from '#contract/billing/billing-state.ts';
import type { PlanPreview } from '#contract/billing/subscription.ts';
import type { Choice, PaymentProvider } from '../port.ts';
import { type PaddleClient, priceFor } from './client.ts';
import { moneyFrom, reportFrom } from './conversion.ts';

type PaddleActions = 'report' | 'preview' | 'change' | 'billFrom' | 'changePayment' | 'cancel' | 'keep';

export function openPaddleSubscriptions(client: PaddleClient): Pick<PaymentProvider, PaddleActions> {
  const { paddle, read, write } = client;
  const update = (id: string, name: string, change: Parameters<Paddle['subscriptions']['update']>[1]): Promise<SubscriptionReport> =>
    write(name, async () => reportFrom(await paddle.subscriptions.update(id, change)));
  return {
    report: (id) => reportOf(client, id),
    async preview(current, choice) {
      const change = changeTo(client, current, choice);
      return previewFrom(await read('subscriptions.preview', () => paddle.subscriptions.previewUpdate(current.id, change)));
    },
    change: (current, choice) => update(current.id, 'subscriptions.update', changeTo(client, current, choice)),
    billFrom: (id, at) =>
      update(id, 'subscriptions.bill-from', { nextBilledAt: new Date(at).toISOString(), prorationBillingMode: 'do_not_bill' }),
    async changePayment(id) {
      const change = () => paddle.subscriptions.getPaymentMethodChangeTransaction(id);
      return (await write('subscriptions.change-payment', change)).id;
    },
    cancel: (id, when) =>
      write('subscriptions.cancel', async () =>
        reportFrom(await paddle.subscriptions.cancel(id, { effectiveFrom: when === 'at-once' ? 'immediately' : 'next_billing_period' })),
      ),
    keep: ({ id, status }) =>
      status === 'paused'
        ? write('subscriptions.resume', async () => reportFrom(await paddle.subscriptions.resume(id, { effectiveFrom: 'immediately' })))
        : update(id, 'subscriptions.keep', { scheduledChange: null }),
  };
}

export function reportOf({ paddle, read }: PaddleClient, id: string): Promise<SubscriptionReport | undefined> {
  return read('subscriptions.get', async () => reportFrom(await paddle.subscriptions.get(id)), { isMissing: undefined });
}

/** Returns the update to another plan, for both its preview and the change itself. */
function changeTo(client: PaddleClient, { status, priceId, cancelAt }: ProviderSubscription, choice: Choice) {
  const price = priceFor(client, choice);
  const before = client.prices.find(({ id }) => id === priceId);
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

function previewFrom({
  immediateTransaction,
  nextTransaction,
  recurringTransactionDetails,
  nextBilledAt,
}: SubscriptionPreview): PlanPreview {
  const charge = immediateTransaction?.details.totals;
  const next = nextTransaction?.details.totals;
  const recurring = recurringTransactionDetails?.totals;
  const isCharged = charge !== undefined && Number(charge.grandTotal) > 0;
  const credit = charge && Number(charge.creditToBalance) > 0 ? moneyFrom(charge.creditToBalance, charge.currencyCode) : undefined;
  return {
    ...(isCharged && { dueNow: moneyFrom(charge.grandTotal, charge.currencyCode) }),
    ...(credit && { credit }),
    ...(next && {
      next: { total: moneyFrom(next.grandTotal, next.currencyCode), ...(nextBilledAt !== null && { at: Date.parse(nextBilledAt) }) },
    }),
    ...(recurring && { recurring: moneyFrom(recurring.grandTotal, recurring.currencyCode) }),
  };
}
