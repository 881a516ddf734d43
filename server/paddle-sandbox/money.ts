import type {
  CurrencyCode,
  IPriceResponse,
  IProductResponse,
  ITotals,
  ITransactionDetailsResponse,
  ITransactionLineItemResponse,
  ITransactionProrationResponse,
  ITransactionTotalsResponse,
} from '@paddle/paddle-node-sdk';

/* Amounts are whole minor units of the currency here, and strings of them on the wire. */

export const CURRENCY: CurrencyCode = 'USD';

/** What is sold: a price, so many times. */
export interface SoldItem {
  readonly price: IPriceResponse;
  readonly product: IProductResponse;
  readonly quantity: number;
}

/** A line of a transaction, with what it comes to. */
export interface SoldLine extends SoldItem {
  readonly id: string;
  readonly amount: number;
  readonly proration?: ITransactionProrationResponse;
}

/** What an item costs for one cycle. */
export const costOf = ({ price, quantity }: SoldItem): number => Number(price.unit_price.amount) * quantity;

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** The details of a transaction; `credit` is what the customer has in store and does not pay. No tax: it is a test. */
export function detailsOf(lines: readonly SoldLine[], credit = 0): ITransactionDetailsResponse & { totals: ITransactionTotalsResponse } {
  const total = sumOf(lines.map(({ amount }) => amount));
  const used = Math.min(credit, total);
  return {
    tax_rates_used: [{ tax_rate: '0', totals: totalsOf(total) }],
    totals: {
      ...totalsOf(total),
      credit: String(used),
      credit_to_balance: '0',
      balance: String(total - used),
      grand_total: String(total - used),
      grand_total_tax: '0',
      fee: null,
      earnings: null,
      currency_code: CURRENCY,
    },
    adjusted_totals: {
      ...totalsOf(total),
      grand_total: String(total - used),
      grand_total_tax: '0',
      fee: '0',
      earnings: '0',
      retained_fee: '0',
      currency_code: CURRENCY,
    },
    payout_totals: null,
    adjusted_payout_totals: null,
    line_items: lines.map(lineItemOf),
  };
}

function lineItemOf({ id, price, product, quantity, amount, proration }: SoldLine): ITransactionLineItemResponse {
  return {
    id,
    price_id: price.id,
    quantity,
    proration: proration ?? null,
    tax_rate: '0',
    unit_totals: totalsOf(Math.round(amount / quantity)),
    totals: totalsOf(amount),
    product,
  };
}

const totalsOf = (amount: number): ITotals => ({ subtotal: String(amount), discount: '0', tax: '0', total: String(amount) });
