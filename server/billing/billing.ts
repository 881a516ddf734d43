import {
  alreadySetUp,
  billingDay,
  isReadOnly,
  type PaymentFrequency,
  type Plan,
  planPrice,
  type Subscription,
  type SubscriptionState,
  trialEnd,
} from '#contract/billing/billing.ts';
import { instantKey, liveSubscriptions, type ProviderSubscription, type SubscriptionReport } from '#contract/billing/billing-state.ts';
import { refusal } from '#contract/core/errors.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { record } from '../event/store.ts';
import type {} from '../jobs.ts';
import type { Platform } from '../platform/context.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import { openEventCatchUp } from './event-catch-up.ts';
import type { PaymentProvider } from './port.ts';
import { openReminders } from './reminders.ts';
import * as store from './store.ts';
import { openSubscriptionUpdates, type SubscriptionUpdates } from './subscription-updates.ts';

/** Billing for other modules. Runs in the caller's transaction. */
export interface Billing {
  /** Undefined without billing. */
  readonly provider: PaymentProvider | undefined;
  /** Undefined without billing. */
  readonly updates: SubscriptionUpdates | undefined;
  /** Returns the subscription as the API sends it, at a time. */
  describe(row: store.SubscriptionRow, now: Date): Subscription;
  /** Returns true if the account can only be read (docs/rules.md#ended). */
  isReadOnly(scope: AccountScope): Promise<boolean>;
  isTrial(scope: AccountScope): Promise<boolean>;
  /** Refuses `subscription-ended` for a read-only account. */
  requireChangeable(scope: AccountScope): Promise<void>;
  /** Queues `end`, retried until it succeeds, to run after the transaction commits. */
  cancel(scope: AccountScope): Promise<void>;
  /** Ends the account's subscriptions immediately and cancels its unpaid checkout. Calls the provider, so don't call it in a transaction. */
  end(accountId: string): Promise<void>;
  /** Queues a job that updates the account's subscriptions from the provider. */
  sync(scope: AccountScope): Promise<void>;
  /** Returns true if the provider still bills for the account. */
  isRunning(scope: AccountScope): Promise<boolean>;
  readonly work: Work;
}

interface BillingOptions {
  readonly platform: Pick<Platform, 'database' | 'jobs' | 'log' | 'now'>;
  readonly provider: PaymentProvider | undefined;
}

export function openBilling({ platform, provider }: BillingOptions): Billing {
  const isPaid = provider !== undefined;
  const updates = provider && openSubscriptionUpdates({ provider, jobs: platform.jobs });
  const background = provider && updates && openBackgroundWork(platform, { provider, updates });
  return {
    provider,
    updates,
    describe: (row, now) => describe(row, { isPaid, now }),
    isReadOnly: isEnded,
    isTrial: async (scope) => (await stateOf(scope))?.phase === 'trial',
    async requireChangeable(scope) {
      if (await isEnded(scope)) throw refusal('subscription-ended');
    },
    async cancel({ accountId, db }) {
      if (isPaid) await platform.jobs.queue(db, 'billing.cancel', { accountId });
    },
    end: background?.end ?? (async () => undefined),
    sync: ({ db, accountId }) => platform.jobs.queue(db, 'billing.sync', { accountId }),
    isRunning,
    work: background?.work ?? NO_WORK,
  };

  async function isRunning(scope: AccountScope): Promise<boolean> {
    const row = isPaid ? await store.byScope(scope) : undefined;
    return row !== undefined && liveSubscriptions(row.purchases).length > 0;
  }

  async function isEnded(scope: AccountScope): Promise<boolean> {
    const state = await stateOf(scope);
    return state !== undefined && isReadOnly(state);
  }

  async function stateOf(scope: AccountScope): Promise<SubscriptionState | undefined> {
    const row = isPaid ? await store.byScope(scope) : undefined;
    return row && store.standingAt(row, { isPaid, now: scope.now });
  }
}

/** Recurring jobs are queued in every installation, also without billing. */
const NO_WORK: Work = { 'billing.catch-up': async () => undefined, 'billing.remind': async () => undefined };

