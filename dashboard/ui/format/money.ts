import type { Money } from '#contract/billing/subscription.ts';

/** Returns an amount in English with its currency's digits: "$240.00", "-€5.00", "¥500". */
export function moneyInWords({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
}
