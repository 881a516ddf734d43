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

/** Applies what the provider says: to one account, or an event to whom it concerns. */
export interface Applying {
  /** Applies what was said of the account's subscriptions. */
  reports(scope: AccountScope, reports: readonly SubscriptionReport[]): Promise<AppliedAs>;
  /** Applies an event once: a repeat changes nothing. */
  event(scope: OperatorScope, event: ProviderEvent): Promise<store.EventOutcome>;
  /** Applies an event that could not be applied when it came. False where it still cannot be. */
  again(scope: OperatorScope, body: EventBody): Promise<boolean>;
}

interface ApplyingOptions {
  readonly provider: Pick<PaymentProvider, 'priceOf' | 'readEvent'>;
  readonly jobs: Pick<Jobs, 'queue'>;
}

type AppliedAs = Pick<store.EventOutcome, 'outcome' | 'why'>;

const SETTLED: AppliedAs = { outcome: 'settled', why: '' };
const PAID_TWICE: AppliedAs = { outcome: 'noted', why: 'The account pays for two subscriptions. Cancel one of them with the provider.' };

const GONE: AppliedAs = { outcome: 'settled', why: 'Its account was deleted.' };
const PAID_FOR_NOBODY: AppliedAs = {
  outcome: 'noted',
  why: 'Its account was deleted but is still being billed. Cancel it with the provider.',
};

export function openApplying({ provider, jobs }: ApplyingOptions): Applying {
  return {
    reports,
    event: async (scope, said) => ((await store.take(scope, said)) ? settled(scope, said) : { ...SETTLED, accountId: null }),
    async again(scope, body) {
      try {
        return (await settled(scope, provider.readEvent(body))).outcome === 'settled';
      } catch (error) {
        // What cannot be read today may be by a later version.
        if (error instanceof TypeError || error instanceof v.ValiError) return false;
        throw error;
      }
    },
  };

  async function settled(scope: OperatorScope, said: ProviderEvent): Promise<store.EventOutcome> {
    const outcome = await outcomeOf(scope, said);
    await store.settle(scope, said, outcome);
    return outcome;
  }

  async function outcomeOf(scope: OperatorScope, said: ProviderEvent): Promise<store.EventOutcome> {
    const { notice, subscription, closes, about, customerId } = said;
    const isOfAccounts = subscription !== undefined || closes !== undefined || about.length > 0;
    const accountId = isOfAccounts ? await accountOf(scope, said) : undefined;
    if (accountId === 'gone') return { ...(subscription && subscription.status !== 'canceled' ? PAID_FOR_NOBODY : GONE), accountId: null };
    const noted = notice === undefined ? SETTLED : ({ outcome: 'noted', why: notice } satisfies AppliedAs);
    if (accountId === undefined) {
      const isOurs = subscription !== undefined || closes !== undefined;
      return isOurs ? { outcome: 'unmatched', why: 'No account here matches its ids.', accountId: null } : { ...noted, accountId: null };
    }
    const applied = await narrowTo(scope, accountId, async (account) => {
      await store.claim(account, customerId === undefined ? about : [...about, customerId]);
      if (closes !== undefined) await closeCheckout(account, closes);
      return subscription ? reports(account, [{ eventId: said.eventId, at: said.at, subscription }]) : SETTLED;
    });
    return { ...(applied.outcome === 'settled' ? noted : applied), accountId };
  }

  /** Ids that are known go before the account that is named: whoever makes a checkout of their own can name any. Last comes who pays. */
  async function accountOf(scope: OperatorScope, { about, customerId, accountId: named }: ProviderEvent): Promise<string | undefined> {
    const owner = await store.ownerOf(scope, about);
    if (owner) return owner.stands ? owner.accountId : 'gone';
    if (named !== undefined && (await store.hasAccount(scope, named))) return named;
    const payer = customerId === undefined ? undefined : await store.ownerOf(scope, [customerId]);
    return payer?.stands ? payer.accountId : payer && 'gone';
  }

  async function reports(scope: AccountScope, said: readonly SubscriptionReport[]): Promise<AppliedAs> {
    const held = await store.lock(scope);
    if (!held) return { outcome: 'failed', why: 'The account has no subscription.' };
    const known = said.filter(({ subscription }) => isTaken(subscription, held.heard));
    const heard = known.reduce(withReport, held.heard);
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
    if (known.length > 0) {
      await store.claim(
        scope,
        known.flatMap(({ subscription: { id, customerId } }) => [id, customerId]),
      );
      await store.change(scope, changes);
      await recordWhatChanged(scope, held, { ...held, ...changes });
      await alignTrial(scope, { ...held, ...changes });
    }
    const strange = said.find((each) => !known.includes(each));
    if (strange) return { outcome: 'failed', why: `No setting names the price ${strange.subscription.priceId}.` };
    return liveSubscriptions(heard).length > 1 ? PAID_TWICE : SETTLED;
  }

  /** A price that the settings do not name grants nothing; what was bought when they did stays what it is, and may end. */
  function isTaken({ id, priceId, status }: ProviderSubscription, heard: BillingState): boolean {
    const before = Object.hasOwn(heard, id) ? heard[id]?.subscription.priceId : undefined;
    return provider.priceOf(priceId) !== undefined || before === priceId || (before !== undefined && status === 'canceled');
  }

  /** What was bought in the trial is billed first when that ends. */
  async function alignTrial(scope: AccountScope, { heard, trialEndsAt }: store.Subscribed): Promise<void> {
    const current = currentSubscription(heard);
    if (current?.status !== 'trialing' || trialEndsAt === null || trialEndsAt <= scope.now) return;
    if (Math.abs((current.nextBilledAt ?? 0) - trialEndsAt.getTime()) < NEAR) return;
    const { accountId } = scope;
    const key = `${current.id} ${trialEndsAt.getTime()}`;
    await jobs.queue(scope.db, 'billing.align', { accountId, subscriptionId: current.id, at: trialEndsAt.getTime() }, { key });
  }
}

/** Two moments (ms) that are one to whoever pays. */
const NEAR = 60_000;

/** A checkout that was paid or called off is no longer under way. */
async function closeCheckout(scope: AccountScope, transactionId: string): Promise<void> {
  const held = await store.lock(scope);
  if (held?.checkout?.transactionId === transactionId) await store.change(scope, { checkout: null });
}

async function recordWhatChanged(scope: AccountScope, before: store.Subscribed, after: store.Subscribed): Promise<void> {
  const at = { isPaid: true, now: scope.now };
  const [was, is] = [store.standingAt(before, at), store.standingAt(after, at)];
  const about = { subject: scope.accountId };
  const choice = choiceOf(after);
  if (choice && is.payment && !was.payment) await record(scope, 'subscription.started', { ...about, data: choice });
  else if (choice && is.payment && !isSame(choice, choiceOf(before)))
    await record(scope, 'subscription.plan-changed', { ...about, data: choice });
  const [cancels, cancelled] = [is.payment?.cancelAt, was.payment?.cancelAt];
  if (cancels !== undefined && cancels !== cancelled)
    await record(scope, 'subscription.cancel-planned', { ...about, data: { endsAt: cancels } });
  if (cancels === undefined && cancelled !== undefined && is.payment)
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

const isSame = (one: ReturnType<typeof choiceOf>, other: ReturnType<typeof choiceOf>): boolean =>
  one?.plan === other?.plan && one?.paymentFrequency === other?.paymentFrequency;
