import type { ISubscriptionPreviewResponse, ISubscriptionResponse, ITransactionResponse } from '@paddle/paddle-node-sdk';
import { amountOf, cycleOf, periodFields, periodFrom, priceOf, shareLeft } from './periods.ts';
import { byId, PaddleRefusal } from './refusal.ts';
import type { Seller } from './seller.ts';
import { addTransaction, charge, close, detailsOf, isPayable, type NewTransaction, transactionsOf } from './transactions.ts';

/* The states of a subscription, and what changes them: trialing → active → past_due, paused or canceled. A subscription has one item. */

/**
 * Pays a checkout: a first bill, a debt, or another card. Returns false if the card is declined. Throws for a transaction that was
 * paid or canceled before.
 */
export function payCheckout(seller: Seller, id: string, card: string): boolean {
  const transaction = byId(seller.state.transactions, id);
  const isDebt = transaction.status === 'past_due';
  if (!isPayable(transaction)) throw new PaddleRefusal('transaction_immutable', `The transaction is ${transaction.status}.`);
  if (!charge(seller, transaction, card)) return false;
  const subscription = seller.state.subscriptions[transaction.subscription_id ?? ''] ?? subscribe(seller, transaction);
  seller.state.cards[subscription.id] = card;
  if (isDebt) change(seller, subscription, { status: 'active' });
  close(seller, transaction, 'completed');
  return true;
}

function subscribe(seller: Seller, transaction: ITransactionResponse): ISubscriptionResponse {
  const price = priceOf(transaction);
  const { trial_period: trial } = price;
  const at = seller.timestamp();
  const subscription: ISubscriptionResponse = {
    ...{ id: seller.newId('sub'), status: trial ? 'trialing' : 'active', customer_id: transaction.customer_id ?? '' },
    ...{ address_id: '', currency_code: 'USD', collection_mode: 'automatic', management_urls: null },
    ...{ created_at: at, updated_at: at, started_at: at, first_billed_at: trial ? null : at },
    custom_data: transaction.custom_data ?? null,
    ...periodFields(seller, price, { period: periodFrom(seller.now(), trial ?? cycleOf(price)), isTrial: Boolean(trial) }),
  };
  seller.state.subscriptions[subscription.id] = subscription;
  transaction.subscription_id = subscription.id;
  seller.report('subscription.created', { ...subscription, transaction_id: transaction.id });
  seller.report(trial ? 'subscription.trialing' : 'subscription.activated', subscription);
  return subscription;
}

/** Ends the period now: a scheduled cancellation takes effect, otherwise the next period is billed. */
export function endPeriod(seller: Seller, subscription: ISubscriptionResponse): void {
  requireStatus(subscription, ['active', 'trialing']);
  const { status, scheduled_change, next_billed_at } = subscription;
  if (scheduled_change) {
    cancelNow(seller, subscription);
    return;
  }
  startPeriod(seller, subscription, Math.min(seller.now(), Date.parse(next_billed_at ?? '')));
  if (bill(seller, subscription) && status === 'trialing') seller.report('subscription.activated', subscription);
}

interface CancelRequest {
  readonly effective_from?: 'immediately' | 'next_billing_period';
}

/** Cancels now, or when the period ends. */
export function cancel(seller: Seller, subscription: ISubscriptionResponse, { effective_from: when }: CancelRequest): void {
  const { status, next_billed_at: end } = subscription;
  if (status === 'canceled') throw new PaddleRefusal('subscription_is_canceled_action_invalid', 'The subscription is canceled.');
  if (when === 'immediately' || !end) cancelNow(seller, subscription);
  else change(seller, subscription, { scheduled_change: { action: 'cancel', effective_at: end, resume_at: null } });
}

function cancelNow(seller: Seller, subscription: ISubscriptionResponse): void {
  for (const transaction of transactionsOf(seller, subscription)) if (isPayable(transaction)) close(seller, transaction, 'canceled');
  change(seller, subscription, { ...NO_NEXT_BILL, status: 'canceled', canceled_at: seller.timestamp() });
  seller.report('subscription.canceled', subscription);
}

export function pause(seller: Seller, subscription: ISubscriptionResponse): void {
  requireStatus(subscription, ['active', 'trialing']);
  change(seller, subscription, { ...NO_NEXT_BILL, status: 'paused', paused_at: seller.timestamp() });
  seller.report('subscription.paused', subscription);
}

const NO_NEXT_BILL = { next_billed_at: null, scheduled_change: null };

/** Resumes a paused subscription with a new period, which is billed at once. */
export function resume(seller: Seller, subscription: ISubscriptionResponse): void {
  requireStatus(subscription, ['paused']);
  startPeriod(seller, subscription, seller.now());
  seller.report('subscription.resumed', subscription);
  bill(seller, subscription);
}

/** A requested update: another price, another date of the next bill, or no scheduled change. */
interface UpdateRequest {
  readonly items?: readonly { readonly price_id: string }[];
  readonly proration_billing_mode?: string;
  readonly next_billed_at?: string;
  readonly scheduled_change?: null;
}

/** Changes a subscription, and charges first what is due now. Throws `subscription_payment_declined`, and then nothing changes. */
export function update(seller: Seller, subscription: ISubscriptionResponse, request: UpdateRequest): void {
  const { changes, dueNow } = changesOf(seller, subscription, request);
  if (dueNow > 0) {
    const result = { ...subscription, ...changes };
    const transaction = addBill(seller, result, { amount: dueNow, origin: 'subscription_update', status: 'billed' });
    const isPaid = charge(seller, transaction, seller.state.cards[subscription.id] ?? '');
    close(seller, transaction, isPaid ? 'completed' : 'canceled');
    if (!isPaid) throw new PaddleRefusal('subscription_payment_declined', 'The card was declined.');
  }
  change(seller, subscription, changes);
}

