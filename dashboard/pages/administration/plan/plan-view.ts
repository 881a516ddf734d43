import { daysUntil, isChargedAfterTrial, type Subscription } from '#contract/billing/billing.ts';
import { t } from '../../../language.ts';
import { day, moment } from '../../../ui/format/time.ts';

/** An action on a running subscription. */
export type PlanAction =
  /** Undo a cancellation. */
  | 'keep'
  /** Resume a paused subscription. */
  | 'resume'
  /** Pay the amount due. */
  | 'pay'
  /** Change the card. */
  | 'card'
  /** Open the provider's billing page. */
  | 'portal';

/** The content of the plan panel. */
export interface PlanView {
  readonly title: string;
  readonly lead: string;
  /** An admin has to act, or the account is or becomes read-only. */
  readonly isBad?: boolean;
  /** Present if a plan can be bought: when it is charged (UTC ms). */
  readonly buying?: { readonly chargedFrom: number | 'now' };
  /** Present if a plan is paid: it can be changed, or is blocked with a reason. */
  readonly changing?: { readonly blocked?: string };
  /** The most helpful action comes first. */
  readonly actions: readonly PlanAction[];
  /** Present if the plan can be canceled: the consequences. */
  readonly cancelMeans?: string;
}

/**
 * Returns the panel for a subscription at a moment (UTC ms), with billing (docs/rules.md#plan-panel). A trial or grace period
 * that ends while the panel is open ends in it at that moment.
 */
export function planViewOf(subscription: Subscription, now: number): PlanView {
  const { phase, status, plan, trialEndsAt, payment, endedAt } = subscription;
  if (phase === 'none')
    return {
      title: t('Your plan is free.'),
      lead: plan === undefined ? t('It is free and never ends.') : t('{plan} is free and never ends.', { plan }),
      actions: [],
    };
  if (status === 'past_due') return dueView(payment, { isOver: phase === 'ended', now });
  if (status === 'paused') return pausedView();
  if (payment) return runningView(subscription, payment, now);
  if (phase === 'trial' && trialEndsAt !== undefined && now < trialEndsAt) return trialView(trialEndsAt, now);
  if (phase === 'paid')
    return {
      title: t('Your plan is active.'),
      lead: t('Payment isn’t set up yet.'),
      buying: { chargedFrom: 'now' },
      actions: [],
    };
  if (endedAt !== undefined || status === 'cancelled') return endedView(endedAt);
  return {
    title: t('Your free trial has ended.'),
    lead: t(
      'Until you pay for a plan, your team can read and export everything, but not make changes. Your forms keep collecting feedback.',
    ),
    isBad: true,
    buying: { chargedFrom: 'now' },
    actions: [],
  };
}

/** Returns the view of a trial without a payment. */
function trialView(endsAt: number, now: number): PlanView {
  const isFree = isChargedAfterTrial(endsAt, now);
  const charged = isFree
    ? t('If you set up payment now, nothing is charged before then.')
    : t('If you set up payment now, you’re charged right away.');
  return {
    title: trialTitle(endsAt, now),
    lead: `${t('It runs until {moment}.', { moment: moment(endsAt) })} ${charged}`,
    buying: { chargedFrom: isFree ? endsAt : 'now' },
    actions: [],
  };
}

const afterTheEnd = (): string =>
  t(
    'After that, your team can read and export everything, but not make changes. Your forms keep collecting feedback, and nothing is deleted.',
  );

const endsImmediately = (): string => `${t('It ends immediately.')} ${afterTheEnd()}`;

const pausedView = (): PlanView => ({
  title: t('Your subscription is paused.'),
  lead: t(
    'Until you resume, your team can read and export everything, but not make changes. Your forms keep collecting feedback. Any amount due is charged when you resume.',
  ),
  isBad: true,
  changing: { blocked: t('You can change the plan once you resume the subscription.') },
  actions: ['resume', 'card', 'portal'],
  cancelMeans: endsImmediately(),
});

type ProviderPayment = NonNullable<Subscription['payment']>;

function runningView({ phase, trialEndsAt }: Subscription, { cancelAt, nextBilledAt }: ProviderPayment, now: number): PlanView {
  if (cancelAt !== undefined)
    return {
      title: t('Your subscription ends on {date}.', { date: day(cancelAt) }),
      lead: t(
        'Everything works until then, and nothing more is charged. After that, your team can read and export everything, but not make changes.',
      ),
      changing: { blocked: t('Keep the subscription to change the plan.') },
      actions: ['keep', 'portal'],
    };
  const until =
    nextBilledAt === undefined
      ? t('Everything works until the end of the paid period, and nothing more is charged.')
      : t('Everything works until {date}, and nothing more is charged.', { date: day(nextBilledAt) });
  const running: Pick<PlanView, 'changing' | 'actions' | 'cancelMeans'> = {
    changing: {},
    actions: ['card', 'portal'],
    cancelMeans: `${until} ${afterTheEnd()} ${t('Until then, you can change your mind.')}`,
  };
  if (phase === 'trial' && trialEndsAt !== undefined) {
    const first = nextBilledAt === undefined ? '' : ` ${t('The first bill comes on {date}.', { date: day(nextBilledAt) })}`;
    return { title: trialTitle(trialEndsAt, now), lead: `${t('Payment is set up.')}${first}`, ...running };
  }
  const next = nextBilledAt === undefined ? '' : t('The next bill comes on {date}.', { date: day(nextBilledAt) });
  return { title: t('Your plan is paid.'), lead: next, ...running };
}

function dueView(payment: ProviderPayment | undefined, { isOver, now }: { readonly isOver: boolean; readonly now: number }): PlanView {
  const graceEndsAt = payment?.graceEndsAt ?? 0;
  return {
    title: t('A payment failed.'),
    lead:
      isOver || now >= graceEndsAt
        ? t('Until it’s paid, your team can read and export everything, but not make changes. Your forms keep collecting feedback.')
        : t('Everything works until {date}. Update your payment to continue after that.', { date: day(graceEndsAt) }),
    isBad: true,
    changing: { blocked: t('You can change the plan once the payment is made.') },
    ...(payment?.cancelAt === undefined
      ? { actions: ['pay', 'portal'], cancelMeans: endsImmediately() }
      : { actions: ['pay', 'keep', 'portal'] }),
  };
}

const endedView = (endedAt: number | undefined): PlanView => ({
  title: endedAt === undefined ? t('Your subscription has ended.') : t('Your subscription ended on {date}.', { date: day(endedAt) }),
  lead: t(
    'Until you pay for a plan again, your team can read and export everything, but not make changes. Your forms keep collecting feedback.',
  ),
  isBad: true,
  buying: { chargedFrom: 'now' },
  actions: ['portal'],
});

/** Returns "Free trial: 12 days left" or "Free trial: ends today". */
function trialTitle(end: number, now: number): string {
  if (day(end) === day(now)) return t('Free trial: ends today');
  return t.count(daysUntil(end, now), 'Free trial: {count} day left', 'Free trial: {count} days left');
}
