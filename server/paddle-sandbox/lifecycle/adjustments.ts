import type { IAdjustmentResponse, ITransactionResponse } from '@paddle/paddle-node-sdk';
import { ApiRefusal } from '../api-error.ts';
import { CURRENCY } from '../money.ts';
import { dueOf } from '../objects/transactions.ts';
import type { SandboxWorld } from '../world.ts';

/** Gives the whole of a payment back. A refund waits to be approved, and is at once; a chargeback is the bank's and asks nobody. */
export function giveBack(world: SandboxWorld, transaction: ITransactionResponse, action: 'refund' | 'chargeback'): IAdjustmentResponse {
  if (transaction.status !== 'completed' || dueOf(transaction) === 0)
    throw new ApiRefusal(400, 'adjustment_transaction_invalid_status_for_refund', 'the transaction has no payment to give back');
  if (Object.values(world.state.adjustments).some(({ transaction_id }) => transaction_id === transaction.id))
    throw new ApiRefusal(400, 'adjustment_amount_above_remaining_allowed', 'the payment was given back already');
  const at = world.moment();
  const amount = String(dueOf(transaction));
  const totals = { subtotal: amount, tax: '0', total: amount, fee: '0', earnings: amount, currency_code: CURRENCY };
  const adjustment: IAdjustmentResponse = {
    id: world.newId('adj'),
    action,
    type: 'full',
    transaction_id: transaction.id,
    subscription_id: transaction.subscription_id ?? null,
    customer_id: transaction.customer_id ?? '',
    reason: action === 'refund' ? 'Asked for by the customer' : 'The bank took the payment back',
    credit_applied_to_balance: false,
    currency_code: CURRENCY,
    status: action === 'refund' ? 'pending_approval' : 'approved',
    items: (transaction.details?.line_items ?? []).map((line) => ({
      id: world.newId('adjitm'),
      item_id: line.id,
      type: 'full',
      amount: line.totals?.total ?? '0',
      proration: null,
      totals: { subtotal: line.totals?.total ?? '0', tax: '0', total: line.totals?.total ?? '0' },
    })),
    totals: { ...totals, retained_fee: '0' },
    payout_totals: null,
    created_at: at,
    updated_at: at,
  };
  world.state.adjustments[adjustment.id] = adjustment;
  world.report('adjustment.created', adjustment);
  if (action === 'refund') {
    Object.assign(adjustment, { status: 'approved', updated_at: world.moment() });
    world.report('adjustment.updated', adjustment);
  }
  return adjustment;
}
