import * as v from 'valibot';
import { type Refusal, refusal } from './errors.ts';
import { event, nothing } from './event.ts';
import { instant } from './schema.ts';
import { DAY } from './time.ts';

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

/** The subscription as it stands on the wire. Every field is the server's. */
export const subscription = v.strictObject({
  plan: v.optional(v.picklist(PLANS)),
  status: v.picklist(['inactive', 'active', 'trial', 'past_due', 'cancelled']),
  phase: v.picklist(['none', 'trial', 'paid', 'grace', 'ended']),
  cost: v.optional(v.number()),
  paymentFrequency: v.optional(v.picklist(FREQUENCIES)),
  startDate: v.optional(v.number()),
  billingDate: v.optional(v.number()),
  trialEndsAt: v.optional(v.number()),
});
export type Subscription = v.InferOutput<typeof subscription>;

export type Phase = Subscription['phase'];

/** What a phase means, in words. `none` is shown only where nobody pays: until signing up is finished, nothing is shown of it. */
export const PHASE_WORDS: Record<Phase, string> = {
  none: 'Nothing is to be paid',
  trial: 'Free trial',
  paid: 'Paid',
  grace: 'A payment failed',
  ended: 'Ended',
};

/** What a subscription's phase follows from. */
interface PhaseFacts {
  readonly status: Subscription['status'];
  /** UTC ms; undefined where there never was a trial. */
  readonly trialEndsAt?: number | undefined;
}

/**
 * What a subscription means at a moment (UTC ms): a trial until it ends, paid, a time of grace for a payment that
 * failed, or ended. `none` before signing up is finished, and where nobody pays: there nothing ever ends.
 */
export function phaseOf({ status, trialEndsAt }: PhaseFacts, { isPaid, now }: { readonly isPaid: boolean; readonly now: number }): Phase {
  if (!isPaid || status === 'inactive') return 'none';
  if (status === 'past_due') return 'grace';
  if (status === 'cancelled') return 'ended';
  if (trialEndsAt === undefined) return 'paid';
  return now < trialEndsAt ? 'trial' : 'ended';
}

/** Whether the dashboard opens (docs/rules.md#subscription-status): the status is active or trial, and there is a plan. */
export const isSubscriptionFine = ({ status, plan }: Subscription): boolean =>
  (status === 'active' || status === 'trial') && plan !== undefined;

/** The steps of signing up are gone through once. */
export const alreadySetUp = (): Refusal =>
  refusal('conflict', 'This account is set up already. Plans are changed in the account’s settings.');

/** The steps of signing up (docs/rules.md#sign-up-steps). */
export const SIGN_UP_STEPS = ['Create An Account', 'Monthly Or Annual', 'Review Your Plan', 'Get Started'] as const;
export type SignUpStep = 0 | 1 | 2 | 3;

/** Which step comes next (docs/rules.md#sign-up-steps): without a person the first; then by what the subscription has. */
export function nextSignUpStep(current: Subscription | undefined): SignUpStep {
  if (!current) return 0;
  if (current.plan === undefined) return 1;
  return current.startDate === undefined ? 2 : 3;
}

export const subscriptionEvents = {
  'subscription.plan-chosen': event({
    seenBy: 'admin',
    summary: 'A plan was chosen.',
    data: v.strictObject({ plan: v.picklist(PLANS), paymentFrequency: v.picklist(FREQUENCIES) }),
  }),
  'subscription.trial-started': event({ seenBy: 'admin', summary: 'The free trial began.', data: v.strictObject({ endsAt: instant }) }),
  'subscription.activated': event({ seenBy: 'admin', summary: 'The dashboard was opened.', data: nothing }),
};
