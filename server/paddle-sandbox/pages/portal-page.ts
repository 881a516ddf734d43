import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cardChangeTransaction } from '../lifecycle/card-change.ts';
import { cancel } from '../lifecycle/ending.ts';
import { customerById } from '../objects/customers.ts';
import { recurring, subscriptionById } from '../objects/subscriptions.ts';
import { transactionById } from '../objects/transactions.ts';
import type { SignedLinks, SignedQuery } from '../signed-links.ts';
import type { KeptSubscription } from '../state.ts';
import type { SandboxWorld } from '../world.ts';
import { invoicePdf } from './invoice.ts';
import { html, isSameOrigin, type Markup, sendPage, whatComes } from './page.ts';

interface PortalOptions {
  readonly world: SandboxWorld;
  readonly links: SignedLinks;
  readonly prefix: string;
  readonly paymentLink: string | undefined;
  readonly save: () => Promise<void>;
}

type PortalRequest = FastifyRequest<{
  Params: { customerId: string; action: 'card' | 'cancel'; subscriptionId: string };
  Querystring: SignedQuery;
}>;

/** The portal, where a customer changes a card and cancels, and invoices. All of it opens by links that were signed within the hour. */
export function addPortal(http: FastifyInstance, { world, links, prefix, paymentLink, save }: PortalOptions): void {
  const pathOf = ({ originalUrl }: FastifyRequest): string => originalUrl.slice(prefix.length).replace(/\?.*$/, '');
  const mayOpen = (request: FastifyRequest): boolean => links.isGood(pathOf(request), request.query as SignedQuery);
  const addressOf = (path: string): string => `${prefix}${links.sign(path)}`;

  http.get('/portal/:customerId', async (request: PortalRequest, reply) => {
    if (!mayOpen(request)) return reply.callNotFound();
    const customer = customerById(world, request.params.customerId);
    const subscriptions = Object.values(world.state.subscriptions).filter(({ entity }) => entity.customer_id === customer.id);
    const body = html`<main><p class="test">Test mode: no money moves</p><h1>Your subscriptions</h1><p class="quiet">${customer.email}</p><ul class="list">${subscriptions.map(
      (kept) =>
        html`<li>${described(kept)}${
          kept.entity.status === 'canceled'
            ? []
            : [
                html`<p class="buttons"><a class="button" href="${addressOf(`/portal/${customer.id}/card/${kept.entity.id}`)}">Change card</a><a class="button" href="${addressOf(`/portal/${customer.id}/cancel/${kept.entity.id}`)}">Cancel subscription</a></p>`,
              ]
        }</li>`,
    )}</ul></main>`;
    return sendPage(reply, { title: 'Customer portal (test mode)', body, prefix });
  });

  http.get('/portal/:customerId/:action/:subscriptionId', async (request: PortalRequest, reply) => {
    if (!mayOpen(request)) return reply.callNotFound();
    const { action, subscriptionId } = request.params;
    const words = { card: ['Change your card', 'Change card'], cancel: ['Cancel your subscription', 'Cancel at the end of the period'] }[
      action
    ];
    const body = html`<main><p class="test">Test mode: no money moves</p><h1>${words[0] ?? ''}</h1>${described(subscriptionById(world, subscriptionId))}<form method="post" action="${request.originalUrl}"><div class="actions"><button class="first">${words[1] ?? ''}</button></div></form></main>`;
    return sendPage(reply, { title: 'Customer portal (test mode)', body, prefix, leadsAway: action === 'card' });
  });

  http.post('/portal/:customerId/:action/:subscriptionId', async (request: PortalRequest, reply) => {
    if (!mayOpen(request) || !isSameOrigin(request)) return reply.callNotFound();
    const { customerId, action, subscriptionId } = request.params;
    const kept = subscriptionById(world, subscriptionId);
    if (action === 'cancel') cancel(world, kept);
    const checkout = action === 'card' ? cardChangeTransaction(world, kept, paymentLink).checkout?.url : undefined;
    await save();
    return reply.redirect(checkout ?? addressOf(`/portal/${customerId}`), 303);
  });

  http.get('/invoice/:disposition/:id', async (request: FastifyRequest<{ Params: { disposition: string; id: string } }>, reply) => {
    if (!mayOpen(request)) return reply.callNotFound();
    const { disposition, id } = request.params;
    const transaction = transactionById(world, id);
    return reply
      .type('application/pdf')
      .header('cache-control', 'no-store')
      .header('content-disposition', `${disposition}; filename="${transaction.invoice_number ?? id}.pdf"`)
      .send(invoicePdf(world, transaction));
  });
}

function described(kept: KeptSubscription): Markup {
  return html`<div class="row"><h2>${recurring(kept)
    .map(({ product }) => product.name)
    .join(
      ', ',
    )}</h2><span class="status">${kept.entity.status.replace('_', ' ')}</span></div><p class="quiet">${whatComes(kept.entity)} Card ending ${kept.card.last4}.</p>`;
}
