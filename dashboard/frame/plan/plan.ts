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
    Plan: plan ?? 'None',
    Status: statusOf(subscription),
    'Pay frequency': isCharged ? paymentFrequency : undefined,
    'Plan cost': isCharged ? costInWords(plan, paymentFrequency) : undefined,
    'Next bill': nextBill(subscription),
  };
}

function statusOf({ phase, status, trialEndsAt, payment, endedAt }: Subscription): string {
  if (payment?.cancelAt !== undefined) return `Ends on ${day(payment.cancelAt)}`;
  if (phase === 'trial' && trialEndsAt !== undefined) return `${PHASE_WORDS.trial} until ${day(trialEndsAt)}`;
  if (phase === 'grace' && payment?.graceEndsAt !== undefined)
    return `${PHASE_WORDS.grace}; everything works until ${day(payment.graceEndsAt)}`;
  if (phase !== 'ended') return PHASE_WORDS[phase];
  if (status === 'paused') return 'Paused';
  if (status === 'past_due') return PHASE_WORDS.grace;
  const at = endedAt ?? trialEndsAt;
  return at === undefined ? PHASE_WORDS.ended : `${endedAt === undefined ? t('Free trial ended') : PHASE_WORDS.ended} on ${day(at)}`;
}

/** Returns when the next payment is due; none in a trial without a payment method. */
function nextBill({ phase, payment, billingDate, paymentFrequency }: Subscription): string | undefined {
  if (phase === 'trial' && payment === undefined) return t('None until payment is set up');
  if (payment?.cancelAt !== undefined || (phase !== 'trial' && phase !== 'paid')) return undefined;
  if (payment?.nextBilledAt !== undefined) return day(payment.nextBilledAt);
  if (payment !== undefined || billingDate === undefined) return undefined;
  return paymentFrequency === 'Annual' ? `Day ${billingDate}, once a year` : `Day ${billingDate} of the month`;
}
