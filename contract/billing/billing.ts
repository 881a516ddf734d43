import * as v from 'valibot';
import { type Refusal, refusal } from '../core/errors.ts';
import { instant } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { event, noData } from '../event/event.ts';
import { type BillingState, currentSubscription, dueSince, GRACE, type ProviderSubscription } from './billing-state.ts';

export const PLANS = ['Essentials', 'Pro', 'Beta'] as const;
export type Plan = (typeof PLANS)[number];
/** What can be chosen at sign-up (docs/rules.md#prices). */
export const OFFERED_PLANS = ['Pro'] as const;
export const FREQUENCIES = ['Monthly', 'Annual'] as const;
export type PaymentFrequency = (typeof FREQUENCIES)[number];

/** US dollars a month, by plan and how often it is paid (docs/rules.md#prices). */
const MONTHLY_PRICE: Record<Plan, Record<PaymentFrequency, number>> = {
  Essentials: { Monthly: 29, Annual: 25 },
  Pro: { Monthly: 25, Annual: 20 },
  Beta: { Monthly: 0, Annual: 0 },
};

export const TRIAL_DAYS = 20;

/** When a trial that starts now ends (UTC ms): twenty days of twenty-four hours. */
export const trialEnd = (start: number): number => start + TRIAL_DAYS * DAY;

/** The day of the month on which a trial that ends then is billed first, for display (docs/rules.md#billing-day). */
export const billingDay = (trialEnds: number): number => new Date(trialEnds).getUTCDate();

/** What is paid at a time, in US dollars: twelve months' price once a year, or one month's (docs/rules.md#prices). */
export const billedAmount = (plan: Plan, frequency: PaymentFrequency): number =>
  planPrice(plan, frequency) * (frequency === 'Annual' ? 12 : 1);

/** "$240/yr", "$25/month". */
export const costInWords = (plan: Plan, frequency: PaymentFrequency): string =>
  `$${billedAmount(plan, frequency)}/${frequency === 'Annual' ? 'yr' : 'month'}`;

/** How the settings name a price: `Pro/Monthly`, `Pro/Annual/trial`. */
export const priceName = (of: { readonly plan: Plan; readonly paymentFrequency: PaymentFrequency; readonly hasTrial: boolean }): string =>
  `${of.plan}/${of.paymentFrequency}${of.hasTrial ? '/trial' : ''}`;

/** How many percent cheaper a year is when it is paid at once. */
export const annualSavings = (plan: Plan): number => Math.round((1 - planPrice(plan, 'Annual') / planPrice(plan, 'Monthly')) * 100);

/** What the plan card lists (docs/rules.md#plan-card). */
export const PRO_FEATURES = [
  'Unlimited feedback collection',
  'Instant alerts plus weekly reports',
  'Multi-location support',
  'New features added regularly',
  '24 hour email support',
] as const;

/** What a plan costs a month, in US dollars. Stored as `cost`; never what is charged (that is a price of the provider's). */
export const planPrice = (plan: Plan, frequency: PaymentFrequency): number => MONTHLY_PRICE[plan][frequency];

export const subscriptionStatus = v.picklist(['inactive', 'active', 'trial', 'past_due', 'paused', 'cancelled']);

/** The subscription as it stands on the wire. Every field is the server's; instants are UTC ms. */
export const subscription = v.strictObject({
  plan: v.optional(v.picklist(PLANS)),
  status: subscriptionStatus,
  phase: v.picklist(['none', 'trial', 'paid', 'grace', 'ended']),
  cost: v.optional(v.number()),
  paymentFrequency: v.optional(v.picklist(FREQUENCIES)),
  startDate: v.optional(v.number()),
  billingDate: v.optional(v.number()),
  trialEndsAt: v.optional(v.number()),
  /** What is paid through the provider; left out where no subscription lives there. */
  payment: v.optional(
    v.strictObject({
      nextBilledAt: v.optional(v.number()),
      /** From when it is cancelled, where that was asked for. */
      cancelAt: v.optional(v.number()),
      /** Until when everything works on although a payment failed. */
      graceEndsAt: v.optional(v.number()),
    }),
  ),
  /** When a subscription that was paid for ended. */
  endedAt: v.optional(v.number()),
  /** The payment provider's ids. In the demo only. */
  paddleData: v.optional(v.strictObject({ customerId: v.string(), subscriptionId: v.string() })),
});
export type Subscription = v.InferOutput<typeof subscription>;

export type Phase = Subscription['phase'];

/** Marks every mention of money where `BILLING` is `sandbox`. */
export const TEST_MODE = 'Test mode: no money moves.';

/** What a phase means, in words. `none` is the phase of a plan that costs nothing; it is not shown before signing up is finished. */
export const PHASE_WORDS: Record<Phase, string> = {
  none: 'Free',
  trial: 'Free trial',
  paid: 'Paid',
  grace: 'A payment failed',
  ended: 'Ended',
};

/** What is kept of a subscription, and decides what it means. */
interface SubscriptionFacts {
  /** Ours: inactive until signing up is finished. */
  readonly isSetUp: boolean;
  readonly plan?: Plan | undefined;
  /** When our own trial began (UTC ms), or an operator gave another. */
  readonly trialStartedAt?: number | undefined;
  /** When it ends; undefined where there never was one. */
  readonly trialEndsAt?: number | undefined;
  /** What the provider said. */
  readonly heard: BillingState;
}

