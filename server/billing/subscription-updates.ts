import * as v from 'valibot';
import type { SubscriptionReport } from '#contract/billing/billing-state.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { type AccountScope, narrowTo, type OperatorScope } from '../platform/tenancy/access.ts';
import type { EventBody, PaymentProvider, ProviderEvent } from './port.ts';
import * as store from './store.ts';
import { type ApplyOutcome, applyReports, NO_PROBLEM } from './subscription-reports.ts';

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

const ACCOUNT_GONE: ApplyOutcome = { outcome: 'settled', why: 'Its account was deleted.' };
const BILLED_AFTER_DELETION: ApplyOutcome = {
  outcome: 'noted',
  why: 'Its account was deleted but is still being billed. Cancel it with the provider.',
};

export function openSubscriptionUpdates(options: SubscriptionUpdatesOptions): SubscriptionUpdates {
  return {
    applyReports: (scope, reports) => applyReports(scope, reports, options),
    applyEvent: async (scope, event) =>
      (await store.lockEvent(scope, event)) ? settle(scope, event, options) : { ...NO_PROBLEM, accountId: null },
    async retryEvent(scope, body) {
      try {
        return (await settle(scope, options.provider.readEvent(body), options)).outcome === 'settled';
      } catch (error) {
        // A later version may be able to read it.
        if (error instanceof TypeError || error instanceof v.ValiError) return false;
        throw error;
      }
    },
  };
}

async function settle(scope: OperatorScope, event: ProviderEvent, options: SubscriptionUpdatesOptions): Promise<store.EventOutcome> {
  const outcome = await outcomeOf(scope, event, options);
  await store.storeOutcome(scope, event, outcome);
  return outcome;
}

async function outcomeOf(scope: OperatorScope, event: ProviderEvent, options: SubscriptionUpdatesOptions): Promise<store.EventOutcome> {
  const { notice, subscription, closes, about, customerId } = event;
  const concernsAccount = subscription !== undefined || closes !== undefined || about.length > 0;
  const accountId = concernsAccount ? await accountOf(scope, event) : undefined;
  if (accountId === 'gone')
    return { ...(subscription && subscription.status !== 'canceled' ? BILLED_AFTER_DELETION : ACCOUNT_GONE), accountId: null };
  const ownOutcome = notice === undefined ? NO_PROBLEM : ({ outcome: 'noted', why: notice } satisfies ApplyOutcome);
  if (accountId === undefined) {
    const isOfSubscription = subscription !== undefined || closes !== undefined;
    return isOfSubscription
      ? { outcome: 'unmatched', why: 'No account here matches its ids.', accountId: null }
      : { ...ownOutcome, accountId: null };
  }
  const applied = await narrowTo(scope, accountId, async (account) => {
    await store.claim(account, customerId === undefined ? about : [...about, customerId]);
    if (closes !== undefined) await closeCheckout(account, closes);
    return subscription ? applyReports(account, [{ eventId: event.eventId, at: event.at, subscription }], options) : NO_PROBLEM;
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

/** Removes a checkout that was paid or canceled. */
async function closeCheckout(scope: AccountScope, transactionId: string): Promise<void> {
  const row = await store.lock(scope);
  if (row?.checkout?.transactionId === transactionId) await store.change(scope, { checkout: null });
}
