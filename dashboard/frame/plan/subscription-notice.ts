import { daysUntil, type Subscription } from '#contract/billing/billing.ts';
import { day } from '../../ui/format/time.ts';

/** The action offered: choose a plan, update the payment, keep a canceled subscription, or resume a paused one. */
export type NoticeAct = 'choose' | 'update-payment' | 'keep' | 'resume';

/** The notice about a subscription above every page. */
export interface SubscriptionNotice {
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

const READ_ONLY = 'Your team can read and export everything, but not make changes.';

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
      text: `A payment failed. Everything works${payment?.graceEndsAt === undefined ? '' : ` until ${day(payment.graceEndsAt)}`}.`,
      act: 'update-payment',
    };
  if (payment?.cancelAt !== undefined) return { tone: 'warn', text: `Your subscription ends on ${day(payment.cancelAt)}.`, act: 'keep' };
  // Someone who has set up payment needs to do nothing.
  if (phase !== 'trial' || payment || trialEndsAt === undefined) return undefined;
  const left = daysUntil(trialEndsAt, now);
  if (left > WARNING_DAYS) return { tone: 'plain', text: `${left} days left in your free trial.`, act: 'choose' };
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
