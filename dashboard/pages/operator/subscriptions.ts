import type { ListedAccount } from '#contract/account/account.ts';
import { costInWords, daysUntil, PHASE_WORDS, type Subscription } from '#contract/billing/billing.ts';
import { GRACE } from '#contract/billing/billing-state.ts';
import { addDays, calendarDay, DAY, isoDay, parseDay, startOfDay } from '#contract/core/time.ts';
import type { Done } from '../../data/source.ts';
import { t } from '../../language.ts';
import { day } from '../../ui/format/time.ts';

export type ListedSubscription = Done<'account', 'listSubscriptions'>['subscriptions'][number];

/** Trials with this many days left or fewer get a warning. */
const FEW_DAYS = 7;

interface StatusLabel {
  readonly label: string;
  readonly tone: 'accent' | 'ok' | 'warn' | 'bad' | 'plain';
  /** The relevant date, such as the next bill. */
  readonly when?: string;
}

/** Returns a subscription's status at a moment (UTC ms), for operators. */
export function subscriptionStatusOf({ status, phase, trialEndsAt, payment, endedAt }: Subscription, now: number): StatusLabel {
  if (phase === 'none') return { label: t('Free'), tone: 'plain' };
  if (status === 'past_due') {
    const since = payment?.graceEndsAt === undefined ? '' : t('Past due since {date}', { date: day(payment.graceEndsAt - GRACE) });
    return { label: t('Past due'), tone: 'bad', when: since };
  }
  if (status === 'paused') return { label: t('Paused'), tone: 'warn' };
  if (payment?.cancelAt !== undefined)
    return { label: t('Ending'), tone: 'warn', when: t('Ends on {date}', { date: day(payment.cancelAt) }) };
  if (phase === 'trial' && trialEndsAt !== undefined) {
    const left = daysUntil(trialEndsAt, now);
    return {
      label: t('Trial'),
      tone: payment || left > FEW_DAYS ? 'accent' : 'warn',
      when: payment
        ? t.count(left, 'Bought, {count} day left', 'Bought, {count} days left')
        : t.count(left, '{count} day left', '{count} days left'),
    };
  }
  if (phase === 'ended') {
    const at = endedAt ?? trialEndsAt;
    return {
      label: t(PHASE_WORDS.ended),
      tone: 'bad',
      ...(at !== undefined && {
        when: endedAt === undefined ? t('Trial until {date}', { date: day(at) }) : t('On {date}', { date: day(at) }),
      }),
    };
  }
  return {
    label: t(PHASE_WORDS[phase]),
    tone: 'ok',
    when: payment?.nextBilledAt === undefined ? t('No payment') : t('Next bill {date}', { date: day(payment.nextBilledAt) }),
  };
}

interface AccountStatusOptions {
  readonly isBilled: boolean;
  /** UTC ms. */
  readonly now: number;
}

/** Returns an account's status, which may be deleted or signing up. Without billing, every other account is active. */
export function accountStatusOf({ account, deletedAt }: ListedAccount, { isBilled, now }: AccountStatusOptions): StatusLabel {
  const { subscription } = account.data;
  if (deletedAt !== undefined) return { label: t('Deleted'), tone: 'bad' };
  if (subscription.status === 'inactive') return { label: t('Signing up'), tone: 'plain' };
  return isBilled ? subscriptionStatusOf(subscription, now) : { label: t('Active'), tone: 'accent' };
}

/** Returns the plan with its cost: "Pro, $240/yr". */
export const planInWords = ({ plan, paymentFrequency }: Subscription): string =>
  plan && paymentFrequency && plan !== 'Beta' ? `${plan}, ${costInWords(t, plan, paymentFrequency)}` : (plan ?? t('No plan'));

/** Returns why the trial can't be extended; undefined if it can. */
export function whyNoTrial({ phase, payment }: Subscription): string | undefined {
  if (payment) return t('A subscription is running.');
  return phase === 'none' ? t('The plan is free.') : undefined;
}

/** Returns why the account can't be given Beta; undefined if it can. */
export function whyNoBeta({ phase, payment }: Subscription): string | undefined {
  if (payment) return t('A subscription is running. Cancel that with the payment provider first.');
  return phase === 'none' ? t('The plan is already free.') : undefined;
}

interface TrialDays {
  /** The first and last days to choose from, as `yyyy-mm-dd`. */
  readonly first: string;
  readonly last: string;
  readonly suggested: string;
}

interface TrialDaysOptions {
  readonly zone: string;
  /** In the sandbox a trial can also end yesterday, to try what happens then. */
  readonly isSandbox: boolean;
}

/** Returns the possible last days of a trial: tomorrow to a year ahead, less a day for clock differences. Suggests ten more days. */
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

/** Returns the end of the chosen day (UTC ms); undefined if it is out of range. */
export function endOfTrialDay(chosen: string, { first, last }: TrialDays, zone: string): number | undefined {
  const parsed = parseDay(chosen);
  return parsed && chosen >= first && chosen <= last ? startOfDay(addDays(parsed, 1), zone) - 1 : undefined;
}
