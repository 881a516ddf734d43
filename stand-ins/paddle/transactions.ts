import { randomUUID } from 'node:crypto';
import type {
  IPriceResponse,
  ISubscriptionResponse,
  ITransactionDetailsPreviewResponse,
  ITransactionPaymentAttemptResponse,
  ITransactionResponse,
} from '@paddle/paddle-node-sdk';
import { amountOf } from './periods.ts';
import { byId, PaddleRefusal } from './refusal.ts';
import type { Seller } from './seller.ts';

/* Amounts are US cents. There is no tax, and no balance of credit. */

/** The last four digits of the test cards. */
export const CARDS = { good: '4242', other: '4444', declined: '0002' } as const;

/** A request for a checkout of one item. */
interface NewCheckout extends Required<Pick<ITransactionResponse, 'customer_id' | 'custom_data'>> {
  readonly items: readonly { readonly price_id: string }[];
}

/** Opens a checkout. A trial costs nothing today. */
export function createCheckout(seller: Seller, { items, customer_id, custom_data }: NewCheckout): ITransactionResponse {
  const price = byId(seller.state.prices, items[0]?.price_id ?? '');
  const amount = price.trial_period ? 0 : amountOf(price);
  return addTransaction(seller, price, { amount, customer_id, custom_data, origin: 'api', status: 'ready' });
}

export type NewTransaction = Pick<ITransactionResponse, 'origin' | 'status' | 'customer_id' | 'custom_data' | 'subscription_id'> & {
  readonly amount: number;
};

/** Adds a transaction for one item. */
export function addTransaction(seller: Seller, price: IPriceResponse, { amount, ...fields }: NewTransaction): ITransactionResponse {
  const at = seller.timestamp();
  const transaction: ITransactionResponse = {
    ...{ id: seller.newId('txn'), currency_code: 'USD', collection_mode: 'automatic', created_at: at, updated_at: at, payments: [] },
    items: [{ price, quantity: 1 }],
    details: detailsOf(amount),
    ...fields,
  };
  seller.state.transactions[transaction.id] = transaction;
  return transaction;
}

export function detailsOf(amount: number): ITransactionDetailsPreviewResponse & { line_items: [] } {
  const sum = String(amount);
  const totals = { subtotal: sum, discount: '0', tax: '0', total: sum, credit: '0', credit_to_balance: '0', balance: sum };
  return { tax_rates_used: [], totals: { ...totals, grand_total: sum, grand_total_tax: '0', currency_code: 'USD' }, line_items: [] };
}

export const dueOf = ({ details }: ITransactionResponse): number => Number(details?.totals?.grand_total ?? 0);

export const isPayable = ({ status }: ITransactionResponse): boolean => status === 'ready' || status === 'past_due';

/** Charges a card. Returns false, and reports it, if the card is declined. */
export function charge(seller: Seller, transaction: ITransactionResponse, card: string): boolean {
  const { faults, subscriptions } = seller.state;
  const isDeclined = card === CARDS.declined || faults.declinesNextCharge;
  faults.declinesNextCharge = false;
  transaction.payments.unshift({
    ...attemptWith(seller, card),
    amount: String(dueOf(transaction)),
    status: isDeclined ? 'error' : 'captured',
  });
  transaction.updated_at = seller.timestamp();
  if (isDeclined) {
    seller.report('transaction.payment_failed', transaction);
    return false;
  }
  transaction.billed_at ??= transaction.updated_at;
  const subscription = subscriptions[transaction.subscription_id ?? ''];
  if (subscription && dueOf(transaction) > 0) subscription.first_billed_at ??= transaction.billed_at;
  return true;
}

function attemptWith(seller: Seller, last4: string): Omit<ITransactionPaymentAttemptResponse, 'amount' | 'status'> {
  const card = { type: 'visa', last4, cardholder_name: 'Test Customer', expiry_month: 12, expiry_year: 2099 } as const;
  return {
    ...{ payment_attempt_id: randomUUID(), stored_payment_method_id: randomUUID(), payment_method_id: null },
    method_details: { type: 'card', card, paypal: null, south_korea_local_card: null, underlying_details: null },
    created_at: seller.timestamp(),
  };
}

/** Closes a transaction, with the next invoice number if it was paid. */
export function close(seller: Seller, transaction: ITransactionResponse, status: 'completed' | 'canceled'): void {
  const { state } = seller;
  if (status === 'completed') {
    state.invoices += 1;
    transaction.invoice_number = `TEST-${String(state.invoices).padStart(5, '0')}`;
  }
  Object.assign(transaction, { status, updated_at: seller.timestamp() });
  seller.report(`transaction.${status}`, transaction);
}

/** The transactions of a subscription, oldest first. */
export const transactionsOf = ({ state }: Seller, { id }: ISubscriptionResponse): ITransactionResponse[] =>
  Object.values(state.transactions).filter(({ subscription_id }) => subscription_id === id);

/** Refunds the last payment of a subscription in full. */
export function refund(seller: Seller, subscription: ISubscriptionResponse): void {
  const payment = transactionsOf(seller, subscription).findLast(
    (transaction) => transaction.status === 'completed' && dueOf(transaction) > 0 && !transaction.adjustments_totals,
  );
  if (!payment) throw new PaddleRefusal('bad_request', 'There is no payment to refund.');
  const total = String(dueOf(payment));
  const totals = { subtotal: total, tax: '0', total, fee: '0', earnings: '0', currency_code: 'USD' } as const;
  payment.adjustments_totals = { ...totals, breakdown: { credit: '0', refund: total, chargeback: '0' } };
}