/** What a subscription means at a moment. */
export type SubscriptionState = Pick<Subscription, 'status' | 'phase' | 'trialEndsAt' | 'payment' | 'endedAt'>;

/**
 * What a subscription means at a moment (UTC ms): a trial until it ends, paid, a time of grace for a payment that failed, or
 * ended. `none` before signing up is finished, and where nobody pays or nothing costs: there nothing ever ends. A trial of
 * ours goes on to its end, whatever was bought and cancelled meanwhile, but for what was charged.
 */
export function subscriptionStateAt(
  { isSetUp, plan, trialStartedAt, trialEndsAt, heard }: SubscriptionFacts,
  { isPaid, now }: { readonly isPaid: boolean; readonly now: number },
): SubscriptionState {
  const trial = trialEndsAt !== undefined && { trialEndsAt };
  if (!isSetUp) return { status: 'inactive', phase: 'none', ...trial };
  const bought = isPaid ? currentSubscription(heard) : undefined;
  if (bought && bought.status !== 'canceled') return standingOfBought(bought, heard, { now, ...trial });
  if (!isPaid || plan === 'Beta') return { status: 'active', phase: 'none', ...trial };
  // Anything charged since the trial began ends it.
  const isUsedUp = Object.values(heard).some(({ subscription: { firstBilledAt = -1 } }) => firstBilledAt >= (trialStartedAt ?? 0));
  if (trialEndsAt !== undefined && now < trialEndsAt && !isUsedUp) return { status: 'active', phase: 'trial', trialEndsAt };
  if (bought) return { status: 'cancelled', phase: 'ended', endedAt: bought.canceledAt ?? now, ...trial };
  return { status: 'active', phase: trialEndsAt === undefined ? 'paid' : 'ended', ...trial };
}

function standingOfBought(
  { id, status, nextBilledAt, cancelAt, ...bought }: ProviderSubscription,
  heard: BillingState,
  { now, ...trial }: { readonly now: number; readonly trialEndsAt?: number },
): SubscriptionState {
  const payment = { ...(nextBilledAt !== undefined && { nextBilledAt }), ...(cancelAt !== undefined && { cancelAt }) };
  if (status === 'trialing') {
    const trialEndsAt = bought.trialEndsAt ?? nextBilledAt ?? trial.trialEndsAt;
    return { status: 'trial', phase: 'trial', payment, ...(trialEndsAt !== undefined && { trialEndsAt }) };
  }
  if (status === 'past_due') {
    const graceEndsAt = (dueSince(heard, id) ?? now) + GRACE;
    return { status: 'past_due', phase: now < graceEndsAt ? 'grace' : 'ended', payment: { ...payment, graceEndsAt }, ...trial };
  }
  if (status === 'paused') return { status: 'paused', phase: 'ended', payment, ...trial };
  return { status: 'active', phase: 'paid', payment, ...trial };
}

/** Whether the team's pages show everything and change nothing (docs/rules.md#ended). */
export const isReadOnly = ({ phase }: Pick<SubscriptionState, 'phase'>): boolean => phase === 'ended';

/** Whether the dashboard opens (docs/rules.md#subscription-status): signing up is finished, and there is a plan. */
export const isSubscriptionFine = ({ status, plan }: Pick<Subscription, 'status' | 'plan'>): boolean =>
  status !== 'inactive' && plan !== undefined;

/** Whether what is bought at a moment (UTC ms) is charged at the end of our trial: in its last day the provider could not keep that. */
export const isChargedAfterTrial = (trialEndsAt: number | undefined, now: number): boolean =>
  trialEndsAt !== undefined && trialEndsAt - now >= DAY;

/** How many days are left at a moment (UTC ms) until an instant: days that have begun count. */
export const daysUntil = (end: number, now: number): number => Math.max(0, Math.ceil((end - now) / DAY));

/** The steps of signing up are gone through once. */
export const alreadySetUp = (): Refusal =>
  refusal('conflict', 'This account is already set up. Plans are changed in the account’s settings.');

/** The steps of signing up (docs/rules.md#sign-up-steps). */
export const SIGN_UP_STEPS = ['Create An Account', 'Monthly Or Annual', 'Review Your Plan', 'Get Started'] as const;
export type SignUpStep = 0 | 1 | 2 | 3;

/** Which step comes next (docs/rules.md#sign-up-steps): without a person the first; then by what the subscription has. */
export function nextSignUpStep(current: Subscription | undefined): SignUpStep {
  if (!current) return 0;
  if (current.plan === undefined) return 1;
  return current.startDate === undefined ? 2 : 3;
}

const chosen = v.strictObject({ plan: v.picklist(PLANS), paymentFrequency: v.picklist(FREQUENCIES) });

export const subscriptionEvents = {
  'subscription.plan-chosen': event({ seenBy: 'admin', summary: 'A plan was chosen.', data: chosen }),
  'subscription.trial-started': event({ seenBy: 'admin', summary: 'The free trial began.', data: v.strictObject({ endsAt: instant }) }),
  'subscription.activated': event({ seenBy: 'admin', summary: 'The dashboard was opened.', data: noData }),
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
  'subscription.started': event({ seenBy: 'admin', summary: 'A subscription was bought.', data: chosen }),
  'subscription.plan-changed': event({ seenBy: 'admin', summary: 'The subscription was changed.', data: chosen }),
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
