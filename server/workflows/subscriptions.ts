import type { Account } from '#contract/account/account.ts';
import { billingDay, planPrice } from '#contract/billing/billing.ts';
import { currentSubscription, liveSubscriptions } from '#contract/billing/billing-state.ts';
import type { subscriptionOperations } from '#contract/billing/subscription.ts';
import { badField, refusal } from '#contract/core/errors.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY } from '#contract/core/time.ts';
import * as accounts from '../account/store.ts';
import type { Billing } from '../billing/billing.ts';
import * as store from '../billing/store.ts';
import { record } from '../event/store.ts';
import { type AccountScope, narrowTo, type OperatorScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { listSubscriptions } from './operator-store.ts';

type OperatorActions = 'listSubscriptions' | 'billingProblems' | 'replayBillingEvent' | 'extendTrial' | 'giveBeta' | 'syncSubscription';

/** Maximum number of problems shown. */
const PROBLEMS_SHOWN = 100;
/** How far in the future a trial may end (ms). */
const LONGEST_TRIAL = 366 * DAY;

/** Operations by which operators see and change subscriptions. */
export function openSubscriptions({ billing }: { readonly billing: Billing }) {
  return {
    async listSubscriptions({ scope }, query) {
      const { accounts: rows, cursor } = await listSubscriptions(scope, query);
      const subscriptions = rows.map((each) => {
        const current = currentSubscription(each.subscription.purchases);
        return {
          account: accounts.wireAccount(each, { billing, now: scope.now }),
          ...(current && { customerId: current.customerId, subscriptionId: current.id }),
          isDoubled: liveSubscriptions(each.subscription.purchases).length > 1,
        };
      });
      return { status: 'ok', subscriptions, cursor };
    },
    async billingProblems({ scope }) {
      const [events, reading] = [await store.unsettledEvents(scope, PROBLEMS_SHOWN), await store.progress(scope)];
      return {
        status: 'ok',
        kind: billing.provider?.kind ?? 'none',
        problems: events.flatMap(({ eventId, type, received, outcome, why, accountId }) =>
          outcome === 'settled' ? [] : [{ eventId, type, at: received.getTime(), outcome, why, ...(accountId !== null && { accountId }) }],
        ),
        ...(reading?.readAt && { readAt: reading.readAt.getTime() }),
        ...(typeof reading?.failure === 'string' && { failure: reading.failure }),
      };
    },
    async replayBillingEvent({ scope }, { eventId }) {
      const event = await store.eventOf(scope, eventId);
      if (!event) return NOT_FOUND;
      const { updates } = billing;
      const { body, outcome, accountId } = event;
      const isOpen = body !== null && outcome !== 'settled' && outcome !== 'noted';
      if (!isOpen || !updates) {
        await store.storeOutcome(scope, { eventId, body: {} }, { outcome: 'settled', why: '', accountId });
        return { status: 'ok', isSettled: true };
      }
      return { status: 'ok', isSettled: await updates.retryEvent(scope, body) };
    },
    async extendTrial({ scope }, { accountId, endsAt }) {
      if (!billing.provider) throw refusal('not-billed');
      const [now, isSandbox] = [scope.now.getTime(), billing.provider.kind === 'sandbox'];
      if (endsAt > now + LONGEST_TRIAL) throw badField('endsAt', 'Choose a date within a year');
      // In the sandbox, the end of a trial can be tested by moving it to now.
      if (endsAt < now && !isSandbox) throw badField('endsAt', 'This is in the past');
      return changed(scope, accountId, async (account) => {
        await requireUnpaid(account);
        const trialEndsAt = new Date(endsAt);
        await store.change(account, { trialStartedAt: scope.now, trialEndsAt, billingDate: billingDay(endsAt), checkout: null });
        await record(account, 'subscription.trial-extended', { subject: accountId, data: { endsAt } });
      });
    },
    async giveBeta({ scope }, { accountId }) {
      if (!billing.provider) throw refusal('not-billed');
      return changed(scope, accountId, async (account) => {
        await requireUnpaid(account);
        await store.change(account, { plan: 'Beta', paymentFrequency: 'Monthly', cost: planPrice('Beta', 'Monthly'), checkout: null });
        await record(account, 'subscription.freed', { subject: accountId, data: {} });
      });
    },
    async syncSubscription({ scope }, { accountId }) {
      if (!billing.provider) throw refusal('not-billed');
      return changed(scope, accountId, billing.sync);
    },
  } satisfies Pick<Handlers<typeof subscriptionOperations>, OperatorActions>;

  async function changed(scope: OperatorScope, accountId: string, change: (account: AccountScope) => Promise<void>) {
    const account = await narrowTo(scope, accountId, async (own): Promise<Account | undefined> => {
      if (!(await store.byScope(own))) return undefined;
      await change(own);
      const stored = await accounts.byScope(own);
      return stored && accounts.wireAccount(stored, { billing, now: scope.now });
    });
    return account ? ({ status: 'ok', account } as const) : NOT_FOUND;
  }
}

async function requireUnpaid(scope: AccountScope): Promise<void> {
  const row = await store.lock(scope);
  if (row?.status !== 'active') throw refusal('conflict', 'Sign-up isn’t finished.');
  if (liveSubscriptions(row.purchases).length > 0) throw refusal('conflict', 'A subscription is running. Cancel it first.');
}
