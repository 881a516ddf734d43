import { setTimeout as sleep } from 'node:timers/promises';
import { isChargedAfterTrial } from '#contract/billing/billing.ts';
import { liveSubscriptions } from '#contract/billing/billing-state.ts';
import type { subscriptionOperations } from '#contract/billing/subscription.ts';
import { refusal } from '#contract/core/errors.ts';
import { HOUR } from '#contract/core/time.ts';
import * as accounts from '../../account/store.ts';
import type { Choice, OpenCheckout, PaymentProvider } from '../../billing/port.ts';
import * as store from '../../billing/store.ts';
import type { Platform } from '../../platform/context.ts';
import { type AccountScope, inAccount } from '../../platform/tenancy/access.ts';
import { type Handlers, SlowWork } from '../../platform/tenancy/dispatch.ts';
import { countWithin } from '../../platform/tenancy/rate-limit.ts';
import { beginProviderRequest, type SubscriptionContext } from './subscription.ts';

/** Per account, because each creates something at the provider. @limit checkouts */
const CHECKOUTS = { name: 'checkouts', most: 20, within: HOUR };
/** Time after which a checkout that isn't created yet never will be (ms), because its process died. @limit checkouts */
const CLAIM_TIMEOUT = 20_000;
/** How long to wait for the checkout that another tab is creating, and the interval between checks (ms). */
const OTHER_TAB = { for: 8_000, every: 200 };

/** An account's checkout: claimed in one transaction, created at the provider, and stored in another transaction. */
export const openCheckout = ({ platform, billing }: SubscriptionContext) =>
  ({
    async checkout({ scope, person: { accountId, userId: actor, emailAddress: email } }, choice) {
      const { provider } = await beginProviderRequest(scope, billing);
      await countWithin(scope, CHECKOUTS, scope.accountId);
      const name = (await accounts.byScope(scope))?.displayName ?? '';
      const claim = await claimCheckout(scope, choice);
      const buyer = { platform, provider, accountId, actor, customer: { email, name } };
      return new SlowWork(async () => {
        const transactionId = claim ? await create(buyer, claim) : await waitForOther(buyer);
        return async () => ({ status: 'ok', transactionId });
      });
    },
  }) satisfies Pick<Handlers<typeof subscriptionOperations>, 'checkout'>;

/** The checkout that this request creates, and the previous one. */
interface Claim {
  readonly checkout: OpenCheckout;
  readonly before?: OpenCheckout & { readonly transactionId: string };
}

/** The admin who checks out, and where. */
interface Buyer {
  readonly platform: Pick<Platform, 'database' | 'now'>;
  readonly provider: PaymentProvider;
  readonly accountId: string;
  readonly actor: string;
  readonly customer: { readonly email: string; readonly name: string };
}

/** Claims the account's only checkout for a choice, with the previous one. Returns undefined if another request is creating it. */
async function claimCheckout(scope: AccountScope, choice: Choice): Promise<Claim | undefined> {
  const row = await store.lock(scope);
  if (!row) throw refusal('not-found');
  if (liveSubscriptions(row.purchases).length > 0) throw refusal('conflict', 'A subscription is running already. Change it instead.');
  if (row.status === 'inactive') throw refusal('conflict', 'Finish signing up first.');
  const now = scope.now.getTime();
  const isInTrial = store.standingAt(row, { isPaid: true, now: scope.now }).phase === 'trial';
  const hasTrial = isInTrial && isChargedAfterTrial(row.trialEndsAt?.getTime(), now);
  const { checkout: before } = row;
  const isInProgress = before && before.transactionId === undefined && now - before.asked < CLAIM_TIMEOUT;
  if (isInProgress && isFor(before, { ...choice, hasTrial })) return undefined;
  if (isInProgress) throw refusal('conflict', 'Another checkout is being opened. Please try again in a moment.');
  const checkout = { ...choice, hasTrial, asked: now };
  // The claim includes the previous checkout, which must be canceled or reused.
  await store.change(scope, { checkout });
  const { transactionId } = before ?? {};
  return before && transactionId !== undefined ? { checkout, before: { ...before, transactionId } } : { checkout };
}

/** Creates the claimed checkout, or reuses the previous one, and returns its transaction. If it fails, the previous one is restored. */
async function create(buyer: Buyer, claim: Claim): Promise<string> {
  const { provider, accountId, customer } = buyer;
  const { checkout, before } = claim;
  try {
    if (before && isFor(before, checkout) && (await provider.isOpen(before.transactionId))) {
      await storeCheckout(buyer, claim, before);
      return before.transactionId;
    }
    if (before && !(await provider.cancelCheckout(before.transactionId)) && (await provider.subscriptionOf(before.transactionId)))
      throw refusal('conflict', 'A payment was made just now. Please wait a moment.');
    const { plan, paymentFrequency, hasTrial } = checkout;
    const { transactionId } = await provider.startCheckout({ plan, paymentFrequency, hasTrial, accountId, customer });
    await storeCheckout(buyer, claim, { ...checkout, transactionId });
    return transactionId;
  } catch (error) {
    await storeCheckout(buyer, claim, before ?? null);
    throw error;
  }
}

function storeCheckout({ platform, accountId, actor }: Buyer, claim: Claim, checkout: OpenCheckout | null): Promise<void> {
  return inAccount(platform, { accountId, actor }, async (scope) => {
    const row = await store.lock(scope);
    // A claim that took too long was replaced by another.
    if (row?.checkout?.asked !== claim.checkout.asked) return;
    if (checkout?.transactionId !== undefined) await store.claim(scope, [checkout.transactionId]);
    await store.change(scope, { checkout });
  });
}

async function waitForOther({ platform, accountId, actor }: Buyer): Promise<string> {
  for (const end = Date.now() + OTHER_TAB.for; Date.now() < end; await sleep(OTHER_TAB.every)) {
    const checkout = await inAccount(platform, { accountId, actor }, async (scope) => (await store.byScope(scope))?.checkout);
    if (!checkout) break;
    if (checkout.transactionId !== undefined) return checkout.transactionId;
  }
  throw refusal('payments-away');
}

const isFor = (checkout: Choice & { readonly hasTrial: boolean }, choice: Choice & { readonly hasTrial: boolean }): boolean =>
  checkout.plan === choice.plan && checkout.paymentFrequency === choice.paymentFrequency && checkout.hasTrial === choice.hasTrial;
