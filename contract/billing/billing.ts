import * as v from 'valibot';
import { type Refusal, refusal } from '../core/errors.ts';
import { instant } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { event, noData } from '../event/event.ts';
import { formatDollars, formatPercent } from '../language/formats.ts';
import { type Translate, translatable } from '../language/translate.ts';
import { type BillingState, currentSubscription, dueSince, GRACE, type ProviderSubscription } from './billing-state.ts';

export const PLANS = ['Essentials', 'Pro', 'Beta'] as const;
export type Plan = (typeof PLANS)[number];
/** The plans offered at sign-up (docs/rules.md#prices). */
export const OFFERED_PLANS = ['Pro'] as const;
export const FREQUENCIES = ['Monthly', 'Annual'] as const;
export type PaymentFrequency = (typeof FREQUENCIES)[number];

/** US dollars a month, by plan and payment frequency (docs/rules.md#prices). */
const MONTHLY_PRICE: Record<Plan, Record<PaymentFrequency, number>> = {
  Essentials: { Monthly: 29, Annual: 25 },
  Pro: { Monthly: 25, Annual: 20 },
  Beta: { Monthly: 0, Annual: 0 },
};

export const TRIAL_DAYS = 20;

/** Returns the end of a trial (UTC ms): twenty days of 24 hours after its start. */
export const trialEnd = (start: number): number => start + TRIAL_DAYS * DAY;

/** Returns the day of the month of the first bill after a trial, for display (docs/rules.md#billing-day). */
export const billingDay = (trialEnds: number): number => new Date(trialEnds).getUTCDate();

/** Returns the amount of one bill in US dollars: the price of twelve months, or of one (docs/rules.md#prices). */
export const billedAmount = (plan: Plan, frequency: PaymentFrequency): number =>
  planPrice(plan, frequency) * (frequency === 'Annual' ? 12 : 1);

/** Returns an amount such as "$240/yr" or "$25/month". */
export const costInWords = (t: Translate, plan: Plan, frequency: PaymentFrequency): string => {
  const amount = formatDollars(t, billedAmount(plan, frequency));
  return frequency === 'Annual' ? t('{amount}/yr', { amount }) : t('{amount}/month', { amount });
};

/** Returns both costs of a plan, such as "$25/month, or $240/yr (20% savings)". */
export const costsInWords = (t: Translate, plan: Plan): string =>
  t('{monthly}, or {annual} ({percent} savings)', {
    monthly: costInWords(t, plan, 'Monthly'),
    annual: costInWords(t, plan, 'Annual'),
    percent: formatPercent(t, annualSavings(plan)),
  });

/** Returns a price's name in the settings, such as `Pro/Monthly` or `Pro/Annual/trial`. */
export const priceName = (price: {
  readonly plan: Plan;
  readonly paymentFrequency: PaymentFrequency;
  readonly hasTrial: boolean;
}): string => `${price.plan}/${price.paymentFrequency}${price.hasTrial ? '/trial' : ''}`;

/** Returns how many percent annual payment saves. */
export const annualSavings = (plan: Plan): number => Math.round((1 - planPrice(plan, 'Annual') / planPrice(plan, 'Monthly')) * 100);

/** The features on the plan card (docs/rules.md#plan-card). */
export const PRO_FEATURES = translatable([
  'Unlimited feedback collection',
  'Instant alerts plus weekly reports',
  'Multi-location support',
  'New features added regularly',
  '24 hour email support',
]);

/** Returns a plan's price a month in US dollars. It is stored as `cost`; the amount charged is the provider's price. */
export const planPrice = (plan: Plan, frequency: PaymentFrequency): number => MONTHLY_PRICE[plan][frequency];

export const subscriptionStatus = v.picklist(['inactive', 'active', 'trial', 'past_due', 'paused', 'cancelled']);

/** A subscription as the API sends it. Only the server sets its fields; times are UTC ms. */
export const subscription = v.strictObject({
  plan: v.optional(v.picklist(PLANS)),
  status: subscriptionStatus,
  phase: v.picklist(['none', 'trial', 'paid', 'grace', 'ended']),
  cost: v.optional(v.number()),
  paymentFrequency: v.optional(v.picklist(FREQUENCIES)),
  startDate: v.optional(v.number()),
  billingDate: v.optional(v.number()),
  trialEndsAt: v.optional(v.number()),
  /** Left out if the provider has no live subscription. */
  payment: v.optional(
    v.strictObject({
      nextBilledAt: v.optional(v.number()),
      /** When a requested cancellation takes effect. */
      cancelAt: v.optional(v.number()),
      /** Until when everything keeps working after a failed payment. */
      graceEndsAt: v.optional(v.number()),
    }),
  ),
  /** When a paid subscription ended. */
  endedAt: v.optional(v.number()),
  /** The payment provider's ids. In the demo only. */
  paddleData: v.optional(v.strictObject({ customerId: v.string(), subscriptionId: v.string() })),
});
export type Subscription = v.InferOutput<typeof subscription>;

