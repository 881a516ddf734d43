import type { ITransactionResponse } from '@paddle/paddle-node-sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { amountOf, priceOf } from '../periods.ts';
import type { Seller } from '../seller.ts';
import { payCheckout } from '../subscription.ts';
import { CARDS, dueOf, isPayable } from '../transactions.ts';
import { dollars, html, type Markup, sendPage } from './page.ts';

type CheckoutRequest = FastifyRequest<{ Params: { id: string } }>;

/** Adds the page in the frame of a checkout. Anyone who knows a transaction's id may pay it. */
export function addCheckout(http: FastifyInstance, seller: Seller): void {
  http.get('/checkout/:id', async ({ params: { id } }: CheckoutRequest, reply) => sendPage(reply, 'Checkout', checkout(seller, id)));
  http.post('/checkout/:id', async ({ params: { id }, body }: CheckoutRequest, reply) => {
    const transaction = seller.state.transactions[id];
    if (!transaction || !isPayable(transaction)) return sendPage(reply, 'Checkout', CLOSED);
    const choice = new URLSearchParams(String(body)).get('card');
    const isPaid = payCheckout(seller, id, CHOICES.find(([card]) => card === choice)?.[0] ?? CARDS.good);
    await seller.save();
    return sendPage(reply, 'Checkout', isPaid ? PAID : checkout(seller, id, 'The card was declined. Choose another one.'));
  });
}

function checkout({ state }: Seller, id: string, problem?: string): Markup {
  const transaction = state.transactions[id];
  return transaction && isPayable(transaction) ? form(transaction, problem) : CLOSED;
}

const CLOSE = html`<button type="button" data-close>Close</button>`;

const PAID = html`<div data-event="checkout.completed"><h1>Payment received</h1><p>This was a test. Nothing was charged.</p>${CLOSE}</div>`;

const CLOSED = html`<div data-event="checkout.error" data-detail="This payment was made or canceled before."><h1>This checkout is closed</h1><p>The payment was made or canceled before.</p>${CLOSE}</div>`;

/** Nothing is typed: no real card belongs here. */
const CHOICES = [
  [CARDS.good, 'Visa'],
  [CARDS.other, 'Another Visa'],
  [CARDS.declined, 'Declined Visa'],
] as const;

function form(transaction: ITransactionResponse, problem: string | undefined): Markup {
  const isCardChange = transaction.origin === 'subscription_payment_method_change';
  const [title, verb] = isCardChange ? ['Change your card', 'Save card'] : [`${dollars(dueOf(transaction))} due today`, 'Pay'];
  const cards = CHOICES.map(
    ([card, name]) =>
      html`<label><input type="radio" name="card" value="${card}" ${card === CARDS.good ? html`checked` : ''}> ${name} •••• ${card}</label>`,
  );
  const price = priceOf(transaction);
  const alert = problem === undefined ? '' : html`<p class="alert" role="alert">${problem}</p>`;
  return html`<form method="post" data-event="checkout.loaded"><h1>${title}</h1><p>${price.description}: ${dollars(amountOf(price))}</p>${alert}<fieldset><legend>Test card</legend>${cards}</fieldset><button>${verb}</button> ${CLOSE}</form>`;
}
