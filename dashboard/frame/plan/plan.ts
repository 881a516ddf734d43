import type { Account } from '#contract/account/account.ts';
import { costInWords, PHASE_WORDS, type Subscription } from '#contract/billing/billing.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { useSource } from '../../data/source.ts';
import { usePublicConfig } from '../../data/usePublicConfig.ts';
import { day } from '../../ui/format/time.ts';

/** Who takes the money here. The demo shows billing in every installation, and moves no money. */
function useBillingKind(): PublicConfig['billing']['kind'] {
  const { billing } = usePublicConfig() ?? {};
  return useSource().id === 'demo' ? 'sandbox' : (billing?.kind ?? 'none');
}

/** Whether plans are chosen and paid for here. Otherwise no page mentions plans, prices, trials or payments. */
export const useIsBilled = (): boolean => useBillingKind() !== 'none';

/** Whether payments here move no money. */
export const useIsTestMode = (): boolean => useBillingKind() === 'sandbox';

/** What an account is signed up for, by name. A free plan has no costs and bills. */
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
  return at === undefined ? PHASE_WORDS.ended : `${endedAt === undefined ? 'Free trial ended' : PHASE_WORDS.ended} on ${day(at)}`;
}

/** When the provider asks for the next payment. In a trial that nothing was set up in, none comes. */
function nextBill({ phase, payment, billingDate, paymentFrequency }: Subscription): string | undefined {
  if (phase === 'trial' && payment === undefined) return 'None until payment is set up';
  if (payment?.cancelAt !== undefined || (phase !== 'trial' && phase !== 'paid')) return undefined;
  if (payment?.nextBilledAt !== undefined) return day(payment.nextBilledAt);
  if (payment !== undefined || billingDate === undefined) return undefined;
  return paymentFrequency === 'Annual' ? `Day ${billingDate}, once a year` : `Day ${billingDate} of the month`;
}
