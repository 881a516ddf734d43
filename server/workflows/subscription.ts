import { setTimeout as sleep } from 'node:timers/promises';
import { isChargedAfterTrial, isReadOnly, planPrice } from '#contract/billing/billing.ts';
import {
  currentSubscription,
  liveSubscriptions,
  type ProviderSubscription,
  type SubscriptionReport,
} from '#contract/billing/billing-state.ts';
import type { subscriptionOperations } from '#contract/billing/subscription.ts';
import { refusal } from '#contract/core/errors.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR, MINUTE } from '#contract/core/time.ts';
import * as accounts from '../account/store.ts';
import type { Billing } from '../billing/billing.ts';
import type { Choice, OpenCheckout, PaymentProvider } from '../billing/port.ts';
import * as store from '../billing/store.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import { type Handlers, type Member, Slow } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';

interface SubscriptionOptions {
  readonly platform: Pick<Platform, 'database' | 'now'>;
  readonly billing: Billing;
}

type AdminActions =
  | 'checkout'
  | 'confirmPayment'
  | 'previewPlan'
  | 'changePlan'
  | 'changePayment'
  | 'cancelPlan'
  | 'keepPlan'
  | 'payments'
  | 'invoice'
  | 'paymentPortal';

/** Requests to the payment provider (docs/limits.md#payment-asks). */
const ASKED = { name: 'asked of the payment provider', most: 60, within: MINUTE };
/** Requests that create something at the provider (docs/limits.md#checkouts). */
const CHECKOUTS = { name: 'checkouts', most: 20, within: HOUR };
const CARD_CHANGES = { name: 'card changes', most: 10, within: HOUR };
/** A page that waits for a payment polls every two seconds for half a minute (docs/limits.md#confirmations). */
const CONFIRMATIONS = { name: 'confirmations', most: 40, within: MINUTE };
/** Time after which a checkout that isn't created yet never will be (ms), because its process died. */
const CLAIMED_FOR = 20_000;
/** How long to wait for the checkout that another tab is creating, and the interval between checks (ms). */
const WAITS = { for: 8_000, every: 200 };

