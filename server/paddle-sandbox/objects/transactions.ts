import type { ICustomData, ITransactionResponse } from '@paddle/paddle-node-sdk';
import { ApiRefusal, badField, notFound } from '../api-error.ts';
import { CURRENCY, costOf, detailsOf, type SoldItem, type SoldLine } from '../money.ts';
import type { Fields } from '../request-fields.ts';
import type { SandboxWorld } from '../world.ts';
import { itemsOf } from './catalog.ts';
import { addressOf, customerById } from './customers.ts';

export function transactionById({ state }: SandboxWorld, id: string): ITransactionResponse {
  const transaction = state.transactions[id];
  if (!transaction) throw notFound(`Transaction ${id}`);
  return transaction;
}

/** What `POST /transactions` does. `link` is where checkouts open when the request does not say it. */
export function createTransaction(world: SandboxWorld, fields: Fields, link: string | undefined): ITransactionResponse {
  const given = fields.has('checkout') ? fields.object('checkout').optionalText('url') : undefined;
  const url = given ?? link;
  if (url === undefined)
    throw new ApiRefusal(
      400,
      'transaction_default_checkout_url_not_set',
      'A Default Payment Link has not yet been defined within the Paddle Dashboard, find it under checkout settings.',
    );
  if (!URL.canParse(url)) throw badField('checkout.url', 'must be a valid URL');
  const customerId = fields.optionalText('customer_id');
  if (customerId !== undefined) customerById(world, customerId);
  if ((fields.optionalText('collection_mode') ?? 'automatic') !== 'automatic')
    throw badField('collection_mode', 'this sandbox collects automatically only');
  const items = itemsOf(world, fields);
  // While a trial lasts nothing is paid.
  const lines = items.map((item) => lineOf(world, item, item.price.trial_period ? 0 : costOf(item)));
  const transaction = addTransaction(world, {
    lines,
    origin: 'api',
    customerId: customerId ?? null,
    customData: fields.customData(),
    link: url,
  });
  world.report('transaction.created', transaction);
  if (fields.has('address_id') && transaction.customer_id) becomeReady(world, transaction);
  return transaction;
}

export const lineOf = (world: SandboxWorld, item: SoldItem, amount: number): SoldLine => ({ ...item, id: world.newId('txnitm'), amount });

interface NewTransaction {
  readonly lines: readonly SoldLine[];
  readonly origin: ITransactionResponse['origin'];
  readonly customerId: string | null;
  readonly customData: ICustomData | null;
  /** Where its checkout opens; null: nowhere. */
  readonly link: string | null;
  /** What the customer has in store (minor units). */
  readonly credit?: number;
  readonly of?: Partial<Pick<ITransactionResponse, 'status' | 'subscription_id' | 'address_id' | 'billed_at' | 'billing_period'>>;
}

/** Adds a transaction, a draft where nothing else is said, and says nothing of it yet. */
export function addTransaction(
  world: SandboxWorld,
  { lines, origin, customerId, customData, link, credit, of }: NewTransaction,
): ITransactionResponse {
  const at = world.moment();
  const id = world.newId('txn');
  const transaction: ITransactionResponse = {
    id,
    status: 'draft',
    customer_id: customerId,
    address_id: null,
    business_id: null,
    custom_data: customData,
    currency_code: CURRENCY,
    origin,
    subscription_id: null,
    invoice_id: null,
    invoice_number: null,
    collection_mode: 'automatic',
    discount_id: null,
    billing_details: null,
    billing_period: null,
    items: lines.map(({ price, quantity, proration }) => ({ price_id: price.id, price, quantity, proration: proration ?? null })),
    details: detailsOf(lines, credit),
    payments: [],
    checkout: { url: link === null ? null : linkTo(link, id) },
    created_at: at,
    updated_at: at,
    billed_at: null,
    revised_at: null,
    ...of,
  };
  world.state.transactions[id] = transaction;
  return transaction;
}

/** Changes a transaction and says so: `transaction.updated`, and an event of its new status where that is told by itself. */
export function changeTransaction(world: SandboxWorld, transaction: ITransactionResponse, changes: Partial<ITransactionResponse>): void {
  const hasNewStatus = changes.status !== undefined && changes.status !== transaction.status;
  Object.assign(transaction, changes, { updated_at: world.moment() });
  world.report('transaction.updated', transaction);
  if (hasNewStatus && transaction.status !== 'draft') world.report(`transaction.${transaction.status}`, transaction);
}

/** A transaction is ready once it has a customer and an address. */
export function becomeReady(world: SandboxWorld, transaction: ITransactionResponse): void {
  if (!transaction.customer_id) throw badField('customer_id', 'must be provided as part of the request');
  if (transaction.status !== 'draft') return;
  changeTransaction(world, transaction, { status: 'ready', address_id: addressOf(world, transaction.customer_id).id });
}

/** Numbers its invoice, and it is done. */
export function completeTransaction(world: SandboxWorld, transaction: ITransactionResponse): void {
  world.state.invoices += 1;
  const { totals, adjusted_totals } = transaction.details ?? {};
  if (totals) Object.assign(totals, { balance: '0', fee: '0', earnings: totals.grand_total });
  if (adjusted_totals && totals) Object.assign(adjusted_totals, { earnings: totals.grand_total });
  changeTransaction(world, transaction, {
    status: 'completed',
    invoice_id: world.newId('inv'),
    invoice_number: `TEST-${String(world.state.invoices).padStart(5, '0')}`,
  });
}

/** What `PATCH /transactions/:id` does: cancels it, or changes items, customer or data while it is not billed. */
export function updateTransaction(world: SandboxWorld, id: string, fields: Fields): ITransactionResponse {
  const transaction = transactionById(world, id);
  const status = fields.optionalText('status');
  const isOpen = transaction.status === 'draft' || transaction.status === 'ready';
  if (status !== undefined && !(status === 'canceled' && isOpen)) {
    const detail = `Invalid attempt to change status from '${transaction.status}' to '${status}'`;
    throw new ApiRefusal(400, 'transaction_invalid_status_change', detail);
  }
  if (!isOpen) throw new ApiRefusal(400, 'transaction_immutable', 'transaction is immutable as it has been billed or canceled');
  const changes: Partial<ITransactionResponse> = status === 'canceled' ? { status } : {};
  if (fields.has('custom_data')) changes.custom_data = fields.customData();
  if (fields.has('customer_id')) changes.customer_id = customerById(world, fields.text('customer_id')).id;
  if (fields.has('items')) {
    const lines = itemsOf(world, fields).map((item) => lineOf(world, item, item.price.trial_period ? 0 : costOf(item)));
    changes.items = lines.map(({ price, quantity }) => ({ price_id: price.id, price, quantity, proration: null }));
    changes.details = detailsOf(lines);
  }
  changeTransaction(world, transaction, changes);
  return transaction;
}

/** The newest transaction of a subscription that fits. */
export const latestOf = (
  { state }: SandboxWorld,
  subscriptionId: string,
  fits: (transaction: ITransactionResponse) => boolean,
): ITransactionResponse | undefined =>
  Object.values(state.transactions).findLast((each) => each.subscription_id === subscriptionId && fits(each));

/** What a transaction comes to, to be paid (minor units). */
export const dueOf = ({ details }: ITransactionResponse): number => Number(details?.totals?.grand_total ?? 0);

function linkTo(link: string, id: string): string {
  const url = new URL(link);
  url.searchParams.set('_ptxn', id);
  return url.href;
}