export type Phase = Subscription['phase'];

/** Marks every mention of money where `BILLING` is `sandbox`. */
export const TEST_MODE = translatable('Test mode: no money moves.');

/** Labels of the phases. `none` is a free plan; it isn't shown before sign-up is finished. */
export const PHASE_WORDS = translatable({
  none: 'Free',
  trial: 'Free trial',
  paid: 'Paid',
  grace: 'A payment failed',
  ended: 'Ended',
} satisfies Record<Phase, string>);

/** The filters of the operators' list of subscriptions. */
export const SUBSCRIPTION_FILTERS = ['all', 'trial', 'paid', 'due', 'ended', 'free'] as const;

/** The stored facts that decide a subscription's state. */
interface SubscriptionFacts {
  /** False until sign-up is finished. */
  readonly isSetUp: boolean;
  readonly plan?: Plan | undefined;
  /** When the trial started (UTC ms), ours or one that an operator granted. */
  readonly trialStartedAt?: number | undefined;
  /** Undefined if there never was a trial. */
  readonly trialEndsAt?: number | undefined;
  /** The provider's reports. */
  readonly purchases: BillingState;
}

/** A subscription's state at a moment. */
export type SubscriptionState = Pick<Subscription, 'status' | 'phase' | 'trialEndsAt' | 'payment' | 'endedAt'>;

/**
 * Returns a subscription's state at a moment (UTC ms): in trial, paid, in grace after a failed payment, or ended. The phase is `none`
 * before sign-up is finished, without billing and on a free plan, which never end. Our own trial runs to its end even if something was
 * bought and canceled during it, unless it was charged.
 */
export function subscriptionStateAt(
  { isSetUp, plan, trialStartedAt, trialEndsAt, purchases }: SubscriptionFacts,
  { isPaid, now }: { readonly isPaid: boolean; readonly now: number },
): SubscriptionState {
  const trial = trialEndsAt !== undefined && { trialEndsAt };
  if (!isSetUp) return { status: 'inactive', phase: 'none', ...trial };
  const purchase = isPaid ? currentSubscription(purchases) : undefined;
  if (purchase && purchase.status !== 'canceled') return stateOfPurchase(purchase, purchases, { now, ...trial });
  if (!isPaid || plan === 'Beta') return { status: 'active', phase: 'none', ...trial };
  // Anything charged since the trial began ends it.
  const isUsedUp = Object.values(purchases).some(({ subscription: { firstBilledAt = -1 } }) => firstBilledAt >= (trialStartedAt ?? 0));
  if (trialEndsAt !== undefined && now < trialEndsAt && !isUsedUp) return { status: 'active', phase: 'trial', trialEndsAt };
  if (purchase) return { status: 'cancelled', phase: 'ended', endedAt: purchase.canceledAt ?? now, ...trial };
  return { status: 'active', phase: trialEndsAt === undefined ? 'paid' : 'ended', ...trial };
}

function stateOfPurchase(
  { id, status, nextBilledAt, cancelAt, ...purchase }: ProviderSubscription,
  purchases: BillingState,
  { now, ...trial }: { readonly now: number; readonly trialEndsAt?: number },
): SubscriptionState {
  const payment = { ...(nextBilledAt !== undefined && { nextBilledAt }), ...(cancelAt !== undefined && { cancelAt }) };
  if (status === 'trialing') {
    const trialEndsAt = purchase.trialEndsAt ?? nextBilledAt ?? trial.trialEndsAt;
    return { status: 'trial', phase: 'trial', payment, ...(trialEndsAt !== undefined && { trialEndsAt }) };
  }
  if (status === 'past_due') {
    const graceEndsAt = (dueSince(purchases, id) ?? now) + GRACE;
    return { status: 'past_due', phase: now < graceEndsAt ? 'grace' : 'ended', payment: { ...payment, graceEndsAt }, ...trial };
  }
  if (status === 'paused') return { status: 'paused', phase: 'ended', payment, ...trial };
  return { status: 'active', phase: 'paid', payment, ...trial };
}

