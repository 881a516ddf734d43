import type { INextTransactionResponse, ISubscriptionPreviewResponse, ITransactionDetailsPreviewResponse } from '@paddle/paddle-node-sdk';
import { millisecondsOf } from '../moments.ts';
import { CURRENCY, costOf, detailsOf, type SoldLine } from '../money.ts';
import { cycleFrom, recurring } from '../objects/subscriptions.ts';
import { lineOf } from '../objects/transactions.ts';
import type { Fields } from '../request-fields.ts';
import type { KeptSubscription } from '../state.ts';
import type { SandboxWorld } from '../world.ts';
import type { Proration } from './proration.ts';
import { balanceAfter, linesOf, planOf } from './update-plan.ts';

/** What `update` with the same fields would do, without doing it. */
export function preview(
  world: SandboxWorld,
  kept: KeptSubscription,
  fields: Fields,
): Omit<ISubscriptionPreviewResponse, 'management_urls'> {
  const plan = planOf(world, kept, fields);
  const { id: _, management_urls: __, ...entity } = { ...kept.entity, ...plan.changes };
  const { proration } = plan;
  const after: KeptSubscription = {
    ...kept,
    ...balanceAfter(proration, kept),
    anchor: plan.anchor,
    entity: { ...kept.entity, ...plan.changes },
  };
  const isNow = proration?.billed === 'immediately' && proration.charge > 0;
  return {
    ...entity,
    immediate_transaction: isNow ? immediateTransaction(world, after, { proration, credit: proration.credit + kept.credit }) : null,
    next_transaction: nextTransaction(world, after),
    recurring_transaction_details: recurringDetails(world, after),
    update_summary: proration ? summaryOf(proration) : null,
  };
}

function immediateTransaction(
  world: SandboxWorld,
  after: KeptSubscription,
  { proration, credit }: { readonly proration: Proration; readonly credit: number },
): INextTransactionResponse | null {
  const period = after.entity.current_billing_period;
  return period ? { billing_period: period, details: detailsPreview(linesOf(world, proration, period), credit), adjustments: [] } : null;
}

/** The next renewal; null where none comes. */
export function nextTransaction(world: SandboxWorld, kept: KeptSubscription): INextTransactionResponse | null {
  const { carried, credit } = kept;
  const { next_billed_at: next, scheduled_change: change } = kept.entity;
  if (!next || change?.action === 'cancel' || change?.action === 'pause') return null;
  const [first, ...others] = recurring(kept).map((item) => lineOf(world, item, costOf(item)));
  const lines = first ? [{ ...first, amount: first.amount + carried }, ...others] : [];
  return { billing_period: cycleFrom(kept, millisecondsOf(next)), details: detailsPreview(lines, credit), adjustments: [] };
}

function detailsPreview(lines: readonly SoldLine[], credit = 0): ITransactionDetailsPreviewResponse {
  const { tax_rates_used, totals, line_items } = detailsOf(lines, credit);
  return {
    tax_rates_used,
    totals,
    // The lines of a preview are not stored, and have no ids.
    line_items: line_items.map(({ id: _, ...line }) => line) as ITransactionDetailsPreviewResponse['line_items'],
  };
}

export const recurringDetails = (world: SandboxWorld, kept: KeptSubscription): ITransactionDetailsPreviewResponse =>
  detailsPreview(recurring(kept).map((item) => lineOf(world, item, costOf(item))));

function summaryOf({ charge, credit }: Proration): NonNullable<ISubscriptionPreviewResponse['update_summary']> {
  const money = (amount: number) => ({ amount: String(amount), currency_code: CURRENCY });
  return {
    credit: money(credit),
    charge: money(charge),
    result: { action: credit > charge ? 'credit' : 'charge', ...money(Math.abs(charge - credit)) },
  };
}
