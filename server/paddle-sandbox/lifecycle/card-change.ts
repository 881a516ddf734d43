import type { ITransactionResponse } from '@paddle/paddle-node-sdk';
import { ApiRefusal } from '../api-error.ts';
import { recurring } from '../objects/subscriptions.ts';
import { addTransaction, latestOf, lineOf } from '../objects/transactions.ts';
import type { KeptSubscription } from '../state.ts';
import type { SandboxWorld } from '../world.ts';

/**
 * What somebody pays to change their card: the debt of a subscription that is past due, else a transaction of nothing, another with
 * every call. Refuses what is canceled. `link` is where checkouts open when the subscription's first one does not say it.
 */
export function cardChangeTransaction(world: SandboxWorld, kept: KeptSubscription, link: string | undefined): ITransactionResponse {
  const { entity } = kept;
  if (entity.status === 'canceled')
    throw new ApiRefusal(400, 'subscription_is_canceled_action_invalid', "action can't be performed on canceled subscription");
  const debt = entity.status === 'past_due' ? latestOf(world, entity.id, ({ status }) => status === 'past_due') : undefined;
  if (debt) return debt;
  const transaction = addTransaction(world, {
    lines: recurring(kept).map((item) => lineOf(world, item, 0)),
    origin: 'subscription_payment_method_change',
    customerId: entity.customer_id,
    customData: entity.custom_data ?? null,
    link: link ?? kept.link,
    of: { status: 'ready', subscription_id: entity.id, address_id: entity.address_id },
  });
  world.report('transaction.created', transaction);
  world.report('transaction.ready', transaction);
  return transaction;
}