/** Returns the jobs that call the provider. */
function openBackgroundWork(
  platform: BillingOptions['platform'],
  { provider, updates }: { readonly provider: PaymentProvider; readonly updates: SubscriptionUpdates },
): Pick<Billing, 'end' | 'work'> {
  const catchUp = openEventCatchUp({ platform, provider, updates });
  const remind = openReminders(platform);
  /** Returns a subscription's state. One unknown to the provider, such as one of another Paddle account, counts as canceled. */
  const reportOn = async (subscription: ProviderSubscription): Promise<SubscriptionReport> => {
    const now = platform.now();
    const canceled = { ...subscription, status: 'canceled' as const, canceledAt: now };
    return (
      (await provider.report(subscription.id)) ?? { eventId: '', at: instantKey(new Date(now).toISOString()) ?? '', subscription: canceled }
    );
  };
  const subscriptionOf = (accountId: string) => inAccount(platform, { accountId, actor: SYSTEM }, (scope) => store.byScope(scope));
  return {
    async end(accountId) {
      const { transactionId } = (await subscriptionOf(accountId))?.checkout ?? {};
      // It has just been paid.
      if (transactionId !== undefined && !(await provider.cancelCheckout(transactionId))) await sync(accountId);
      for (const subscription of liveSubscriptions((await subscriptionOf(accountId))?.purchases ?? {})) {
        const latest = await reportOn(subscription);
        const report = latest.subscription.status === 'canceled' ? latest : await provider.cancel(subscription.id, 'at-once');
        await inAccount(platform, { accountId, actor: SYSTEM }, (scope) => updates.applyReports(scope, [report]));
      }
    },
    work: {
      'billing.catch-up': catchUp,
      'billing.remind': remind,
      async 'billing.align'({ data: { accountId, subscriptionId, at } }) {
        const row = await subscriptionOf(accountId);
        const current = row && liveSubscriptions(row.purchases).find(({ id }) => id === subscriptionId);
        if (current?.status !== 'trialing' || at <= platform.now()) return;
        const report = await provider.billFrom(subscriptionId, at);
        await inAccount(platform, { accountId, actor: SYSTEM }, (scope) => updates.applyReports(scope, [report]));
      },
      'billing.sync': ({ data: { accountId } }) => sync(accountId),
    },
  };

  /** Updates all the account's subscriptions, and its checkout, from the provider. */
  async function sync(accountId: string): Promise<void> {
    const row = await subscriptionOf(accountId);
    const { transactionId } = row?.checkout ?? {};
    const purchase = transactionId === undefined ? undefined : await provider.subscriptionOf(transactionId);
    const reports = purchase ? [purchase] : [];
    for (const { subscription } of Object.values(row?.purchases ?? {})) reports.push(await reportOn(subscription));
    await inAccount(platform, { accountId, actor: SYSTEM }, (scope) => updates.applyReports(scope, reports));
  }
}

function describe(row: store.SubscriptionRow, at: { readonly isPaid: boolean; readonly now: Date }): Subscription {
  return {
    ...store.standingAt(row, at),
    ...(row.plan !== null && { plan: row.plan }),
    ...(row.cost !== null && { cost: row.cost }),
    ...(row.paymentFrequency !== null && { paymentFrequency: row.paymentFrequency }),
    ...(row.startDate && { startDate: row.startDate.getTime() }),
    ...(row.billingDate !== null && { billingDate: row.billingDate }),
  };
}
/* ── The steps of signing up ── */

/** Chooses a plan, the second step of signing up. Refuses `conflict` once the account is set up. */
export async function choosePlan(
  scope: AccountScope,
  { plan, paymentFrequency }: { readonly plan: Plan; readonly paymentFrequency: PaymentFrequency },
): Promise<void> {
  await lockForSignUp(scope);
  await store.change(scope, { plan, paymentFrequency, cost: planPrice(plan, paymentFrequency), startDate: null, billingDate: null });
  await record(scope, 'subscription.plan-chosen', { subject: scope.accountId, data: { plan, paymentFrequency } });
}

/** Starts the trial, the third step of signing up. Its dates are set once, whatever is chosen later. Refuses `conflict` without a plan, or once the account is set up. */
export async function startTrial(scope: AccountScope): Promise<void> {
  const row = await lockForSignUp(scope);
  if (row.plan === null) throw refusal('conflict', 'Choose a plan first.');
  const trialStartedAt = row.trialStartedAt ?? scope.now;
  const trialEndsAt = row.trialEndsAt ?? endAfter(scope.now);
  const billingDate = billingDay(trialEndsAt.getTime());
  await store.change(scope, { startDate: row.startDate ?? scope.now, billingDate, trialStartedAt, trialEndsAt });
  if (!row.trialStartedAt)
    await record(scope, 'subscription.trial-started', { subject: scope.accountId, data: { endsAt: trialEndsAt.getTime() } });
}

/**
 * Activates the subscription, the last step of signing up: opens the dashboard. A trial that already ended restarts, once. Refuses
 * `conflict` out of turn. Without billing there is no plan to choose, and this step follows the first.
 */
export async function activate(scope: AccountScope, { isPaid }: { readonly isPaid: boolean }): Promise<void> {
  if (!isPaid) await chooseFreePlan(scope);
  const row = await lockForSignUp(scope);
  if (row.startDate === null || row.trialEndsAt === null) throw refusal('conflict', 'Review your plan first.');
  const { now } = scope;
  const restarted = row.trialEndsAt <= now && { trialStartedAt: now, trialEndsAt: endAfter(now) };
  await store.change(scope, { status: 'active', startDate: now, onboardedAt: now, ...restarted });
  await record(scope, 'subscription.activated', { subject: scope.accountId, data: {} });
}

/** Chooses the free plan, because a subscription without a plan counts as not set up (docs/rules.md#subscription-status). */
async function chooseFreePlan(scope: AccountScope): Promise<void> {
  const { plan, startDate } = await lockForSignUp(scope);
  if (plan === null) await choosePlan(scope, { plan: 'Beta', paymentFrequency: 'Monthly' });
  if (startDate === null) await startTrial(scope);
}

async function lockForSignUp(scope: AccountScope): Promise<store.SubscriptionRow> {
  const row = await store.lock(scope);
  if (!row) throw refusal('not-found');
  if (row.onboardedAt) throw alreadySetUp();
  return row;
}

const endAfter = (now: Date): Date => new Date(trialEnd(now.getTime()));
