import type { ICustomerResponse, ISubscriptionTimePeriodResponse, ITransactionResponse } from '@paddle/paddle-node-sdk';
import { ApiRefusal } from '../api-error.ts';
import { addCycles, momentOf, nextBillingDate } from '../moments.ts';
import { CURRENCY, type SoldItem } from '../money.ts';
import { addAttempt, type CardBehaviour, isDeclinedByFault, newCard } from '../objects/cards.ts';
import { newItem, reportSubscription, subscriptionById } from '../objects/subscriptions.ts';
import { becomeReady, changeTransaction, completeTransaction, transactionById } from '../objects/transactions.ts';
import type { KeptSubscription, SavedCard } from '../state.ts';
import type { SandboxWorld } from '../world.ts';
import { recover } from './renewal.ts';

/** A checkout that somebody fills in. */
export interface Checkout {
  readonly transactionId: string;
  readonly card: CardBehaviour;
  /** As it stands on the card. */
  readonly name: string;
  /** Whether who pays has confirmed it at the bank, where a card asks for that; true where it is not said. */
  readonly isConfirmed?: boolean;
  /** Who pays, where the transaction does not say it. */
  readonly customer?: ICustomerResponse;
}

/**
 * Pays the transaction of a checkout, or saves the card where nothing is due. Gives whether the card was accepted. Refuses what is paid,
 * canceled or without a customer. A card with 3-D Secure is accepted once who pays has confirmed it.
 */
export function payCheckout(
  world: SandboxWorld,
  { transactionId, card: behaviour, name, customer, isConfirmed = true }: Checkout,
): boolean {
  const transaction = transactionById(world, transactionId);
  if (!isPayable(transaction))
    throw new ApiRefusal(422, 'transaction_not_ready_cannot_process_payment', 'Cannot process payment for non-ready transaction');
  if (customer) transaction.customer_id ??= customer.id;
  becomeReady(world, transaction);
  const card = newCard(world, behaviour, name);
  const error = !isConfirmed ? 'authentication_failed' : behaviour === 'declined' || isDeclinedByFault(world) ? 'declined' : null;
  addAttempt(world, transaction, { card, error });
  if (error !== null) {
    changeTransaction(world, transaction, {});
    world.report('transaction.payment_failed', transaction);
    return false;
  }
  if (transaction.status === 'past_due') {
    const kept = subscriptionById(world, transaction.subscription_id ?? '');
    kept.card = card;
    recover(world, kept, transaction);
    return true;
  }
  changeTransaction(world, transaction, { status: 'paid', billed_at: world.moment() });
  const changed = transaction.subscription_id ? world.state.subscriptions[transaction.subscription_id] : undefined;
  if (changed) changed.card = card;
  else subscribe(world, transaction, card);
  completeTransaction(world, transaction);
  return true;
}

/** Whether a checkout can be opened for it. */
export const isPayable = ({ status }: Pick<ITransactionResponse, 'status'>): boolean =>
  status === 'draft' || status === 'ready' || status === 'past_due';

/** Makes the subscription for the recurring items of a transaction that is paid. */
function subscribe(world: SandboxWorld, transaction: ITransactionResponse, card: SavedCard): void {
  const items = soldBy(world, transaction).filter(({ price }) => price.billing_cycle);
  const [first] = items;
  const cycle = first?.price.billing_cycle;
  const { customer_id: customerId, address_id: addressId } = transaction;
  if (!cycle || !customerId || !addressId) return;
  const at = world.moment();
  const start = world.now();
  const trial = first.price.trial_period;
  const end = trial ? addCycles(start, trial) : nextBillingDate(start, cycle, start);
  const period: ISubscriptionTimePeriodResponse = { starts_at: momentOf(start), ends_at: momentOf(end) };
  const status = trial ? 'trialing' : 'active';
  const kept: KeptSubscription = {
    entity: {
      id: world.newId('sub'),
      status,
      customer_id: customerId,
      address_id: addressId,
      business_id: null,
      currency_code: CURRENCY,
      created_at: at,
      updated_at: at,
      started_at: period.starts_at,
      first_billed_at: trial ? null : period.starts_at,
      next_billed_at: period.ends_at,
      paused_at: null,
      canceled_at: null,
      discount: null,
      collection_mode: 'automatic',
      billing_details: null,
      current_billing_period: period,
      billing_cycle: cycle,
      scheduled_change: null,
      management_urls: null,
      items: items.map((item) =>
        newItem(world, item, {
          status,
          previouslyBilledAt: trial ? null : period.starts_at,
          nextBilledAt: period.ends_at,
          trialDates: trial ? period : null,
        }),
      ),
      custom_data: transaction.custom_data ?? null,
      import_meta: null,
    },
    // After a trial it is billed from the trial's end on.
    anchor: trial ? period.ends_at : period.starts_at,
    card,
    transaction_id: transaction.id,
    link: linkOf(transaction),
    credit: 0,
    carried: 0,
  };
  world.state.subscriptions[kept.entity.id] = kept;
  reportSubscription(world, 'subscription.created', kept);
  reportSubscription(world, trial ? 'subscription.trialing' : 'subscription.activated', kept);
  Object.assign(transaction, { subscription_id: kept.entity.id, billing_period: period });
}

const soldBy = ({ state }: SandboxWorld, { items }: ITransactionResponse): SoldItem[] =>
  items.flatMap(({ price, quantity }) => {
    const product = price && state.products[price.product_id];
    return product ? [{ price, product, quantity }] : [];
  });

/** Where the transaction's checkout opens, without the transaction. */
function linkOf({ checkout }: ITransactionResponse): string | null {
  if (!checkout?.url) return null;
  const url = new URL(checkout.url);
  url.searchParams.delete('_ptxn');
  return url.href;
}
