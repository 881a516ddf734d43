import { ApiRefusal } from '../api-error.ts';
import { listPage } from '../lists.ts';
import { createTransaction, dueOf, transactionById, updateTransaction } from '../objects/transactions.ts';
import type { ApiRoutes } from './routes.ts';

/** Transactions, their invoices, and the events of everything. */
export function addTransactionsApi({ options: { world, paymentLink, signedAddress }, get, list, post, patch }: ApiRoutes): void {
  list('/transactions', (request) =>
    listPage({
      request,
      rows: Object.values(world.state.transactions),
      idOf: ({ id }) => id,
      filters: {
        id: ({ id }) => id,
        customer_id: ({ customer_id }) => customer_id,
        subscription_id: ({ subscription_id }) => subscription_id,
        status: ({ status }) => status,
        origin: ({ origin }) => origin,
        invoice_number: ({ invoice_number }) => invoice_number,
      },
      order: 'DESC',
      most: 30,
    }),
  );
  post('/transactions', ({ fields }) => createTransaction(world, fields, paymentLink), 201);
  get('/transactions/:id', ({ id, request }) => {
    const transaction = transactionById(world, id);
    const included = (request.query as { include?: string }).include?.split(',') ?? [];
    return {
      ...transaction,
      ...(included.includes('customer') && { customer: world.state.customers[transaction.customer_id ?? ''] ?? null }),
      ...(included.includes('address') && { address: world.state.addresses[transaction.address_id ?? ''] ?? null }),
      ...(included.includes('adjustment') && {
        adjustments: Object.values(world.state.adjustments).filter(({ transaction_id }) => transaction_id === id),
      }),
    };
  });
  patch('/transactions/:id', ({ id, fields }) => updateTransaction(world, id, fields));
  get('/transactions/:id/invoice', ({ id, request }) => {
    const transaction = transactionById(world, id);
    if (transaction.status !== 'completed')
      throw new ApiRefusal(400, 'transaction_not_completed', 'an invoice is available once the transaction is completed');
    if (dueOf(transaction) === 0)
      throw new ApiRefusal(400, 'transaction_invoice_zero_value', 'invoices are not available for zero-value transactions');
    const { disposition = 'attachment' } = request.query as { disposition?: string };
    return { url: signedAddress(request, `/invoice/${disposition === 'inline' ? 'inline' : 'attachment'}/${id}`) };
  });
  list('/events', (request) =>
    listPage({
      request,
      rows: world.state.events,
      idOf: ({ event_id }) => event_id,
      filters: { event_type: ({ event_type }) => event_type },
      order: 'ASC',
    }),
  );
}
