import type { Money } from '#contract/billing/subscription.ts';
import { languageShown } from '../../language.ts';

/** Returns an amount in the dashboard's language with its currency's digits: "$240.00", "-€5.00", "¥500". */
export function moneyInWords({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat(languageShown(), { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
}