/** Returns whether the team can read everything but change nothing (docs/rules.md#ended). */
export const isReadOnly = ({ phase }: Pick<SubscriptionState, 'phase'>): boolean => phase === 'ended';

/** Returns whether the dashboard opens: sign-up is finished, and there is a plan (docs/rules.md#subscription-status). */
export const isSubscriptionFine = ({ status, plan }: Pick<Subscription, 'status' | 'plan'>): boolean =>
  status !== 'inactive' && plan !== undefined;

/** Returns whether a purchase at a moment (UTC ms) is charged at our trial's end, which the provider can't schedule on its last day. */
export const isChargedAfterTrial = (trialEndsAt: number | undefined, now: number): boolean =>
  trialEndsAt !== undefined && trialEndsAt - now >= DAY;

/** Returns the days left at a moment until an end (both UTC ms); a started day counts as one. */
export const daysUntil = (end: number, now: number): number => Math.max(0, Math.ceil((end - now) / DAY));

/** Returns the refusal of a sign-up step that was already done. */
export const alreadySetUp = (): Refusal =>
  refusal('conflict', 'This account is already set up. Change its plan in the account’s settings.');

/** The steps of signing up (docs/rules.md#sign-up-steps). */
export const SIGN_UP_STEPS = translatable(['Create An Account', 'Monthly Or Annual', 'Review Your Plan', 'Get Started']);
export type SignUpStep = 0 | 1 | 2 | 3;

/** Returns the first unfinished step of sign-up, from what the subscription has (docs/rules.md#sign-up-steps). */
export function nextSignUpStep(current: Subscription | undefined): SignUpStep {
  if (!current) return 0;
  if (current.plan === undefined) return 1;
  return current.startDate === undefined ? 2 : 3;
}

const choice = v.strictObject({ plan: v.picklist(PLANS), paymentFrequency: v.picklist(FREQUENCIES) });

export const subscriptionEvents = {
  'subscription.plan-chosen': event({ seenBy: 'admin', summary: 'A plan was chosen.', data: choice }),
  'subscription.trial-started': event({ seenBy: 'admin', summary: 'The free trial began.', data: v.strictObject({ endsAt: instant }) }),
  'subscription.activated': event({ seenBy: 'admin', summary: 'Sign-up was finished.', data: noData }),
  'subscription.trial-ending': event({
    seenBy: 'admin',
    summary: 'The free trial ends in a few days, and no payment is set up.',
    data: v.strictObject({ endsAt: instant, days: v.number() }),
  }),
  'subscription.trial-ended': event({
    seenBy: 'admin',
    summary: 'The free trial ended without a payment, so the account is read-only.',
    data: noData,
  }),
  'subscription.started': event({ seenBy: 'admin', summary: 'A subscription was bought.', data: choice }),
  'subscription.plan-changed': event({ seenBy: 'admin', summary: 'The subscription was changed.', data: choice }),
  'subscription.payment-failed': event({
    seenBy: 'admin',
    summary: 'A payment failed. Everything works until the grace period ends.',
    data: v.strictObject({ graceEndsAt: instant }),
  }),
  'subscription.recovered': event({ seenBy: 'admin', summary: 'A failed payment succeeded.', data: noData }),
  'subscription.cancel-planned': event({
    seenBy: 'admin',
    summary: 'The subscription will be canceled.',
    data: v.strictObject({ endsAt: instant }),
  }),
  'subscription.cancel-undone': event({ seenBy: 'admin', summary: 'The cancellation was withdrawn.', data: noData }),
  'subscription.ended': event({
    seenBy: 'admin',
    summary: 'The subscription ended, so the account is read-only.',
    data: noData,
  }),
  'subscription.renewed': event({
    seenBy: 'admin',
    summary: 'The subscription was renewed, or its trial ended.',
    data: noData,
  }),
  'subscription.resumed': event({ seenBy: 'admin', summary: 'A paused or ended subscription resumed.', data: noData }),
  'subscription.trial-extended': event({
    seenBy: 'admin',
    summary: 'An operator moved the end of the free trial.',
    data: v.strictObject({ endsAt: instant }),
  }),
  'subscription.freed': event({
    seenBy: 'admin',
    summary: 'An operator gave the account the free Beta plan.',
    data: noData,
  }),
};
