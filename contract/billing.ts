import * as v from 'valibot';

export const PLANS = ['Essentials', 'Pro', 'Beta'] as const;
export type Plan = (typeof PLANS)[number];
export const FREQUENCIES = ['Monthly', 'Annual'] as const;
export type PaymentFrequency = (typeof FREQUENCIES)[number];

/** US dollars a month, by plan and how often it is paid (§9). */
const MONTHLY_PRICE: Record<Plan, Record<PaymentFrequency, number>> = {
  Essentials: { Monthly: 29, Annual: 25 },
  Pro: { Monthly: 25, Annual: 20 },
  Beta: { Monthly: 0, Annual: 0 },
};

export const TRIAL_DAYS = 20;

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

/** Whether the dashboard opens (§4): the status is active or trial, and there is a plan. */
export const isSubscriptionFine = ({ status, plan }: Subscription): boolean =>
  (status === 'active' || status === 'trial') && plan !== undefined;
