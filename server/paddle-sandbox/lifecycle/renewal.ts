import type { ITransactionResponse } from '@paddle/paddle-node-sdk';
import { millisecondsOf, momentOf } from '../moments.ts';
import { costOf } from '../money.ts';
import { addAttempt, isDeclinedByFault } from '../objects/cards.ts';
import { changeSubscription, cycleFrom, datedItems, recurring, reportSubscription } from '../objects/subscriptions.ts';
import { addTransaction, changeTransaction, completeTransaction, dueOf, lineOf } from '../objects/transactions.ts';
import type { KeptSubscription } from '../state.ts';
import type { SandboxWorld } from '../world.ts';

/**
 * Bills a subscription for its next cycle, as at a renewal or at the end of a trial; before its date, as though the date were now. The
 * new period is told first, also when the payment fails after it. Gives whether it was paid.
 */
export function renew(world: SandboxWorld, kept: KeptSubscription, { isPaid }: { readonly isPaid: boolean }): boolean {
  const wasTrial = kept.entity.status === 'trialing';
  const start = billingStart(world, kept);
  const period = cycleFrom(kept, start);
  changeSubscription(world, kept, {
    status: 'active',
    current_billing_period: period,
    next_billed_at: period.ends_at,
    items: datedItems(world, kept, { status: 'active', previously_billed_at: period.starts_at, next_billed_at: period.ends_at }),
  });
  const isCollected = bill(world, kept, { isPaid });
  if (isCollected && wasTrial) {
    reportSubscription(world, 'subscription.activated', kept);
  }
  return isCollected;
}

/** When the cycle begins that is billed now (UTC ms): on the date that was set, or at once, and then dates are counted from now. */
function billingStart(world: SandboxWorld, kept: KeptSubscription): number {
  const due = millisecondsOf(kept.entity.next_billed_at ?? momentOf(world.now()));
  if (due <= world.now()) return due;
  const now = world.now();
  kept.anchor = momentOf(now);
  if (kept.entity.status === 'trialing') kept.entity.items = kept.entity.items.map((item) => endedTrial(item, momentOf(now)));
  return now;
}

const endedTrial = <Item extends KeptSubscription['entity']['items'][number]>(item: Item, at: string): Item =>
  item.trial_dates ? { ...item, trial_dates: { ...item.trial_dates, ends_at: at } } : item;

/** Charges the current period. A subscription that does not pay is past due. Gives whether it was paid. */
export function bill(world: SandboxWorld, kept: KeptSubscription, { isPaid }: { readonly isPaid: boolean }): boolean {
  const transaction = recurringTransaction(world, kept);
  const isCollected = isPaid && !isDeclinedByFault(world);
  addAttempt(world, transaction, { card: kept.card, error: isCollected ? null : 'declined' });
  if (!isCollected) {
    fallDue(world, kept, transaction);
    return false;
  }
  changeTransaction(world, transaction, { status: 'paid' });
  completeTransaction(world, transaction);
  kept.entity.first_billed_at ??= transaction.billed_at ?? null;
  return true;
}

/** The transaction of a renewal: the items, what is carried from changes before, less what the customer has in store. */
function recurringTransaction(world: SandboxWorld, kept: KeptSubscription): ITransactionResponse {
  const { entity } = kept;
  const [first, ...others] = recurring(kept).map((item) => lineOf(world, item, costOf(item)));
  const lines = first ? [{ ...first, amount: first.amount + kept.carried }, ...others] : [];
  const transaction = addTransaction(world, {
    lines,
    origin: 'subscription_recurring',
    customerId: entity.customer_id,
    customData: entity.custom_data ?? null,
    link: kept.link,
    credit: kept.credit,
    of: {
      status: 'billed',
      subscription_id: entity.id,
      address_id: entity.address_id,
      billed_at: world.moment(),
      billing_period: entity.current_billing_period ?? null,
    },
  });
  kept.credit -= Number(transaction.details?.totals?.credit ?? 0);
  kept.carried = 0;
  world.report('transaction.created', transaction);
  world.report('transaction.billed', transaction);
  return transaction;
}

export function fallDue(world: SandboxWorld, kept: KeptSubscription, transaction: ITransactionResponse): void {
  world.report('transaction.payment_failed', transaction);
  changeTransaction(world, transaction, { status: 'past_due' });
  changeSubscription(world, kept, { status: 'past_due' });
  reportSubscription(world, 'subscription.past_due', kept);
}

/** The debt of a past-due subscription is paid, by the card that it has now. Its attempt stands in the transaction already. */
export function recover(world: SandboxWorld, kept: KeptSubscription, transaction: ITransactionResponse): void {
  changeTransaction(world, transaction, { status: 'paid' });
  kept.entity.first_billed_at ??= transaction.billed_at ?? null;
  if (kept.entity.status === 'past_due') changeSubscription(world, kept, { status: 'active' });
  completeTransaction(world, transaction);
}

/** Tries the card once more for a transaction that is past due. Gives whether it was paid. */
export function retry(world: SandboxWorld, kept: KeptSubscription, transaction: ITransactionResponse): boolean {
  const isPaid = dueOf(transaction) === 0 || !isDeclinedByFault(world);
  addAttempt(world, transaction, { card: kept.card, error: isPaid ? null : 'declined' });
  if (isPaid) recover(world, kept, transaction);
  else {
    changeTransaction(world, transaction, {});
    world.report('transaction.payment_failed', transaction);
  }
  return isPaid;
}
