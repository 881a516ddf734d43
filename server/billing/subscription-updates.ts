import * as v from 'valibot';
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
import { type AccountScope, narrowTo, type OperatorScope } from '../platform/tenancy/access.ts';
import type { EventBody, PaymentProvider, ProviderEvent } from './port.ts';
import * as store from './store.ts';

/** Applies the provider's reports and events to subscriptions. */
export interface SubscriptionUpdates {
  /** Applies reports to the account's subscriptions. */
  applyReports(scope: AccountScope, reports: readonly SubscriptionReport[]): Promise<ApplyOutcome>;
  /** Applies an event to its account. A repeat changes nothing. */
  applyEvent(scope: OperatorScope, event: ProviderEvent): Promise<store.EventOutcome>;
  /** Applies an event that couldn't be applied when it arrived. Returns false if it still can't be. */
  retryEvent(scope: OperatorScope, body: EventBody): Promise<boolean>;
}

interface SubscriptionUpdatesOptions {
  readonly provider: Pick<PaymentProvider, 'priceOf' | 'readEvent'>;
  readonly jobs: Pick<Jobs, 'queue'>;
}

type ApplyOutcome = Pick<store.EventOutcome, 'outcome' | 'why'>;

const SETTLED: ApplyOutcome = { outcome: 'settled', why: '' };
const PAID_TWICE: ApplyOutcome = { outcome: 'noted', why: 'The account pays for two subscriptions. Cancel one of them with the provider.' };

const GONE: ApplyOutcome = { outcome: 'settled', why: 'Its account was deleted.' };
const BILLED_AFTER_DELETION: ApplyOutcome = {
  outcome: 'noted',
  why: 'Its account was deleted but is still being billed. Cancel it with the provider.',
};

export function openSubscriptionUpdates({ provider, jobs }: SubscriptionUpdatesOptions): SubscriptionUpdates {
  return {
    applyReports,
    applyEvent: async (scope, event) => ((await store.lockEvent(scope, event)) ? settle(scope, event) : { ...SETTLED, accountId: null }),
    async retryEvent(scope, body) {
      try {
        return (await settle(scope, provider.readEvent(body))).outcome === 'settled';
      } catch (error) {
        // A later version may be able to read it.
        if (error instanceof TypeError || error instanceof v.ValiError) return false;
        throw error;
      }
    },
  };

  async function settle(scope: OperatorScope, event: ProviderEvent): Promise<store.EventOutcome> {
    const outcome = await outcomeOf(scope, event);
    await store.storeOutcome(scope, event, outcome);
    return outcome;
  }

  async function outcomeOf(scope: OperatorScope, event: ProviderEvent): Promise<store.EventOutcome> {
    const { notice, subscription, closes, about, customerId } = event;
    const concernsAccount = subscription !== undefined || closes !== undefined || about.length > 0;
    const accountId = concernsAccount ? await accountOf(scope, event) : undefined;
    if (accountId === 'gone')
      return { ...(subscription && subscription.status !== 'canceled' ? BILLED_AFTER_DELETION : GONE), accountId: null };
    const ownOutcome = notice === undefined ? SETTLED : ({ outcome: 'noted', why: notice } satisfies ApplyOutcome);
    if (accountId === undefined) {
      const isOfSubscription = subscription !== undefined || closes !== undefined;
      return isOfSubscription
        ? { outcome: 'unmatched', why: 'No account here matches its ids.', accountId: null }
        : { ...ownOutcome, accountId: null };
    }
    const applied = await narrowTo(scope, accountId, async (account) => {
      await store.claim(account, customerId === undefined ? about : [...about, customerId]);
      if (closes !== undefined) await closeCheckout(account, closes);
      return subscription ? applyReports(account, [{ eventId: event.eventId, at: event.at, subscription }]) : SETTLED;
    });
    return { ...(applied.outcome === 'settled' ? ownOutcome : applied), accountId };
  }

  /** Returns the account of known ids first, because a forged checkout can name any account; then the named account, then the payer's. */
  async function accountOf(scope: OperatorScope, { about, customerId, accountId: namedId }: ProviderEvent): Promise<string | undefined> {
    const owner = await store.ownerOf(scope, about);
    if (owner) return owner.exists ? owner.accountId : 'gone';
    if (namedId !== undefined && (await store.hasAccount(scope, namedId))) return namedId;
    const payer = customerId === undefined ? undefined : await store.ownerOf(scope, [customerId]);
    return payer?.exists ? payer.accountId : payer && 'gone';
  }

  async function applyReports(scope: AccountScope, reports: readonly SubscriptionReport[]): Promise<ApplyOutcome> {
    const before = await store.lock(scope);
    if (!before) return { outcome: 'failed', why: 'The account has no subscription.' };
    const accepted = reports.filter(({ subscription }) => isAccepted(subscription, before.heard));
    const heard = accepted.reduce(withReport, before.heard);
    const current = currentSubscription(heard);
    const price = current && provider.priceOf(current.priceId);
    const changes = {
      heard,
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
      await alignTrial(scope, { ...before, ...changes });
    }
    const rejected = reports.find((report) => !accepted.includes(report));
    if (rejected) return { outcome: 'failed', why: `No setting names the price ${rejected.subscription.priceId}.` };
    return liveSubscriptions(heard).length > 1 ? PAID_TWICE : SETTLED;
  }

  /** Returns false for a price that isn't in the settings, unless the subscription already has it. Such a subscription can still end. */
  function isAccepted({ id, priceId, status }: ProviderSubscription, heard: BillingState): boolean {
    const before = Object.hasOwn(heard, id) ? heard[id]?.subscription.priceId : undefined;
    return provider.priceOf(priceId) !== undefined || before === priceId || (before !== undefined && status === 'canceled');
  }

  /** Moves the first bill of a subscription bought in the trial to the trial's end. */
  async function alignTrial(scope: AccountScope, { heard, trialEndsAt }: store.Subscribed): Promise<void> {
    const current = currentSubscription(heard);
    if (current?.status !== 'trialing' || trialEndsAt === null || trialEndsAt <= scope.now) return;
    if (Math.abs((current.nextBilledAt ?? 0) - trialEndsAt.getTime()) < NEAR) return;
    const { accountId } = scope;
    const key = `${current.id} ${trialEndsAt.getTime()}`;
    await jobs.queue(scope.db, 'billing.align', { accountId, subscriptionId: current.id, at: trialEndsAt.getTime() }, { key });
  }
}

