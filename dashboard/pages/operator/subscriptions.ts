import type { ListedAccount } from '#contract/account/account.ts';
import { costInWords, daysUntil, PHASE_WORDS, type Subscription } from '#contract/billing/billing.ts';
import { GRACE } from '#contract/billing/billing-state.ts';
import { addDays, calendarDay, DAY, isoDay, parseDay, startOfDay } from '#contract/core/time.ts';
import type { Done } from '../../data/source.ts';
import { day } from '../../ui/format/time.ts';

export type ListedSubscription = Done<'account', 'listSubscriptions'>['subscriptions'][number];

/** A trial with fewer days left needs a look. */
const FEW_DAYS = 7;

interface ShownStanding {
  readonly label: string;
  readonly tone: 'accent' | 'ok' | 'warn' | 'bad' | 'plain';
  /** Since when, until when, or what comes next. */
  readonly when?: string;
}

/** How a subscription stands at a moment (UTC ms), for those who run the installation. */
export function shownStandingOf({ status, phase, trialEndsAt, payment, endedAt }: Subscription, now: number): ShownStanding {
  if (phase === 'none') return { label: 'Free', tone: 'plain' };
  if (status === 'past_due') {
    const since = payment?.graceEndsAt === undefined ? '' : `Past due since ${day(payment.graceEndsAt - GRACE)}`;
    return { label: 'Past due', tone: 'bad', when: since };
  }
  if (status === 'paused') return { label: 'Paused', tone: 'warn' };
  if (payment?.cancelAt !== undefined) return { label: 'Ending', tone: 'warn', when: `Ends on ${day(payment.cancelAt)}` };
  if (phase === 'trial' && trialEndsAt !== undefined) {
    const left = daysUntil(trialEndsAt, now);
    const bought = payment ? 'Bought, ' : '';
    return {
      label: 'Trial',
      tone: payment || left > FEW_DAYS ? 'accent' : 'warn',
      when: `${bought}${left === 1 ? '1 day' : `${left} days`} left`,
    };
  }
  if (phase === 'ended') {
    const at = endedAt ?? trialEndsAt;
    return {
      label: PHASE_WORDS.ended,
      tone: 'bad',
      ...(at !== undefined && { when: `${endedAt === undefined ? 'Trial until' : 'On'} ${day(at)}` }),
    };
  }
  return {
    label: PHASE_WORDS[phase],
    tone: 'ok',
    when: payment?.nextBilledAt === undefined ? 'No payment' : `Next bill ${day(payment.nextBilledAt)}`,
  };
}

interface StandingOptions {
  readonly isBilled: boolean;
  /** UTC ms. */
  readonly now: number;
}

/** The same of an account, which may be deleted, or half signed up. Where nobody pays, nothing more is said of it. */
export function accountStandingOf({ account, deletedAt }: ListedAccount, { isBilled, now }: StandingOptions): ShownStanding {
  const { subscription } = account.data;
  if (deletedAt !== undefined) return { label: 'Deleted', tone: 'bad' };
  if (subscription.status === 'inactive') return { label: 'Signing up', tone: 'plain' };
  return isBilled ? shownStandingOf(subscription, now) : { label: 'Active', tone: 'accent' };
}

/** "Pro, $240/yr". */
export const planInWords = ({ plan, paymentFrequency }: Subscription): string =>
  plan && paymentFrequency && plan !== 'Beta' ? `${plan}, ${costInWords(plan, paymentFrequency)}` : (plan ?? 'No plan');

/** Why the trial can't be extended; undefined where it can. */
export function whyNoTrial({ phase, payment }: Subscription): string | undefined {
  if (payment) return 'A subscription is running.';
  return phase === 'none' ? 'The plan is free.' : undefined;
}

/** Why the account can't be given Beta; undefined where it can. */
export function whyNoBeta({ phase, payment }: Subscription): string | undefined {
  if (payment) return 'A subscription is running. Cancel that with the payment provider first.';
  return phase === 'none' ? 'The plan is free already.' : undefined;
}

interface TrialDays {
  /** The first and the last day that can be chosen, as `yyyy-mm-dd`. */
  readonly first: string;
  readonly last: string;
  readonly suggested: string;
}

interface TrialDaysOptions {
  readonly zone: string;
  /** Where no money moves the trial can end yesterday, too: to see what comes then. */
  readonly isSandbox: boolean;
}

/** What the end of a trial can be moved to: from tomorrow to a year ahead, with a day to spare for clocks; ten days more are suggested. */
export function trialDaysAt(
  now: number,
  { trialEndsAt = now }: Pick<Subscription, 'trialEndsAt'>,
  { zone, isSandbox }: TrialDaysOptions,
): TrialDays {
  const dayAt = (at: number): string => isoDay(calendarDay(at, zone));
  const last = now + 364 * DAY;
  return {
    first: dayAt(isSandbox ? now - DAY : now + DAY),
    last: dayAt(last),
    suggested: dayAt(Math.min(last, Math.max(now, trialEndsAt) + 10 * DAY)),
  };
}

/** The end of a day that was chosen (UTC ms); undefined where it is none of those. */
export function endOfTrialDay(chosen: string, { first, last }: TrialDays, zone: string): number | undefined {
  const parsed = parseDay(chosen);
  return parsed && chosen >= first && chosen <= last ? startOfDay(addDays(parsed, 1), zone) - 1 : undefined;
}
