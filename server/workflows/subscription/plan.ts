import { planPrice } from '#contract/billing/billing.ts';
import { liveSubscriptions, type ProviderSubscription, type SubscriptionReport } from '#contract/billing/billing-state.ts';
import type { subscriptionOperations } from '#contract/billing/subscription.ts';
import { refusal } from '#contract/core/errors.ts';
import type { Choice } from '../../billing/port.ts';
import * as store from '../../billing/store.ts';
import { record } from '../../event/store.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import { type Handlers, type Member, SlowWork } from '../../platform/tenancy/dispatch.ts';
import {
  answerWithAccount,
  beginProviderRequest,
  type ProviderRequest,
  requireSubscription,
  type SubscriptionContext,
  subscriptionOf,
} from './subscription.ts';

/** Operations by which admins change, cancel and resume their plan. */
export function openPlan({ billing }: Pick<SubscriptionContext, 'billing'>) {
  return {
    async previewPlan({ scope }, choice) {
      const { provider } = await beginProviderRequest(scope, billing);
      const current = await requireChangeable(scope);
      return new SlowWork(async () => {
        const preview = await provider.preview(current, choice);
        return async () => ({ status: 'ok', preview });
      });
    },
    async changePlan({ scope }, choice) {
      const paid = await beginProviderRequest(scope, billing);
      const row = await subscriptionOf(scope);
      if (liveSubscriptions(row.purchases).length === 0) {
        await chooseAnother(scope, row, choice);
        return answerWithAccount(scope, billing);
      }
      const current = await requireChangeable(scope);
      return callProvider(paid, () => paid.provider.change(current, choice));
    },
    async cancelPlan({ scope }) {
      const paid = await beginProviderRequest(scope, billing);
      const { id, status } = await requireSubscription(scope);
      const isBilled = status === 'active' || status === 'trialing';
      return callProvider(paid, () => paid.provider.cancel(id, isBilled ? 'at-the-end' : 'at-once'));
    },
    async keepPlan({ scope }) {
      const paid = await beginProviderRequest(scope, billing);
      const current = await requireSubscription(scope);
      if (current.cancelAt === undefined && current.status !== 'paused') return answerWithAccount(scope, billing);
      return callProvider(paid, () => paid.provider.keep(current));
    },
  } satisfies Pick<Handlers<typeof subscriptionOperations>, 'previewPlan' | 'changePlan' | 'cancelPlan' | 'keepPlan'>;

  /** Calls the provider, applies its report and answers with the account. */
  function callProvider({ updates }: ProviderRequest, ask: () => Promise<SubscriptionReport>) {
    return new SlowWork(async () => {
      const report = await ask();
      return async ({ scope }: Member) => {
        await updates.applyReports(scope, [report]);
        return answerWithAccount(scope, billing);
      };
    });
  }
}

/** Changes the chosen plan before anything was paid. */
async function chooseAnother(scope: AccountScope, { status, plan }: store.SubscriptionRow, choice: Choice): Promise<void> {
  if (status === 'inactive') throw refusal('conflict', 'Finish signing up first.');
  if (plan === 'Beta') throw refusal('conflict', 'Your plan is free. Continue to payment to choose another.');
  await store.change(scope, { ...choice, cost: planPrice(choice.plan, choice.paymentFrequency) });
  await record(scope, 'subscription.plan-chosen', { subject: scope.accountId, data: choice });
}

/** Returns the subscription if its plan can be changed; refuses `conflict` otherwise. */
async function requireChangeable(scope: AccountScope): Promise<ProviderSubscription> {
  const current = await requireSubscription(scope);
  if (current.status === 'past_due') throw refusal('conflict', 'A payment is due. Update the payment first.');
  if (current.status === 'paused') throw refusal('conflict', 'The subscription is paused. Resume it first.');
  return current;
}
