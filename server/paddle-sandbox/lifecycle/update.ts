import type { ITransactionResponse } from '@paddle/paddle-node-sdk';
import { ApiRefusal } from '../api-error.ts';
import { addAttempt, isDeclinedByFault } from '../objects/cards.ts';
import { changeSubscription } from '../objects/subscriptions.ts';
import { addTransaction, changeTransaction, completeTransaction, dueOf } from '../objects/transactions.ts';
import type { Fields } from '../request-fields.ts';
import type { KeptSubscription } from '../state.ts';
import type { SandboxWorld } from '../world.ts';
import type { Proration } from './proration.ts';
import { fallDue } from './renewal.ts';
import { balanceAfter, linesOf, planOf, type SubscriptionUpdate } from './update-plan.ts';

/** Changes a subscription. What is due at once is charged first; where that fails nothing changes, unless the request says otherwise. */
export function update(world: SandboxWorld, kept: KeptSubscription, fields: Fields): void {
  const plan = planOf(world, kept, fields);
  const { proration } = plan;
  const unpaid = proration?.billed === 'immediately' ? collect(world, kept, { plan, proration }) : undefined;
  Object.assign(kept, balanceAfter(proration, kept), { anchor: plan.anchor });
  changeSubscription(world, kept, plan.changes);
  if (unpaid) fallDue(world, kept, unpaid);
}

/** Charges a change at once. Throws `subscription_payment_declined` where it fails and the change waits for it; else gives what is unpaid. */
function collect(
  world: SandboxWorld,
  kept: KeptSubscription,
  { plan, proration }: { readonly plan: SubscriptionUpdate; readonly proration: Proration },
): ITransactionResponse | undefined {
  if (proration.charge === 0) return undefined;
  const { entity } = kept;
  const period = proration.newPeriod ?? entity.current_billing_period ?? null;
  const transaction = addTransaction(world, {
    lines: linesOf(world, proration, period),
    origin: 'subscription_update',
    customerId: entity.customer_id,
    customData: entity.custom_data ?? null,
    link: kept.link,
    credit: proration.credit + kept.credit,
    of: {
      status: 'billed',
      subscription_id: entity.id,
      address_id: entity.address_id,
      billed_at: world.moment(),
      billing_period: period,
    },
  });
  world.report('transaction.created', transaction);
  world.report('transaction.billed', transaction);
  const isPaid = dueOf(transaction) === 0 || !isDeclinedByFault(world);
  addAttempt(world, transaction, { card: kept.card, error: isPaid ? null : 'declined' });
  if (isPaid) {
    changeTransaction(world, transaction, { status: 'paid' });
    completeTransaction(world, transaction);
    return undefined;
  }
  if (plan.onPaymentFailure === 'apply_change') return transaction;
  world.report('transaction.payment_failed', transaction);
  changeTransaction(world, transaction, { status: 'canceled' });
  throw new ApiRefusal(400, 'subscription_payment_declined', 'payment declined');
}