/** Operations by which admins manage their subscription. Calls to the provider are never made inside a transaction. */
export function openSubscription({ platform, billing }: SubscriptionOptions) {
  return {
    async checkout({ scope, person }, choice) {
      const { provider } = await paying(scope);
      await countWithin(scope, CHECKOUTS, scope.accountId);
      const name = (await accounts.byScope(scope))?.displayName ?? '';
      const claim = await claimCheckout(scope, choice);
      const { accountId, userId: actor } = person;
      return new Slow(async () => {
        const transactionId = await checkoutFor(claim);
        return async () => ({ status: 'ok', transactionId });
      });

      async function checkoutFor({ checkout, before }: Claim): Promise<string> {
        if (!checkout) return waitFor({ accountId, actor });
        try {
          if (before && isFor(before, checkout) && (await provider.isOpen(before.transactionId))) {
            await storeCheckout(before);
            return before.transactionId;
          }
          if (before && !(await provider.cancelCheckout(before.transactionId)) && (await provider.subscriptionOf(before.transactionId)))
            throw refusal('conflict', 'A payment was made just now. Please wait a moment.');
          const started = await provider.startCheckout({
            plan: checkout.plan,
            paymentFrequency: checkout.paymentFrequency,
            hasTrial: checkout.hasTrial,
            accountId,
            customer: { email: person.emailAddress, name },
          });
          await storeCheckout({ ...checkout, transactionId: started.transactionId });
          return started.transactionId;
        } catch (error) {
          await storeCheckout(before ?? null);
          throw error;
        }
      }

      function storeCheckout(checkout: OpenCheckout | null): Promise<void> {
        return inAccount(platform, { accountId, actor }, async (own) => {
          const row = await store.lock(own);
          // A claim that took too long was replaced by another.
          if (row?.checkout?.asked !== claim.checkout?.asked) return;
          if (checkout?.transactionId !== undefined) await store.claim(own, [checkout.transactionId]);
          await store.change(own, { checkout });
        });
      }
    },

    async confirmPayment({ scope }, { transactionId }) {
      const { provider, updates } = await paying(scope);
      await countWithin(scope, CONFIRMATIONS, scope.accountId);
      const isOurs = await store.isClaimed(scope, transactionId);
      const current = currentSubscription((await subscriptionOf(scope)).heard);
      return new Slow(async () => {
        // A transaction that the provider created, such as an unpaid bill, belongs to the current subscription.
        const report = isOurs ? await provider.subscriptionOf(transactionId) : current && (await provider.report(current.id));
        return async ({ scope: later }) => {
          if (report) await updates.applyReports(later, [report]);
          const isConfirmed = isPaidFor(later, await subscriptionOf(later));
          const account = await accountIn(later);
          return account ? { status: 'ok', account, isConfirmed } : NOT_FOUND;
        };
      });
    },

    async previewPlan({ scope }, choice) {
      const { provider } = await paying(scope);
      const current = await changeable(scope);
      return new Slow(async () => {
        const preview = await provider.preview(current, choice);
        return async () => ({ status: 'ok', preview });
      });
    },

    async changePlan({ scope }, choice) {
      const paid = await paying(scope);
      const row = await subscriptionOf(scope);
      if (liveSubscriptions(row.heard).length === 0) {
        await chooseAnother(scope, row, choice);
        return accountAnswer(scope);
      }
      const current = await changeable(scope);
      return afterwards(paid, () => paid.provider.change(current, choice));
    },

    async changePayment({ scope, person: { accountId, userId: actor } }) {
      const { provider } = await paying(scope);
      await countWithin(scope, CARD_CHANGES, scope.accountId);
      const { id } = await running(scope);
      return new Slow(async () => {
        const transactionId = await provider.changePayment(id);
        await inAccount(platform, { accountId, actor }, (own) => store.claim(own, [transactionId]));
        return async () => ({ status: 'ok', transactionId });
      });
    },

    async cancelPlan({ scope }) {
      const paid = await paying(scope);
      const { id, status } = await running(scope);
      const isBilled = status === 'active' || status === 'trialing';
      return afterwards(paid, () => paid.provider.cancel(id, isBilled ? 'at-the-end' : 'at-once'));
    },

    async keepPlan({ scope }) {
      const paid = await paying(scope);
      const current = await running(scope);
      if (current.cancelAt === undefined && current.status !== 'paused') return accountAnswer(scope);
      return afterwards(paid, () => paid.provider.keep(current));
    },

    async payments({ scope }) {
      const { provider } = await paying(scope);
      const ids = Object.keys((await subscriptionOf(scope)).heard);
      if (ids.length === 0) return { status: 'ok', payments: [] };
      return new Slow(async () => {
        const payments = await provider.payments(ids);
        return async () => ({ status: 'ok', payments });
      });
    },

    async invoice({ scope }, { transactionId }) {
      const { provider } = await paying(scope);
      const ids = Object.keys((await subscriptionOf(scope)).heard);
      if (ids.length === 0) return NOT_FOUND;
      return new Slow(async () => {
        // The id may be of another account, so it must be among this account's payments.
        const isOwn = (await provider.payments(ids)).some(({ id, hasInvoice }) => id === transactionId && hasInvoice);
        const url = isOwn ? await provider.invoiceUrl(transactionId) : undefined;
        return async () => (url === undefined ? NOT_FOUND : { status: 'ok', url });
      });
    },

    async paymentPortal({ scope }) {
      const { provider } = await paying(scope);
      const current = currentSubscription((await subscriptionOf(scope)).heard);
      if (!current) throw refusal('conflict', 'No payments yet.');
      return new Slow(async () => {
        const url = await provider.portalUrl(current);
        return async () => ({ status: 'ok', url });
      });
    },
  } satisfies Pick<Handlers<typeof subscriptionOperations>, AdminActions>;

  /** Returns the payment provider for one request. Counts it, because all accounts share the provider's rate limit. */
  async function paying(scope: AccountScope): Promise<Paying> {
    const { provider, updates } = billing;
    if (!provider || !updates) throw refusal('not-billed');
    await countWithin(scope, ASKED, scope.accountId);
    return { provider, updates };
  }

  /** Calls the provider, applies its report and answers with the account. */
  function afterwards({ updates }: Pick<Paying, 'updates'>, ask: () => Promise<SubscriptionReport>) {
    return new Slow(async () => {
      const report = await ask();
      return async ({ scope }: Member) => {
        await updates.applyReports(scope, [report]);
        return accountAnswer(scope);
      };
    });
  }

  /** Claims the account's only checkout for a choice and returns the previous one. Returns no checkout if another request is creating it. */
  async function claimCheckout(scope: AccountScope, choice: Choice): Promise<Claim> {
    const row = await locked(scope);
    if (liveSubscriptions(row.heard).length > 0) throw refusal('conflict', 'A subscription is running already. Change it instead.');
    if (row.status === 'inactive') throw refusal('conflict', 'Finish signing up first.');
    const now = scope.now.getTime();
    const isInTrial = store.standingAt(row, { isPaid: true, now: scope.now }).phase === 'trial';
    const hasTrial = isInTrial && isChargedAfterTrial(row.trialEndsAt?.getTime(), now);
    const { checkout: before } = row;
    const isInProgress = before && before.transactionId === undefined && now - before.asked < CLAIMED_FOR;
    if (isInProgress && isFor(before, { ...choice, hasTrial })) return {};
    if (isInProgress) throw refusal('conflict', 'Another checkout is being opened. Please try again in a moment.');
    const checkout = { ...choice, hasTrial, asked: now };
    // The claim includes the previous checkout, which must be canceled or reused.
    await store.change(scope, { checkout });
    const { transactionId } = before ?? {};
    return before && transactionId !== undefined ? { checkout, before: { ...before, transactionId } } : { checkout };
  }

  async function waitFor(own: { readonly accountId: string; readonly actor: string }): Promise<string> {
    for (const end = Date.now() + WAITS.for; Date.now() < end; await sleep(WAITS.every)) {
      const checkout = await inAccount(platform, own, async (scope) => (await store.byScope(scope))?.checkout);
      if (!checkout) break;
      if (checkout.transactionId !== undefined) return checkout.transactionId;
    }
    throw refusal('payments-away');
  }

  /** Changes the chosen plan before anything was paid. */
  async function chooseAnother(scope: AccountScope, { status, plan }: store.Subscribed, choice: Choice): Promise<void> {
    if (status === 'inactive') throw refusal('conflict', 'Finish signing up first.');
    if (plan === 'Beta') throw refusal('conflict', 'Your plan is free. Continue to payment to choose another.');
    await store.change(scope, { ...choice, cost: planPrice(choice.plan, choice.paymentFrequency) });
    await record(scope, 'subscription.plan-chosen', { subject: scope.accountId, data: choice });
  }

  /** Returns the subscription if its plan can be changed; refuses `conflict` otherwise. */
  async function changeable(scope: AccountScope): Promise<ProviderSubscription> {
    const current = await running(scope);
    if (current.status === 'past_due') throw refusal('conflict', 'A payment is due. Update the payment first.');
    if (current.status === 'paused') throw refusal('conflict', 'The subscription is paused. Resume it first.');
    return current;
  }

  async function running(scope: AccountScope): Promise<ProviderSubscription> {
    const [current] = liveSubscriptions((await subscriptionOf(scope)).heard);
    if (!current) throw refusal('conflict', 'There is no active subscription.');
    return current;
  }

  function isPaidFor({ now }: AccountScope, row: store.Subscribed): boolean {
    const standing = store.standingAt(row, { isPaid: true, now });
    return standing.payment !== undefined && standing.status !== 'past_due' && !isReadOnly(standing);
  }

  async function accountIn(scope: AccountScope) {
    const stored = await accounts.byScope(scope);
    return stored && accounts.wireAccount(stored, { billing, now: scope.now });
  }

  async function accountAnswer(scope: AccountScope) {
    const account = await accountIn(scope);
    return account ? ({ status: 'ok', account } as const) : NOT_FOUND;
  }
}

/** The payment provider, and what applies its reports. */
interface Paying {
  readonly provider: PaymentProvider;
  readonly updates: NonNullable<Billing['updates']>;
}

/** The checkout that this request creates, and the previous one. */
interface Claim {
  readonly checkout?: OpenCheckout;
  readonly before?: OpenCheckout & { readonly transactionId: string };
}

const isFor = (checkout: Choice & { readonly hasTrial: boolean }, choice: Choice & { readonly hasTrial: boolean }): boolean =>
  checkout.plan === choice.plan && checkout.paymentFrequency === choice.paymentFrequency && checkout.hasTrial === choice.hasTrial;

async function subscriptionOf(scope: AccountScope): Promise<store.Subscribed> {
  const row = await store.byScope(scope);
  if (!row) throw refusal('not-found');
  return row;
}

async function locked(scope: AccountScope): Promise<store.Subscribed> {
  const row = await store.lock(scope);
  if (!row) throw refusal('not-found');
  return row;
}
