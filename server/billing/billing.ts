import {
  alreadySetUp,
  billingDay,
  type PaymentFrequency,
  type Plan,
  phaseOf,
  planPrice,
  type Subscription,
  trialEnd,
} from '#contract/billing.ts';
import { refusal } from '#contract/errors.ts';
import { record } from '../event/store.ts';
import type { AccountScope } from '../kernel/access.ts';
import type { PaymentProvider } from './provider.ts';
import * as store from './store.ts';

/** What the other rooms ask of billing, each in the caller's transaction. */
export interface Billing {
  readonly provider: PaymentProvider;
  /** The subscription as the API sends it, at a moment. */
  describe(row: store.Subscribed, now: Date): Subscription;
}

export const openBilling = (provider: PaymentProvider): Billing => ({
  provider,
  describe: (row, now) => ({
    status: row.status,
    phase: phaseOf(factsOf(row), { isPaid: provider.kind !== 'none', now: now.getTime() }),
    ...(row.plan !== null && { plan: row.plan }),
    ...(row.cost !== null && { cost: row.cost }),
    ...(row.paymentFrequency !== null && { paymentFrequency: row.paymentFrequency }),
    ...(row.startDate && { startDate: row.startDate.getTime() }),
    ...(row.billingDate !== null && { billingDate: row.billingDate }),
    ...(row.trialEndsAt && { trialEndsAt: row.trialEndsAt.getTime() }),
  }),
});

const factsOf = ({ status, trialEndsAt }: store.Subscribed) => ({ status, ...(trialEndsAt && { trialEndsAt: trialEndsAt.getTime() }) });

/* ── The steps of signing up ── */

/** Chooses a plan, the second step of signing up. Refuses `conflict` once the account is set up. */
export async function choosePlan(
  scope: AccountScope,
  { plan, paymentFrequency }: { readonly plan: Plan; readonly paymentFrequency: PaymentFrequency },
): Promise<void> {
  await heldInSignUp(scope);
  await store.change(scope, { plan, paymentFrequency, cost: planPrice(plan, paymentFrequency), startDate: null, billingDate: null });
  await record(scope, 'subscription.plan-chosen', { subject: scope.accountId, data: { plan, paymentFrequency } });
}

/** Starts the trial, the third step of signing up. Its instants are set once, whatever is chosen later. Refuses `conflict` without a plan, or once the account is set up. */
export async function startTrial(scope: AccountScope): Promise<void> {
  const held = await heldInSignUp(scope);
  if (held.plan === null) throw refusal('conflict', 'Choose a plan first.');
  const trialStartedAt = held.trialStartedAt ?? scope.now;
  const trialEndsAt = held.trialEndsAt ?? endAfter(scope.now);
  const billingDate = billingDay(trialEndsAt.getTime());
  await store.change(scope, { startDate: held.startDate ?? scope.now, billingDate, trialStartedAt, trialEndsAt });
  if (!held.trialStartedAt)
    await record(scope, 'subscription.trial-started', { subject: scope.accountId, data: { endsAt: trialEndsAt.getTime() } });
}

/**
 * Activates the subscription, the last step of signing up: opens the dashboard. A trial that ran out before starts anew, once. Refuses
 * `conflict` out of turn. Where there are no plans to choose, it is the first step, too.
 */
export async function activate(scope: AccountScope, { hasPlans }: { readonly hasPlans: boolean }): Promise<void> {
  if (!hasPlans) await takeFreePlan(scope);
  const held = await heldInSignUp(scope);
  if (held.startDate === null || held.trialEndsAt === null) throw refusal('conflict', 'Review your plan first.');
  const { now } = scope;
  const restarted = held.trialEndsAt <= now && { trialStartedAt: now, trialEndsAt: endAfter(now) };
  await store.change(scope, { status: 'active', startDate: now, onboardedAt: now, ...restarted });
  await record(scope, 'subscription.activated', { subject: scope.accountId, data: {} });
}

/** A subscription without a plan is one that is not set up (docs/rules.md#subscription-status). */
async function takeFreePlan(scope: AccountScope): Promise<void> {
  const { plan, startDate } = await heldInSignUp(scope);
  if (plan === null) await choosePlan(scope, { plan: 'Beta', paymentFrequency: 'Monthly' });
  if (startDate === null) await startTrial(scope);
}

async function heldInSignUp(scope: AccountScope): Promise<store.Subscribed> {
  const held = await store.lock(scope);
  if (!held) throw refusal('not-found');
  if (held.onboardedAt) throw alreadySetUp();
  return held;
}

const endAfter = (now: Date): Date => new Date(trialEnd(now.getTime()));
