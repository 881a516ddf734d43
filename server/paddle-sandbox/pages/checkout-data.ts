import type { ITransactionResponse } from '@paddle/paddle-node-sdk';
import type { SandboxWorld } from '../world.ts';

/* What Paddle.js tells the page around the checkout: amounts are numbers in dollars there, unlike the API's. */

/** An event of Paddle.js, with its data. */
export interface CheckoutEvent {
  readonly name: string;
  readonly data?: object;
  readonly type?: string;
  readonly code?: string;
  readonly detail?: string;
  readonly documentation_url?: string;
}

export function checkoutData({ state }: SandboxWorld, transaction: ITransactionResponse): object {
  const customer = state.customers[transaction.customer_id ?? ''];
  const address = state.addresses[transaction.address_id ?? ''];
  const [payment] = transaction.payments;
  const card = payment?.method_details?.card;
  const lines = transaction.details?.line_items ?? [];
  return {
    id: transaction.id.replace('txn_', 'che_'),
    transaction_id: transaction.id,
    status: transaction.status,
    currency_code: transaction.currency_code,
    custom_data: transaction.custom_data ?? null,
    customer: {
      id: customer?.id,
      email: customer?.email,
      address: address
        ? {
            id: address.id,
            country_code: address.country_code,
            postal_code: address.postal_code ?? '',
            city: '',
            region: '',
            first_line: '',
          }
        : null,
      business: null,
    },
    items: transaction.items.map(({ price, quantity }, place) => ({
      price_id: price?.id,
      price_name: price?.name ?? null,
      product: { id: price?.product_id, name: state.products[price?.product_id ?? '']?.name },
      quantity,
      billing_cycle: price?.billing_cycle ?? undefined,
      trial_period: price?.trial_period ?? undefined,
      totals: totalsIn(lines[place]?.totals?.total),
      recurring_totals: totalsIn(String(Number(price?.unit_price.amount ?? 0) * quantity)),
    })),
    totals: { ...totalsIn(transaction.details?.totals?.grand_total), credit: 0, balance: dollarsIn(transaction.details?.totals?.balance) },
    recurring_totals: totalsIn(String(recurringTotal(transaction))),
    payment: {
      method_details: card
        ? { type: 'card', card: { type: card.type, last4: card.last4, expiry_month: card.expiry_month, expiry_year: card.expiry_year } }
        : { type: 'none' },
    },
    settings: { display_mode: 'overlay', theme: 'light' },
    discount: null,
    upsell: null,
  };
}

/** What the items cost every cycle (minor units). */
export const recurringTotal = ({ items }: ITransactionResponse): number =>
  items.reduce((sum, { price, quantity }) => sum + (price?.billing_cycle ? Number(price.unit_price.amount) * quantity : 0), 0);

const dollarsIn = (amount: string | undefined): number => Number(amount ?? 0) / 100;

const totalsIn = (amount: string | undefined) => ({ subtotal: dollarsIn(amount), discount: 0, tax: 0, total: dollarsIn(amount) });
