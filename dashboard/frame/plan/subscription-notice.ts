import { daysUntil, type Subscription } from '#contract/billing/billing.ts';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { day } from '../../ui/format/time.ts';

/** The action offered: choose a plan, update the payment, keep a canceled subscription, or resume a paused one. */
export type NoticeAct = 'choose' | 'update-payment' | 'keep' | 'resume';

/** The notice about a subscription above every page. */
interface SubscriptionNotice {
  readonly tone: 'plain' | 'warn' | 'bad';
  /** Present if the pages are read-only, such as "Your free trial has ended." */
  readonly heading?: string;
  readonly text: string;
  /** Missing for people who can only ask an admin. */
  readonly act?: NoticeAct;
}

interface Reader {
  /** UTC ms. */
  readonly now: number;
  readonly isAdmin: boolean;
  /** The names of the admins to ask. */
  readonly admins: string;
}

/** A trial's notice becomes a warning when this many days are left. */
const WARNING_DAYS = 7;

const READ_ONLY = translatable('Your team can read and export everything, but not make changes.');

/**
 * Returns the notice about what ends soon, failed or has ended; undefined if there is none. Non-admins see only that it has
 * ended. The server decides the subscription's phase; the clock here only counts days.
 */
export function noticeOf(subscription: Subscription, { now, isAdmin, admins }: Reader): SubscriptionNotice | undefined {
  if (subscription.phase === 'ended') return endedNotice(subscription, { isAdmin, admins });
  return isAdmin ? runningNotice(subscription, now) : undefined;
}

function runningNotice({ phase, payment, trialEndsAt }: Subscription, now: number): SubscriptionNotice | undefined {
  if (phase === 'none') return undefined;
  if (phase === 'grace')
    return {
      tone: 'bad',
      text:
        payment?.graceEndsAt === undefined
          ? t('A payment failed. Everything works.')
          : t('A payment failed. Everything works until {date}.', { date: day(payment.graceEndsAt) }),
      act: 'update-payment',
    };
  if (payment?.cancelAt !== undefined)
    return { tone: 'warn', text: t('Your subscription ends on {date}.', { date: day(payment.cancelAt) }), act: 'keep' };
  // Someone who has set up payment needs to do nothing.
  if (phase !== 'trial' || payment || trialEndsAt === undefined) return undefined;
  const left = daysUntil(trialEndsAt, now);
  if (left > WARNING_DAYS)
    return {
      tone: 'plain',
      text: t.count(left, '{count} day left in your free trial.', '{count} days left in your free trial.'),
      act: 'choose',
    };
  return { tone: 'warn', text: endOfTrial(trialEndsAt, now), act: 'choose' };
}

function endOfTrial(end: number, now: number): string {
  const days = daysUntil(end, now);
  if (days === 0 || day(end) === day(now)) return t('Your free trial ends today.');
  if (days === 1) return t('Your free trial ends tomorrow.');
  return t.count(days, 'Your free trial ends in {count} day.', 'Your free trial ends in {count} days.');
}

function endedNotice({ status, endedAt }: Subscription, { isAdmin, admins }: Omit<Reader, 'now'>): SubscriptionNotice {
  const { heading, act, ask } = ENDS[status === 'past_due' || status === 'paused' ? status : endedAt === undefined ? 'trial' : 'over'];
  return isAdmin
    ? { tone: 'bad', heading: t(heading), text: t(READ_ONLY), act }
    : { tone: 'bad', heading: t(heading), text: `${t(READ_ONLY)} ${t(ask, { admins })}` };
}

const CHOOSE = translatable('Ask {admins} to choose a plan.');
const ENDS = {
  trial: { heading: translatable('Your free trial has ended.'), act: 'choose', ask: CHOOSE },
  over: { heading: translatable('Your subscription has ended.'), act: 'choose', ask: CHOOSE },
  past_due: {
    heading: translatable('Your payment failed.'),
    act: 'update-payment',
    ask: translatable('Ask {admins} to update the payment.'),
  },
  paused: { heading: translatable('Your subscription is paused.'), act: 'resume', ask: translatable('Ask {admins} to resume it.') },
} as const;

/** Returns when the subscription may change on its own and must be refetched (UTC ms); undefined if it won't. */
export function changesAt({ phase, payment, trialEndsAt }: Subscription): number | undefined {
  const candidates: readonly (number | undefined)[] = {
    none: [],
    ended: [],
    trial: [trialEndsAt, payment?.cancelAt],
    paid: [payment?.cancelAt],
    grace: [payment?.graceEndsAt, payment?.cancelAt],
  }[phase];
  const moments = candidates.filter((at) => at !== undefined);
  return moments.length === 0 ? undefined : Math.min(...moments);
}
