import { liveSubscriptions, type ProviderSubscription } from '#contract/billing/billing-state.ts';
import { refusal } from '#contract/core/errors.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { MINUTE } from '#contract/core/time.ts';
import * as accounts from '../../account/store.ts';
import type { Billing } from '../../billing/billing.ts';
import type { PaymentProvider } from '../../billing/port.ts';
import * as store from '../../billing/store.ts';
import type { Platform } from '../../platform/context.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import { countWithin } from '../../platform/tenancy/rate-limit.ts';

/** What the operations of admins on their subscription need. */
export interface SubscriptionContext {
  readonly platform: Pick<Platform, 'database' | 'now'>;
  readonly billing: Billing;
}

/** The payment provider, and what applies its reports. */
export interface ProviderRequest {
  readonly provider: PaymentProvider;
  readonly updates: NonNullable<Billing['updates']>;
}

/** Requests to the payment provider per account, because all share its limit. @limit payment-asks */
const PROVIDER_REQUESTS = { name: 'asked of the payment provider', most: 60, within: MINUTE };

/** Returns the payment provider for one request, to be called outside a transaction. Counts it, because all accounts share the provider's rate limit. */
export async function beginProviderRequest(scope: AccountScope, { provider, updates }: Billing): Promise<ProviderRequest> {
  if (!provider || !updates) throw refusal('not-billed');
  await countWithin(scope, PROVIDER_REQUESTS, scope.accountId);
  return { provider, updates };
}

export async function subscriptionOf(scope: AccountScope): Promise<store.SubscriptionRow> {
  const row = await store.byScope(scope);
  if (!row) throw refusal('not-found');
  return row;
}

/** Returns the subscription that the account pays for; refuses `conflict` without one. */
export async function requireSubscription(scope: AccountScope): Promise<ProviderSubscription> {
  const [current] = liveSubscriptions((await subscriptionOf(scope)).purchases);
  if (!current) throw refusal('conflict', 'There is no active subscription.');
  return current;
}

export async function answerWithAccount(scope: AccountScope, billing: Billing) {
  const stored = await accounts.byScope(scope);
  return stored ? ({ status: 'ok', account: accounts.wireAccount(stored, { billing, now: scope.now }) } as const) : NOT_FOUND;
}
