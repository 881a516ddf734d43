import type { Transaction } from '@paddle/paddle-node-sdk';
import type { Payment } from '#contract/billing/subscription.ts';
import type { PaymentProvider } from '../port.ts';
import type { PaddleClient } from './client.ts';
import { moneyFrom } from './conversion.ts';

/** Payments shown: eight years of monthly ones. */
const PAYMENTS_SHOWN = 100;

/** Payments, which are transactions of Paddle, and its page for the payer. */
export const openPaddlePayments = ({
  paddle,
  read,
  write,
}: PaddleClient): Pick<PaymentProvider, 'payments' | 'invoiceUrl' | 'portalUrl'> => ({
  payments: (subscriptionIds) =>
    read('transactions.list', async () => {
      const transactions = await paddle.transactions
        .list({
          subscriptionId: [...subscriptionIds],
          status: ['completed', 'past_due'],
          include: ['adjustments_totals'],
          orderBy: 'billed_at[DESC]',
          perPage: PAYMENTS_SHOWN,
        })
        .next();
      return transactions.flatMap(paymentFrom);
    }),
  invoiceUrl: async (transactionId) => (await read('transactions.invoice', () => paddle.transactions.getInvoicePDF(transactionId))).url,
  async portalUrl({ id, customerId }) {
    const { urls } = await write('portal', () => paddle.customerPortalSessions.create(customerId, [id]));
    return urls.general.overview;
  },
});

/** Returns no payment for a transaction of 0, which is how a card is changed. */
function paymentFrom({ id, status, billedAt, createdAt, details, payments, invoiceNumber, ...transaction }: Transaction): Payment[] {
  const totals = details?.totals;
  if (!totals || Number(totals.total) === 0) return [];
  const card = payments.find(({ methodDetails }) => methodDetails?.card)?.methodDetails?.card?.last4;
  const refunded =
    Number(transaction.adjustmentsTotals?.breakdown?.refund ?? 0) + Number(transaction.adjustmentsTotals?.breakdown?.chargeback ?? 0);
  return [
    {
      id,
      at: Date.parse(billedAt ?? createdAt),
      total: moneyFrom(totals.grandTotal, totals.currencyCode),
      status: status === 'past_due' ? 'due' : statusAfter(refunded, Number(totals.grandTotal)),
      ...(invoiceNumber !== null && { invoiceNumber }),
      ...(card !== undefined && { card }),
      // Payments from credit have no invoice.
      hasInvoice: status === 'completed' && Number(totals.grandTotal) > 0,
    },
  ];
}

const statusAfter = (refunded: number, paid: number): Payment['status'] => {
  if (refunded <= 0) return 'paid';
  return refunded < paid ? 'partly-refunded' : 'refunded';
};