/** Times closer than this (ms) count as the same. */
const NEAR = 60_000;

/** Removes a checkout that was paid or canceled. */
async function closeCheckout(scope: AccountScope, transactionId: string): Promise<void> {
  const row = await store.lock(scope);
  if (row?.checkout?.transactionId === transactionId) await store.change(scope, { checkout: null });
}

async function recordChanges(scope: AccountScope, before: store.Subscribed, after: store.Subscribed): Promise<void> {
  const at = { isPaid: true, now: scope.now };
  const [was, is] = [store.standingAt(before, at), store.standingAt(after, at)];
  const about = { subject: scope.accountId };
  const choice = choiceOf(after);
  if (choice && is.payment && !was.payment) await record(scope, 'subscription.started', { ...about, data: choice });
  else if (choice && is.payment && !isSame(choice, choiceOf(before)))
    await record(scope, 'subscription.plan-changed', { ...about, data: choice });
  const [cancelAt, previousCancelAt] = [is.payment?.cancelAt, was.payment?.cancelAt];
  if (cancelAt !== undefined && cancelAt !== previousCancelAt)
    await record(scope, 'subscription.cancel-planned', { ...about, data: { endsAt: cancelAt } });
  if (cancelAt === undefined && previousCancelAt !== undefined && is.payment)
    await record(scope, 'subscription.cancel-undone', { ...about, data: {} });
  const due = is.payment?.graceEndsAt;
  if (due !== undefined && was.payment?.graceEndsAt === undefined)
    await record(scope, 'subscription.payment-failed', { ...about, data: { graceEndsAt: due } });
  if (was.status === 'past_due' && is.status === 'active') await record(scope, 'subscription.recovered', { ...about, data: {} });
  if (was.payment && (is.status === 'cancelled' || is.status === 'paused') && was.status !== is.status)
    await record(scope, 'subscription.ended', { ...about, data: {} });
  const isOn = is.phase === 'paid' && (was.phase === 'paid' || was.status === 'trial');
  if (isOn && is.payment?.nextBilledAt !== was.payment?.nextBilledAt) await record(scope, 'subscription.renewed', { ...about, data: {} });
  if (was.status === 'paused' && is.status === 'active') await record(scope, 'subscription.resumed', { ...about, data: {} });
}

function choiceOf({ plan, paymentFrequency }: store.Subscribed): { plan: Plan; paymentFrequency: PaymentFrequency } | undefined {
  return plan !== null && paymentFrequency !== null ? { plan, paymentFrequency } : undefined;
}

const isSame = (a: ReturnType<typeof choiceOf>, b: ReturnType<typeof choiceOf>): boolean =>
  a?.plan === b?.plan && a?.paymentFrequency === b?.paymentFrequency;
