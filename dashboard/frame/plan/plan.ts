import type { Account } from '#contract/account/account.ts';
import { costInWords, PHASE_WORDS, type Subscription } from '#contract/billing/billing.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { useSource } from '../../data/source.ts';
import { usePublicConfig } from '../../data/usePublicConfig.ts';
import { t } from '../../language.ts';
import { day } from '../../ui/format/time.ts';

/** Returns how payments work here. The demo always shows billing, in test mode. */
function useBillingKind(): PublicConfig['billing']['kind'] {
  const { billing } = usePublicConfig() ?? {};
  return useSource().id === 'demo' ? 'sandbox' : (billing?.kind ?? 'none');
}

/** Returns whether plans are sold here. Otherwise no page mentions plans, prices, trials or payments. */
export const useIsBilled = (): boolean => useBillingKind() !== 'none';

/** Returns whether payments are in test mode. */
export const useIsTestMode = (): boolean => useBillingKind() === 'sandbox';

/** Returns an account's plan details by label. A free plan has no costs or bills. */
export function planFacts({ data: { subscription } }: Account): Record<string, string | undefined> {
  const { plan, paymentFrequency, phase } = subscription;
  const isCharged = phase !== 'none' && plan !== undefined && paymentFrequency !== undefined;
  return {
    [t('Plan')]: plan ?? t.in('plan', 'None'),
    [t('Status')]: statusOf(subscription),
    [t('Pay frequency')]: isCharged ? (paymentFrequency === 'Annual' ? t('Annual') : t('Monthly')) : undefined,
    [t('Plan cost')]: isCharged ? costInWords(t, plan, paymentFrequency) : undefined,
    [t('Next bill')]: nextBill(subscription),
  };
}

function statusOf({ phase, status, trialEndsAt, payment, endedAt }: Subscription): string {
  if (payment?.cancelAt !== undefined) return t('Ends on {date}', { date: day(payment.cancelAt) });
  if (phase === 'trial' && trialEndsAt !== undefined) return t('Free trial until {date}', { date: day(trialEndsAt) });
  if (phase === 'grace' && payment?.graceEndsAt !== undefined)
    return t('A payment failed; everything works until {date}', { date: day(payment.graceEndsAt) });
  if (phase !== 'ended') return t(PHASE_WORDS[phase]);
  if (status === 'paused') return t('Paused');
  if (status === 'past_due') return t(PHASE_WORDS.grace);
  const at = endedAt ?? trialEndsAt;
  if (at === undefined) return t(PHASE_WORDS.ended);
  return endedAt === undefined ? t('Free trial ended on {date}', { date: day(at) }) : t('Ended on {date}', { date: day(at) });
}

/** Returns when the next payment is due; none in a trial without a payment method. */
function nextBill({ phase, payment, billingDate, paymentFrequency }: Subscription): string | undefined {
  if (phase === 'trial' && payment === undefined) return t('None until payment is set up');
  if (payment?.cancelAt !== undefined || (phase !== 'trial' && phase !== 'paid')) return undefined;
  if (payment?.nextBilledAt !== undefined) return day(payment.nextBilledAt);
  if (payment !== undefined || billingDate === undefined) return undefined;
  return paymentFrequency === 'Annual'
    ? t('Day {day}, once a year', { day: billingDate })
    : t('Day {day} of the month', { day: billingDate });
}
