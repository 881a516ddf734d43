import type { Money } from '#contract/billing/subscription.ts';

/** "$240.00", "-€5.00", "¥500": an amount in English, with the digits that its currency has. */
export function moneyInWords({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
}
