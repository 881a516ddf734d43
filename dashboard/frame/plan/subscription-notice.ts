import { daysUntil, type Subscription } from '#contract/billing/billing.ts';
import { day } from '../../ui/format/time.ts';

/** What leads on: to the choice of a plan, to a payment, to keeping what is cancelled, or to going on with what is paused. */
export type NoticeAct = 'choose' | 'update-payment' | 'keep' | 'resume';

/** What is said of a subscription above every page. */
export interface SubscriptionNotice {
  readonly tone: 'plain' | 'warn' | 'bad';
  /** What happened, where the pages are read only. */
  readonly heading?: string;
  readonly text: string;
  /** Left out for those who can only ask somebody. */
  readonly act?: NoticeAct;
}

interface Reader {
  /** UTC ms. */
  readonly now: number;
  readonly isAdmin: boolean;
  /** Whom to ask, by name. */
  readonly admins: string;
}

/** The end of a trial is warned of when so many days are left; before, they are only counted. */
const DAYS_OF_NOTICE = 7;

const READ_ONLY = 'Your team can read everything but change nothing.';

/**
 * What somebody reads of their team's subscription at a moment: what ends soon, what failed, what ended and how it goes on. Of
 * what still works, those who cannot change it read nothing. What a subscription means is the server's word; the clock only
 * counts the days.
 */
export function noticeOf(subscription: Subscription, { now, isAdmin, admins }: Reader): SubscriptionNotice | undefined {
  if (subscription.phase === 'ended') return endedNotice(subscription, { isAdmin, admins });
  return isAdmin ? noticeAhead(subscription, now) : undefined;
}

function noticeAhead({ phase, payment, trialEndsAt }: Subscription, now: number): SubscriptionNotice | undefined {
  if (phase === 'none') return undefined;
  if (phase === 'grace')
    return {
      tone: 'bad',
      text: `A payment failed. Everything works${payment?.graceEndsAt === undefined ? '' : ` until ${day(payment.graceEndsAt)}`}.`,
      act: 'update-payment',
    };
  if (payment?.cancelAt !== undefined) return { tone: 'warn', text: `Your subscription ends on ${day(payment.cancelAt)}.`, act: 'keep' };
  // Somebody who pays goes on without doing anything.
  if (phase !== 'trial' || payment || trialEndsAt === undefined) return undefined;
  const left = daysUntil(trialEndsAt, now);
  if (left > DAYS_OF_NOTICE) return { tone: 'plain', text: `${left} days of your free trial are left.`, act: 'choose' };
  return { tone: 'warn', text: `Your free trial ends ${inDays(trialEndsAt, now)}.`, act: 'choose' };
}

function inDays(end: number, now: number): string {
  const days = daysUntil(end, now);
  if (days === 0 || day(end) === day(now)) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}

function endedNotice({ status, endedAt }: Subscription, { isAdmin, admins }: Omit<Reader, 'now'>): SubscriptionNotice {
  const { heading, act, request } = ENDS[status === 'past_due' || status === 'paused' ? status : endedAt === undefined ? 'trial' : 'over'];
  return isAdmin
    ? { tone: 'bad', heading, text: READ_ONLY, act }
    : { tone: 'bad', heading, text: `${READ_ONLY} Ask ${admins} to ${request}.` };
}

const ENDS = {
  trial: { heading: 'Your free trial has ended.', act: 'choose', request: 'choose a plan' },
  over: { heading: 'Your subscription has ended.', act: 'choose', request: 'choose a plan' },
  past_due: { heading: 'Your payment failed.', act: 'update-payment', request: 'update the payment' },
  paused: { heading: 'Your subscription is paused.', act: 'resume', request: 'resume it' },
} as const;

/** When a subscription may mean something else by itself, so that the server has to be asked (UTC ms); undefined where it stays. */
export function changesAt({ phase, payment, trialEndsAt }: Subscription): number | undefined {
  const known: readonly (number | undefined)[] = {
    none: [],
    ended: [],
    trial: [trialEndsAt, payment?.cancelAt],
    paid: [payment?.cancelAt],
    grace: [payment?.graceEndsAt, payment?.cancelAt],
  }[phase];
  const moments = known.filter((at) => at !== undefined);
  return moments.length === 0 ? undefined : Math.min(...moments);
}
