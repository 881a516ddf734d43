import type { Account } from '#contract/account.ts';
import { costInWords, PHASE_WORDS, type Subscription } from '#contract/billing.ts';
import { usePublicConfig } from '../data/usePublicConfig.ts';
import { day } from '../ui/time.ts';

/** Whether plans are chosen and shown here. */
export const useHasPlans = (): boolean => usePublicConfig()?.billing.hasPlans ?? true;

/** Whether a plan is paid for here: elsewhere nothing is shown of payments. */
export function useIsBilled(): boolean {
  const kind = usePublicConfig()?.billing.kind;
  return kind !== undefined && kind !== 'none';
}

/** What an account is signed up for, by name. Where nobody pays, nothing is said of costs and bills. */
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

const statusOf = ({ phase, trialEndsAt }: Subscription): string =>
  phase === 'trial' && trialEndsAt !== undefined ? `${PHASE_WORDS.trial} until ${day(trialEndsAt)}` : PHASE_WORDS[phase];

function nextBill({ phase, trialEndsAt, billingDate, paymentFrequency }: Subscription): string | undefined {
  if (phase === 'trial' && trialEndsAt !== undefined) return day(trialEndsAt);
  if (phase !== 'paid' || billingDate === undefined) return undefined;
  return paymentFrequency === 'Annual' ? `Day ${billingDate}, once a year` : `Day ${billingDate} of the month`;
}
