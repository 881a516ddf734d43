import { isReadOnly } from '#contract/billing/billing.ts';
import { currentSubscription } from '#contract/billing/billing-state.ts';
import type { subscriptionOperations } from '#contract/billing/subscription.ts';
import { refusal } from '#contract/core/errors.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR, MINUTE } from '#contract/core/time.ts';
import * as store from '../../billing/store.ts';
import { type AccountScope, inAccount } from '../../platform/tenancy/access.ts';
import { type Handlers, SlowWork } from '../../platform/tenancy/dispatch.ts';
import { countWithin } from '../../platform/tenancy/rate-limit.ts';
import { answerWithAccount, beginProviderRequest, requireSubscription, type SubscriptionContext, subscriptionOf } from './subscription.ts';

/** Per account. A page that waits for a payment polls every two seconds for half a minute. @limit confirmations */
const CONFIRMATIONS = { name: 'confirmations', most: 40, within: MINUTE };
/** Per account, because each creates something at the provider. @limit card-changes */
const CARD_CHANGES = { name: 'card changes', most: 10, within: HOUR };

type PaymentActions = 'confirmPayment' | 'changePayment' | 'payments' | 'invoice' | 'paymentPortal';

/** Operations by which admins confirm, see and change how they pay. */
export const openPayments = ({ platform, billing }: SubscriptionContext) =>
  ({
    async confirmPayment({ scope }, { transactionId }) {
      const { provider, updates } = await beginProviderRequest(scope, billing);
      await countWithin(scope, CONFIRMATIONS, scope.accountId);
      const isOurs = await store.isClaimed(scope, transactionId);
      const current = currentSubscription((await subscriptionOf(scope)).purchases);
      return new SlowWork(async () => {
        // A transaction that the provider created, such as an unpaid bill, belongs to the current subscription.
        const report = isOurs ? await provider.subscriptionOf(transactionId) : current && (await provider.report(current.id));
        return async ({ scope: later }) => {
          if (report) await updates.applyReports(later, [report]);
          const isConfirmed = isPaidFor(later, await subscriptionOf(later));
          const answer = await answerWithAccount(later, billing);
          return answer.status === 'ok' ? { ...answer, isConfirmed } : answer;
        };
      });
    },
    async changePayment({ scope, person: { accountId, userId: actor } }) {
      const { provider } = await beginProviderRequest(scope, billing);
      await countWithin(scope, CARD_CHANGES, scope.accountId);
      const { id } = await requireSubscription(scope);
      return new SlowWork(async () => {
        const transactionId = await provider.changePayment(id);
        await inAccount(platform, { accountId, actor }, (claimScope) => store.claim(claimScope, [transactionId]));
        return async () => ({ status: 'ok', transactionId });
      });
    },
    async payments({ scope }) {
      const { provider } = await beginProviderRequest(scope, billing);
      const ids = Object.keys((await subscriptionOf(scope)).purchases);
      if (ids.length === 0) return { status: 'ok', payments: [] };
      return new SlowWork(async () => {
        const payments = await provider.payments(ids);
        return async () => ({ status: 'ok', payments });
      });
    },
    async invoice({ scope }, { transactionId }) {
      const { provider } = await beginProviderRequest(scope, billing);
      const ids = Object.keys((await subscriptionOf(scope)).purchases);
      if (ids.length === 0) return NOT_FOUND;
      return new SlowWork(async () => {
        // The id may be of another account, so it must be among this account's payments.
        const isOwn = (await provider.payments(ids)).some(({ id, hasInvoice }) => id === transactionId && hasInvoice);
        const url = isOwn ? await provider.invoiceUrl(transactionId) : undefined;
        return async () => (url === undefined ? NOT_FOUND : { status: 'ok', url });
      });
    },
    async paymentPortal({ scope }) {
      const { provider } = await beginProviderRequest(scope, billing);
      const current = currentSubscription((await subscriptionOf(scope)).purchases);
      if (!current) throw refusal('conflict', 'No payments yet.');
      return new SlowWork(async () => {
        const url = await provider.portalUrl(current);
        return async () => ({ status: 'ok', url });
      });
    },
  }) satisfies Pick<Handlers<typeof subscriptionOperations>, PaymentActions>;

function isPaidFor({ now }: AccountScope, row: store.SubscriptionRow): boolean {
  const state = store.standingAt(row, { isPaid: true, now });
  return state.payment !== undefined && state.status !== 'past_due' && !isReadOnly(state);
}
