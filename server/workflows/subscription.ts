import { setTimeout as sleep } from 'node:timers/promises';
import { buysWithTrial, isReadOnly, planPrice } from '#contract/billing/billing.ts';
import { currentOf, liveOf, type ProviderSubscription, type SubscriptionReport } from '#contract/billing/billing-state.ts';
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

/** Whatever is asked of the provider (docs/limits.md#payment-asks). */
const ASKED = { name: 'asked of the payment provider', most: 60, within: MINUTE };
/** Each of them makes something at the provider (docs/limits.md#checkouts). */
const CHECKOUTS = { name: 'checkouts', most: 20, within: HOUR };
const CARD_CHANGES = { name: 'card changes', most: 10, within: HOUR };
/** A page that waits for a payment asks every other second for half a minute (docs/limits.md#confirmations). */
const CONFIRMATIONS = { name: 'confirmations', most: 40, within: MINUTE };
/** A checkout that is not made by then never will be (ms): its process died. */
const CLAIMED_FOR = 20_000;
/** How long somebody waits for the checkout that another tab is making (ms), and how often it is looked for. */
const WAITS = { for: 8_000, every: 200 };

/** What an account pays, and how its admins change that. No call to the provider is made inside a transaction. */
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
            await keepCheckout(before);
            return before.transactionId;
          }
          if (before && !(await provider.cancelCheckout(before.transactionId)) && (await provider.subscriptionOf(before.transactionId)))
            throw refusal('conflict', 'A payment was made just now. Please wait a moment.');
          const made = await provider.startCheckout({
            plan: checkout.plan,
            paymentFrequency: checkout.paymentFrequency,
            hasTrial: checkout.hasTrial,
            accountId,
            customer: { email: person.emailAddress, name },
          });
          await keepCheckout({ ...checkout, transactionId: made.transactionId });
          return made.transactionId;
        } catch (error) {
          await keepCheckout(before ?? null);
          throw error;
        }
      }

      function keepCheckout(kept: OpenCheckout | null): Promise<void> {
        return inAccount(platform, { accountId, actor }, async (own) => {
          const held = await store.lock(own);
          // Whoever took longer than the claim lasts has lost it.
          if (held?.checkout?.asked !== claim.checkout?.asked) return;
          if (kept?.transactionId !== undefined) await store.claim(own, [kept.transactionId]);
          await store.change(own, { checkout: kept });
        });
      }
    },

    async confirmPayment({ scope }, { transactionId }) {
      const { provider, updates } = await paying(scope);
      await countWithin(scope, CONFIRMATIONS, scope.accountId);
      const isOurs = await store.isClaimed(scope, transactionId);
      const current = currentOf((await held(scope)).heard);
      return new Slow(async () => {
        // A transaction of the provider's own making, such as a bill that could not be paid, is about what runs already.
        const report = isOurs ? await provider.subscriptionOf(transactionId) : current && (await provider.report(current.id));
        return async ({ scope: later }) => {
          if (report) await updates.applyReports(later, [report]);
          const isConfirmed = isPaidFor(later, await held(later));
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
      const row = await held(scope);
      if (liveOf(row.heard).length === 0) {
        await chooseAnother(scope, row, choice);
        return found(scope);
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
      if (current.cancelAt === undefined && current.status !== 'paused') return found(scope);
      return afterwards(paid, () => paid.provider.keep(current));
    },

    async payments({ scope }) {
      const { provider } = await paying(scope);
      const ids = Object.keys((await held(scope)).heard);
      if (ids.length === 0) return { status: 'ok', payments: [] };
      return new Slow(async () => {
        const payments = await provider.payments(ids);
        return async () => ({ status: 'ok', payments });
      });
    },

    async invoice({ scope }, { transactionId }) {
      const { provider } = await paying(scope);
      const ids = Object.keys((await held(scope)).heard);
      if (ids.length === 0) return NOT_FOUND;
      return new Slow(async () => {
        // Any id can be asked for; the account's own are those that it is shown.
        const isOwn = (await provider.payments(ids)).some(({ id, hasInvoice }) => id === transactionId && hasInvoice);
        const url = isOwn ? await provider.invoiceUrl(transactionId) : undefined;
        return async () => (url === undefined ? NOT_FOUND : { status: 'ok', url });
      });
    },

    async paymentPortal({ scope }) {
      const { provider } = await paying(scope);
      const current = currentOf((await held(scope)).heard);
      if (!current) throw refusal('conflict', 'No payments yet.');
      return new Slow(async () => {
        const url = await provider.portalUrl(current);
        return async () => ({ status: 'ok', url });
      });
    },
  } satisfies Pick<Handlers<typeof subscriptionOperations>, AdminActions>;

  /** Whoever is paid, for one thing that is asked of them: all accounts share what the provider lets us ask. */
  async function paying(scope: AccountScope): Promise<Paying> {
    const { provider, updates } = billing;
    if (!provider || !updates) throw refusal('not-billed');
    await countWithin(scope, ASKED, scope.accountId);
    return { provider, updates };
  }

  /** Asks the provider for something, and applies what it answers. */
  function afterwards({ updates }: Pick<Paying, 'updates'>, ask: () => Promise<SubscriptionReport>) {
    return new Slow(async () => {
      const report = await ask();
      return async ({ scope }: Member) => {
        await updates.applyReports(scope, [report]);
        return found(scope);
      };
    });
  }

  /** Takes the account's one checkout for a choice; gives the one that stood there. Without a claim somebody else is making it. */
  async function claimCheckout(scope: AccountScope, choice: Choice): Promise<Claim> {
    const row = await locked(scope);
    if (liveOf(row.heard).length > 0) throw refusal('conflict', 'A subscription is running already. Change it instead.');
    if (row.status === 'inactive') throw refusal('conflict', 'Finish signing up first.');
    const now = scope.now.getTime();
    const isInTrial = store.standingAt(row, { isPaid: true, now: scope.now }).phase === 'trial';
    const hasTrial = isInTrial && buysWithTrial(row.trialEndsAt?.getTime(), now);
    const { checkout: before } = row;
    const isUnderWay = before && before.transactionId === undefined && now - before.asked < CLAIMED_FOR;
    if (isUnderWay && isFor(before, { ...choice, hasTrial })) return {};
    if (isUnderWay) throw refusal('conflict', 'Another checkout is being opened. Please try again in a moment.');
    const checkout = { ...choice, hasTrial, asked: now };
    // What was made before stays with the claim: it must be called off, or is used again.
    await store.change(scope, { checkout });
    const { transactionId } = before ?? {};
    return before && transactionId !== undefined ? { checkout, before: { ...before, transactionId } } : { checkout };
  }

  async function waitFor(own: { readonly accountId: string; readonly actor: string }): Promise<string> {
    for (const end = Date.now() + WAITS.for; Date.now() < end; await sleep(WAITS.every)) {
      const made = await inAccount(platform, own, async (scope) => (await store.byScope(scope))?.checkout);
      if (!made) break;
      if (made.transactionId !== undefined) return made.transactionId;
    }
    throw refusal('payments-away');
  }

  /** Before anything is paid, another plan is only another choice. */
  async function chooseAnother(scope: AccountScope, { status, plan }: store.Subscribed, choice: Choice): Promise<void> {
    if (status === 'inactive') throw refusal('conflict', 'Finish signing up first.');
    if (plan === 'Beta') throw refusal('conflict', 'Your plan is free. Continue to payment to choose another.');
    await store.change(scope, { ...choice, cost: planPrice(choice.plan, choice.paymentFrequency) });
    await record(scope, 'subscription.plan-chosen', { subject: scope.accountId, data: choice });
  }

  /** The subscription, where what it is for can be changed. */
  async function changeable(scope: AccountScope): Promise<ProviderSubscription> {
    const current = await running(scope);
    if (current.status === 'past_due') throw refusal('conflict', 'A payment is due. Update the payment first.');
    if (current.status === 'paused') throw refusal('conflict', 'The subscription is paused. Resume it first.');
    return current;
  }

  async function running(scope: AccountScope): Promise<ProviderSubscription> {
    const [current] = liveOf((await held(scope)).heard);
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

  async function found(scope: AccountScope) {
    const account = await accountIn(scope);
    return account ? ({ status: 'ok', account } as const) : NOT_FOUND;
  }
}

/** Who is asked, and what applies the answers. */
interface Paying {
  readonly provider: PaymentProvider;
  readonly updates: NonNullable<Billing['updates']>;
}

/** A checkout that this request makes, and the one that stood there before. */
interface Claim {
  readonly checkout?: OpenCheckout;
  readonly before?: OpenCheckout & { readonly transactionId: string };
}

const isFor = (one: Choice & { readonly hasTrial: boolean }, other: Choice & { readonly hasTrial: boolean }): boolean =>
  one.plan === other.plan && one.paymentFrequency === other.paymentFrequency && one.hasTrial === other.hasTrial;

async function held(scope: AccountScope): Promise<store.Subscribed> {
  const row = await store.byScope(scope);
  if (!row) throw refusal('not-found');
  return row;
}

async function locked(scope: AccountScope): Promise<store.Subscribed> {
  const row = await store.lock(scope);
  if (!row) throw refusal('not-found');
  return row;
}
