import {
  alreadySetUp,
  billingDay,
  isReadOnly,
  type PaymentFrequency,
  type Plan,
  planPrice,
  type Subscription,
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
import { type Applying, openApplying } from './applying.ts';
import { openCatchingUp } from './catching-up.ts';
import type { PaymentProvider } from './port.ts';
import { openReminders } from './reminders.ts';
import * as store from './store.ts';

/** What the other rooms ask of billing, each in the caller's transaction. */
export interface Billing {
  /** Undefined where nobody pays. */
  readonly provider: PaymentProvider | undefined;
  /** Undefined where nobody pays. */
  readonly applying: Applying | undefined;
  /** The subscription as the API sends it, at a moment. */
  describe(row: store.Subscribed, now: Date): Subscription;
  /** Whether the account can be read and not changed (docs/rules.md#ended). */
  isReadOnly(scope: AccountScope): Promise<boolean>;
  /** Refuses `subscription-ended` where it is so. */
  requireChangeable(scope: AccountScope): Promise<void>;
  /** Has `end` called soon after the transaction has ended well, until it is done. */
  cancel(scope: AccountScope): Promise<void>;
  /** Ends at once what an account pays for, and calls off the checkout that nobody has paid yet. Asks the provider: call it in no transaction. */
  end(accountId: string): Promise<void>;
  /** Has the provider asked what the account pays for. */
  sync(scope: AccountScope): Promise<void>;
  /** Whether something is still to be paid for an account. */
  isRunning(scope: AccountScope): Promise<boolean>;
  readonly work: Work;
}

interface BillingOptions {
  readonly platform: Pick<Platform, 'database' | 'jobs' | 'log' | 'now'>;
  readonly provider: PaymentProvider | undefined;
}

export function openBilling({ platform, provider }: BillingOptions): Billing {
  const isPaid = provider !== undefined;
  const applying = provider && openApplying({ provider, jobs: platform.jobs });
  const asking = provider && applying && openAsking(platform, { provider, applying });
  return {
    provider,
    applying,
    describe: (row, now) => describe(row, { isPaid, now }),
    isReadOnly: isEnded,
    async requireChangeable(scope) {
      if (await isEnded(scope)) throw refusal('subscription-ended');
    },
    async cancel({ accountId, db }) {
      if (isPaid) await platform.jobs.queue(db, 'billing.cancel', { accountId });
    },
    end: asking?.end ?? (async () => undefined),
    sync: ({ db, accountId }) => platform.jobs.queue(db, 'billing.sync', { accountId }),
    isRunning,
    work: asking?.work ?? NO_WORK,
  };

  /** Whether the provider still bills for the account. */
  async function isRunning(scope: AccountScope): Promise<boolean> {
    const held = isPaid ? await store.byScope(scope) : undefined;
    return held !== undefined && liveSubscriptions(held.heard).length > 0;
  }

  async function isEnded(scope: AccountScope): Promise<boolean> {
    const held = isPaid ? await store.byScope(scope) : undefined;
    return held !== undefined && isReadOnly(store.standingAt(held, { isPaid, now: scope.now }));
  }
}

/** What recurs is queued in every installation. */
const NO_WORK: Work = { 'billing.catch-up': async () => undefined, 'billing.remind': async () => undefined };

/** What asks the provider on nobody's request. */
function openAsking(
  platform: BillingOptions['platform'],
  { provider, applying }: { readonly provider: PaymentProvider; readonly applying: Applying },
): Pick<Billing, 'end' | 'work'> {
  const catchUp = openCatchingUp({ platform, provider, applying });
  const remind = openReminders(platform);
  /** What the provider knows no more, such as what was tried with another of its accounts, is over. */
  const reportOn = async (subscription: ProviderSubscription): Promise<SubscriptionReport> => {
    const now = platform.now();
    const gone = { ...subscription, status: 'canceled' as const, canceledAt: now };
    return (
      (await provider.report(subscription.id)) ?? { eventId: '', at: instantKey(new Date(now).toISOString()) ?? '', subscription: gone }
    );
  };
  const heardOf = (accountId: string) => inAccount(platform, { accountId, actor: SYSTEM }, (scope) => store.byScope(scope));
  return {
    async end(accountId) {
      const { transactionId } = (await heardOf(accountId))?.checkout ?? {};
      // It was paid just now.
      if (transactionId !== undefined && !(await provider.dropCheckout(transactionId))) await hear(accountId);
      for (const subscription of liveSubscriptions((await heardOf(accountId))?.heard ?? {})) {
        const now = await reportOn(subscription);
        const report = now.subscription.status === 'canceled' ? now : await provider.cancel(subscription.id, 'at-once');
        await inAccount(platform, { accountId, actor: SYSTEM }, (scope) => applying.reports(scope, [report]));
      }
    },
    work: {
      'billing.catch-up': catchUp,
      'billing.remind': remind,
      async 'billing.align'({ data: { accountId, subscriptionId, at } }) {
        const held = await heardOf(accountId);
        const current = held && liveSubscriptions(held.heard).find(({ id }) => id === subscriptionId);
        if (current?.status !== 'trialing' || at <= platform.now()) return;
        const report = await provider.billFrom(subscriptionId, at);
        await inAccount(platform, { accountId, actor: SYSTEM }, (scope) => applying.reports(scope, [report]));
      },
      'billing.sync': ({ data: { accountId } }) => hear(accountId),
    },
  };

  /** Asks the provider what became of everything that it has of the account. */
  async function hear(accountId: string): Promise<void> {
    const held = await heardOf(accountId);
    const { transactionId } = held?.checkout ?? {};
    const bought = transactionId === undefined ? undefined : await provider.subscriptionOf(transactionId);
    const reports = bought ? [bought] : [];
    for (const { subscription } of Object.values(held?.heard ?? {})) reports.push(await reportOn(subscription));
    await inAccount(platform, { accountId, actor: SYSTEM }, (scope) => applying.reports(scope, reports));
  }
}

function describe(row: store.Subscribed, at: { readonly isPaid: boolean; readonly now: Date }): Subscription {
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
 * `conflict` out of turn. Where nobody pays there is no plan to choose, and this step follows the first.
 */
export async function activate(scope: AccountScope, { isPaid }: { readonly isPaid: boolean }): Promise<void> {
  if (!isPaid) await takeFreePlan(scope);
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
