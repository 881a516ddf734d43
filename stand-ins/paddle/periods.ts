import type { IPriceResponse, ISubscriptionResponse, ISubscriptionTimePeriodResponse, ITimePeriod } from '@paddle/paddle-node-sdk';
import { byId } from './refusal.ts';
import type { Seller } from './seller.ts';

/* Times are UTC ms here, and ISO 8601 in records. */

const DAY = 86_400_000;

const isoOf = (time: number): string => new Date(time).toISOString();

/** Returns the period from a time on. A month that is too short ends on its last day. */
export function periodFrom(start: number, { interval, frequency }: ITimePeriod): ISubscriptionTimePeriodResponse {
  if (interval === 'day') return { starts_at: isoOf(start), ends_at: isoOf(start + frequency * DAY) };
  const end = new Date(start);
  const month = end.getUTCMonth() + frequency * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), month + 1, 0)).getUTCDate();
  end.setUTCMonth(month, Math.min(end.getUTCDate(), lastDay));
  return { starts_at: isoOf(start), ends_at: end.toISOString() };
}

/** Returns the share of a period's days that are left, 0 to 1. */
export function shareLeft({ starts_at, ends_at }: ISubscriptionTimePeriodResponse, now: number): number {
  const [start, end] = [Date.parse(starts_at), Date.parse(ends_at)];
  const share = Math.ceil((end - now) / DAY) / Math.round((end - start) / DAY);
  return Math.min(1, Math.max(0, share));
}

/** How often a price is billed. Every price here recurs. */
export const cycleOf = ({ billing_cycle }: IPriceResponse): ITimePeriod => billing_cycle ?? { interval: 'month', frequency: 1 };

/** US cents. */
export const amountOf = ({ unit_price }: IPriceResponse): number => Number(unit_price.amount);

/** Returns the price of the one item of a subscription or transaction. */
export function priceOf({ items }: { readonly items: readonly { readonly price?: IPriceResponse | null }[] }): IPriceResponse {
  const price = items[0]?.price;
  if (!price) throw new Error('Every record has an item with a price.');
  return price;
}

/** Returns the fields of a subscription that follow from its price and its period. */
export function periodFields(
  { state }: Seller,
  price: IPriceResponse,
  { period, isTrial }: { readonly period: ISubscriptionTimePeriodResponse; readonly isTrial: boolean },
): Pick<ISubscriptionResponse, 'current_billing_period' | 'next_billed_at' | 'billing_cycle' | 'items'> {
  const { starts_at: start, ends_at: end } = period;
  const dates = { created_at: start, updated_at: start, next_billed_at: end, trial_dates: isTrial ? period : null };
  const product = byId(state.products, price.product_id);
  return {
    current_billing_period: period,
    next_billed_at: end,
    billing_cycle: cycleOf(price),
    items: [{ status: isTrial ? 'trialing' : 'active', quantity: 1, recurring: true, ...dates, price, product }],
  };
}
