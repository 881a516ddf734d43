import { billingDay, type PaymentFrequency, type Plan, planPrice } from '#contract/billing/billing.ts';
import {
  type BillingState,
  currentSubscription,
  liveSubscriptions,
  type ProviderSubscription,
  type SubscriptionReport,
  withReport,
} from '#contract/billing/billing-state.ts';
import { record } from '../event/store.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { PaymentProvider } from './port.ts';
import * as store from './store.ts';

interface ApplyContext {
  readonly provider: Pick<PaymentProvider, 'priceOf'>;
  readonly jobs: Pick<Jobs, 'queue'>;
}

export type ApplyOutcome = Pick<store.EventOutcome, 'outcome' | 'why'>;

export const NO_PROBLEM: ApplyOutcome = { outcome: 'settled', why: '' };
const PAID_TWICE: ApplyOutcome = { outcome: 'noted', why: 'The account pays for two subscriptions. Cancel one of them with the provider.' };

/** Applies reports to the account's subscriptions. */
export async function applyReports(
  scope: AccountScope,
  reports: readonly SubscriptionReport[],
  { provider, jobs }: ApplyContext,
): Promise<ApplyOutcome> {
  const before = await store.lock(scope);
  if (!before) return { outcome: 'failed', why: 'The account has no subscription.' };
  const accepted = reports.filter(({ subscription }) => isAccepted(subscription, before.purchases, provider));
  const purchases = accepted.reduce(withReport, before.purchases);
  const current = currentSubscription(purchases);
  const price = current && provider.priceOf(current.priceId);
  const changes = {
    purchases,
    bought: current?.status ?? null,
    ...(price && {
      plan: price.plan,
      paymentFrequency: price.paymentFrequency,
      cost: planPrice(price.plan, price.paymentFrequency),
      ...(current.nextBilledAt !== undefined && { billingDate: billingDay(current.nextBilledAt) }),
    }),
  };
  if (accepted.length > 0) {
    await store.claim(
      scope,
      accepted.flatMap(({ subscription: { id, customerId } }) => [id, customerId]),
    );
    await store.change(scope, changes);
    await recordChanges(scope, before, { ...before, ...changes });
    await alignTrial(scope, { ...before, ...changes }, jobs);
  }
  const rejected = reports.find((report) => !accepted.includes(report));
  if (rejected) return { outcome: 'failed', why: `No setting names the price ${rejected.subscription.priceId}.` };
  return liveSubscriptions(purchases).length > 1 ? PAID_TWICE : NO_PROBLEM;
}

/** Returns false for a price that isn't in the settings, unless the subscription already has it. Such a subscription can still end. */
function isAccepted(
  { id, priceId, status }: ProviderSubscription,
  purchases: BillingState,
  { priceOf }: Pick<PaymentProvider, 'priceOf'>,
): boolean {
  const before = Object.hasOwn(purchases, id) ? purchases[id]?.subscription.priceId : undefined;
  return priceOf(priceId) !== undefined || before === priceId || (before !== undefined && status === 'canceled');
}

/** Moves the first bill of a subscription bought in the trial to the trial's end. */
async function alignTrial(
  scope: AccountScope,
  { purchases, trialEndsAt }: store.SubscriptionRow,
  jobs: Pick<Jobs, 'queue'>,
): Promise<void> {
  const current = currentSubscription(purchases);
  if (current?.status !== 'trialing' || trialEndsAt === null || trialEndsAt <= scope.now) return;
  if (Math.abs((current.nextBilledAt ?? 0) - trialEndsAt.getTime()) < SAME_TIME) return;
  const { accountId } = scope;
  const key = `${current.id} ${trialEndsAt.getTime()}`;
  await jobs.queue(scope.db, 'billing.align', { accountId, subscriptionId: current.id, at: trialEndsAt.getTime() }, { key });
}

/** Times closer than this (ms) count as the same. */
const SAME_TIME = 60_000;

async function recordChanges(scope: AccountScope, before: store.SubscriptionRow, after: store.SubscriptionRow): Promise<void> {
  const at = { isPaid: true, now: scope.now };
  const [was, is] = [store.standingAt(before, at), store.standingAt(after, at)];
  const onAccount = { subject: scope.accountId };
  const choice = choiceOf(after);
  if (choice && is.payment && !was.payment) await record(scope, 'subscription.started', { ...onAccount, data: choice });
  else if (choice && is.payment && !isSame(choice, choiceOf(before)))
    await record(scope, 'subscription.plan-changed', { ...onAccount, data: choice });
  const [cancelAt, previousCancelAt] = [is.payment?.cancelAt, was.payment?.cancelAt];
  if (cancelAt !== undefined && cancelAt !== previousCancelAt)
    await record(scope, 'subscription.cancel-planned', { ...onAccount, data: { endsAt: cancelAt } });
  if (cancelAt === undefined && previousCancelAt !== undefined && is.payment)
    await record(scope, 'subscription.cancel-undone', { ...onAccount, data: {} });
  const graceEndsAt = is.payment?.graceEndsAt;
  if (graceEndsAt !== undefined && was.payment?.graceEndsAt === undefined)
    await record(scope, 'subscription.payment-failed', { ...onAccount, data: { graceEndsAt } });
  if (was.status === 'past_due' && is.status === 'active') await record(scope, 'subscription.recovered', { ...onAccount, data: {} });
  if (was.payment && (is.status === 'cancelled' || is.status === 'paused') && was.status !== is.status)
    await record(scope, 'subscription.ended', { ...onAccount, data: {} });
  const isOn = is.phase === 'paid' && (was.phase === 'paid' || was.status === 'trial');
  if (isOn && is.payment?.nextBilledAt !== was.payment?.nextBilledAt)
    await record(scope, 'subscription.renewed', { ...onAccount, data: {} });
  if (was.status === 'paused' && is.status === 'active') await record(scope, 'subscription.resumed', { ...onAccount, data: {} });
}

function choiceOf({ plan, paymentFrequency }: store.SubscriptionRow): { plan: Plan; paymentFrequency: PaymentFrequency } | undefined {
  return plan !== null && paymentFrequency !== null ? { plan, paymentFrequency } : undefined;
}

const isSame = (a: ReturnType<typeof choiceOf>, b: ReturnType<typeof choiceOf>): boolean =>
  a?.plan === b?.plan && a?.paymentFrequency === b?.paymentFrequency;
