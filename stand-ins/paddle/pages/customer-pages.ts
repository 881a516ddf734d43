import type { FastifyInstance, FastifyRequest } from 'fastify';
import { priceOf } from '../periods.ts';
import { byId } from '../refusal.ts';
import type { Seller } from '../seller.ts';
import { dueOf, transactionsOf } from '../transactions.ts';
import { dayOf, dollars, html, sendPage, summaryOf } from './page.ts';

type IdRequest = FastifyRequest<{ Params: { id: string } }>;

/** Adds the portal and the invoices. Their addresses contain ids that can't be guessed. */
export function addCustomerPages(http: FastifyInstance, seller: Seller): void {
  const { state } = seller;
  const { prefix } = http;

  http.get('/portal/:id', async ({ params: { id } }: IdRequest, reply) => {
    const { email } = byId(state.customers, id);
    const subscriptions = Object.values(state.subscriptions).filter(({ customer_id }) => customer_id === id);
    const sections = subscriptions.map((subscription) => {
      const payments = transactionsOf(seller, subscription).filter((row) => row.status === 'completed' && dueOf(row) > 0);
      const rows = payments.map(
        (payment) =>
          html`<li><a href="${prefix}/invoice/${payment.id}">${payment.invoice_number ?? ''}</a>: ${dollars(dueOf(payment))} on ${dayOf(payment.billed_at ?? payment.created_at)}</li>`,
      );
      return html`<section>${summaryOf(subscription)}<p>Card: •••• ${state.cards[subscription.id] ?? ''}</p><ul>${rows}</ul></section>`;
    });
    return sendPage(reply, 'Billing details', html`<h1>Billing details</h1><p>${email}</p>${sections}`);
  });

  http.get('/invoice/:id', async ({ params: { id } }: IdRequest, reply) => {
    const transaction = byId(state.transactions, id);
    const { email } = byId(state.customers, transaction.customer_id ?? '');
    const facts = {
      Number: transaction.invoice_number ?? '',
      Date: dayOf(transaction.billed_at ?? transaction.created_at),
      To: email,
      For: priceOf(transaction).description,
      Paid: dollars(dueOf(transaction)),
    };
    const rows = Object.entries(facts).map(([name, fact]) => html`<dt>${name}</dt><dd>${fact}</dd>`);
    return sendPage(reply, 'Invoice', html`<h1>Test invoice</h1><dl>${rows}</dl>`);
  });
}