/** Returns what an update would change and charge. */
export function preview(seller: Seller, subscription: ISubscriptionResponse, request: UpdateRequest): ISubscriptionPreviewResponse {
  const { changes, dueNow } = changesOf(seller, subscription, request);
  const result = { ...subscription, ...changes };
  const { current_billing_period: period, next_billed_at: nextBill, scheduled_change } = result;
  const price = priceOf(result);
  const details = detailsOf(amountOf(price));
  const nextPeriod = nextBill && !scheduled_change ? periodFrom(Date.parse(nextBill), cycleOf(price)) : undefined;
  return {
    ...result,
    immediate_transaction: period && dueNow > 0 ? { billing_period: period, details: detailsOf(dueNow), adjustments: [] } : null,
    next_transaction: nextPeriod ? { billing_period: nextPeriod, details, adjustments: [] } : null,
    recurring_transaction_details: details,
  };
}

/**
 * The rules of a change. Charged immediately, a price costs its share of the days left, less what the same days cost before; a cycle of
 * another length starts a new period at the full price. Otherwise the new price counts from the next bill. Unused credit is lost.
 */
function changesOf(
  seller: Seller,
  subscription: ISubscriptionResponse,
  { items, proration_billing_mode: mode, next_billed_at: nextBill, scheduled_change: scheduledChange }: UpdateRequest,
): { readonly changes: Partial<ISubscriptionResponse>; readonly dueNow: number } {
  const { status, current_billing_period: currentPeriod } = subscription;
  if (status === 'canceled') throw new PaddleRefusal('subscription_update_when_canceled', 'The subscription is canceled.');
  if (status === 'past_due' && items) throw new PaddleRefusal('subscription_update_when_past_due', 'A payment is past due.');
  if (scheduledChange === null || !currentPeriod) return { changes: { scheduled_change: null }, dueNow: 0 };
  const previousPrice = priceOf(subscription);
  const price = items ? byId(seller.state.prices, items[0]?.price_id ?? '') : previousPrice;
  const isImmediate = mode === 'prorated_immediately';
  const isRestarted = isImmediate && cycleOf(price).interval !== cycleOf(previousPrice).interval;
  const share = shareLeft(currentPeriod, seller.now());
  const cost = amountOf(price) * (isRestarted ? 1 : share) - amountOf(previousPrice) * share;
  const period = isRestarted ? periodFrom(seller.now(), cycleOf(price)) : { ...currentPeriod, ends_at: nextBill ?? currentPeriod.ends_at };
  return {
    changes: periodFields(seller, price, { period, isTrial: status === 'trialing' }),
    dueNow: isImmediate ? Math.max(0, Math.round(cost)) : 0,
  };
}

/** Returns the transaction by which a card is changed: the debt if one is due, otherwise one that costs nothing. */
export function cardChange(seller: Seller, subscription: ISubscriptionResponse): ITransactionResponse {
  if (subscription.status === 'canceled')
    throw new PaddleRefusal('subscription_is_canceled_action_invalid', 'The subscription is canceled.');
  const free = { amount: 0, origin: 'subscription_payment_method_change', status: 'ready' } as const;
  return debtOf(seller, subscription) ?? addBill(seller, subscription, free);
}

export const debtOf = (seller: Seller, subscription: ISubscriptionResponse): ITransactionResponse | undefined =>
  transactionsOf(seller, subscription).find(({ status }) => status === 'past_due');

/** Bills the current period. Returns false if the card is declined: the subscription is past due. */
function bill(seller: Seller, subscription: ISubscriptionResponse): boolean {
  const amount = amountOf(priceOf(subscription));
  const transaction = addBill(seller, subscription, { amount, origin: 'subscription_recurring', status: 'billed' });
  if (charge(seller, transaction, seller.state.cards[subscription.id] ?? '')) {
    close(seller, transaction, 'completed');
    return true;
  }
  transaction.status = 'past_due';
  seller.report('transaction.past_due', transaction);
  change(seller, subscription, { status: 'past_due' });
  seller.report('subscription.past_due', subscription);
  return false;
}

type NewBill = Pick<NewTransaction, 'amount' | 'origin' | 'status'>;

function addBill(seller: Seller, subscription: ISubscriptionResponse, fields: NewBill): ITransactionResponse {
  const { id, customer_id, custom_data = null } = subscription;
  return addTransaction(seller, priceOf(subscription), { customer_id, custom_data, subscription_id: id, ...fields });
}

function startPeriod(seller: Seller, subscription: ISubscriptionResponse, start: number): void {
  const price = priceOf(subscription);
  const period = periodFrom(start, cycleOf(price));
  change(seller, subscription, { status: 'active', paused_at: null, ...periodFields(seller, price, { period, isTrial: false }) });
}

function change(seller: Seller, subscription: ISubscriptionResponse, changes: Partial<ISubscriptionResponse>): void {
  Object.assign(subscription, changes, { updated_at: seller.timestamp() });
  seller.report('subscription.updated', subscription);
}

function requireStatus({ status }: ISubscriptionResponse, allowed: readonly ISubscriptionResponse['status'][]): void {
  if (!allowed.includes(status)) throw new PaddleRefusal('bad_request', `The subscription is ${status.replace('_', ' ')}.`);
}
