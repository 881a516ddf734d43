import type { ITimePeriod, ITransactionResponse } from '@paddle/paddle-node-sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiRefusal } from '../api-error.ts';
import { isPayable, payCheckout } from '../lifecycle/purchase.ts';
import { addCycles } from '../moments.ts';
import { behaviourOf, type CardBehaviour, numberOf } from '../objects/cards.ts';
import { customerByEmail } from '../objects/customers.ts';
import { dueOf, transactionById } from '../objects/transactions.ts';
import { type Fields, fieldsOf } from '../request-fields.ts';
import type { SandboxWorld } from '../world.ts';
import { type CheckoutEvent, checkoutData, recurringTotal } from './checkout-data.ts';
import { dayOf, dollars, html, isSameOrigin, type Markup, sendPage } from './page.ts';

interface CheckoutPageOptions {
  readonly world: SandboxWorld;
  readonly prefix: string;
  readonly save: () => Promise<void>;
}

/** What came of a payment, for the script of the page. */
interface CheckoutAnswer {
  readonly outcome: 'paid' | 'declined' | 'asked' | 'invalid';
  readonly message?: string;
  readonly field?: string | undefined;
  readonly data?: object;
}

type CheckoutRequest = FastifyRequest<{ Params: { id: string }; Querystring: { theme?: string } }>;

/** `/checkout/:id`: the page in the frame of a checkout, and what its button asks for. Whoever knows the transaction may pay it. */
export function addCheckoutPage(http: FastifyInstance, { world, prefix, save }: CheckoutPageOptions): void {
  http.get('/checkout/:id', async (request: CheckoutRequest, reply) => {
    const transaction = world.state.transactions[request.params.id];
    const page = transaction && isPayable(transaction) ? openPage(world, transaction) : closedPage(request.params.id, transaction);
    return sendPage(reply, { title: 'Checkout (test mode)', body: page, prefix, script: 'checkout.js', theme: request.query.theme });
  });
  http.post('/checkout/:id/pay', async (request: CheckoutRequest, reply) => {
    if (!isSameOrigin(request)) return reply.callNotFound();
    const answer = pay(world, request.params.id, fieldsOf(request.body));
    await save();
    return reply.header('cache-control', 'no-store').send(answer);
  });
}

function pay(world: SandboxWorld, id: string, fields: Fields): CheckoutAnswer {
  const answer = fields.optionalText('answer');
  const card = behaviourOf(fields.optionalText('number') ?? '');
  const name = (fields.optionalText('name') ?? '').trim();
  try {
    if (!card) return { outcome: 'invalid', field: 'number', message: 'This is none of the test cards below. No real card works here.' };
    if (name === '') return { outcome: 'invalid', field: 'name', message: 'Enter the name on the card.' };
    if (card === 'secured' && answer === undefined) return { outcome: 'asked' };
    const customer = fields.has('email') ? customerByEmail(world, fields) : undefined;
    const isPaid = payCheckout(world, { transactionId: id, card, name, isConfirmed: answer !== 'refuse', ...(customer && { customer }) });
    const data = checkoutData(world, transactionById(world, id));
    if (isPaid) return { outcome: 'paid', data };
    const message = answer === 'refuse' ? 'You refused at your bank. Nothing was paid.' : 'The card was declined. Use another card.';
    return { outcome: 'declined', message, data };
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const [wrong] = error.errors;
    return wrong
      ? { outcome: 'invalid', field: wrong.field, message: 'Enter a valid email address.' }
      : { outcome: 'invalid', message: error.message };
  }
}

function openPage(world: SandboxWorld, transaction: ITransactionResponse): Markup {
  const customer = world.state.customers[transaction.customer_id ?? ''];
  const due = dueOf(transaction);
  const isCardChange = transaction.origin === 'subscription_payment_method_change';
  const action = isCardChange ? 'Save card' : due === 0 ? 'Start free trial' : `Pay ${dollars(due)}`;
  const event: CheckoutEvent = { name: 'checkout.loaded', data: checkoutData(world, transaction) };
  return html`<main data-checkout="${JSON.stringify({ event })}">
<p class="test">Test mode: no money moves</p>
<h1>${isCardChange ? 'Change your card' : namesOf(world, transaction)}</h1>
${customer ? [html`<p class="quiet">For ${customer.email}</p>`] : []}
${sums(world, transaction)}
<form data-part="form" novalidate autocomplete="off">
${customer ? [] : [html`<label for="email">Email</label><input id="email" name="email" type="email" aria-describedby="alert">`]}
<label for="number">Card number</label><input id="number" name="number" inputmode="numeric" placeholder="4242 4242 4242 4242" aria-describedby="alert">
<label for="name">Name on card</label><input id="name" name="name" aria-describedby="alert">
<p class="alert" id="alert" role="alert" data-part="alert" hidden></p>
<div class="actions"><button class="first">${action}</button><button type="button" data-closes>Close</button></div>
<div class="shortcuts"><h2>Test cards</h2><p class="quiet">In place of typing a number:</p><div class="actions">
<button type="button" data-number="${numberOf('accepted')}">Pay with a good card</button>
<button type="button" data-number="${numberOf('declined')}">Declined card</button>
<button type="button" data-number="${numberOf('secured')}">Card with 3-D Secure</button></div>
<p class="quiet">Good: ${spaced('accepted')}<br>Declined: ${spaced('declined')}<br>3-D Secure: ${spaced('secured')}</p></div>
</form>
<section data-part="challenge" hidden><h2 tabindex="-1">Your bank asks whether this is you</h2><p>${dollars(due)} by card, in test mode.</p>
<div class="actions"><button class="first" type="button" data-answer="confirm">Confirm</button><button type="button" data-answer="refuse">Refuse</button></div></section>
<section data-part="done" hidden><h2 tabindex="-1">${isCardChange ? 'Your card is saved' : due === 0 ? 'Your trial has started' : 'Payment received'}</h2><p>This was a test: nothing was charged.</p>
<div class="actions"><button class="first" type="button" data-closes>Done</button></div></section>
</main>`;
}

function sums(world: SandboxWorld, transaction: ITransactionResponse): Markup {
  const due = dueOf(transaction);
  const [item] = transaction.items;
  const cycle = item?.price?.billing_cycle;
  const trial = transaction.origin === 'api' ? item?.price?.trial_period : undefined;
  const isFirst = transaction.origin === 'api' && cycle;
  return html`<dl class="sums"><dt class="due">Due today</dt><dd class="due">${dollars(due)}</dd>${
    isFirst
      ? [
          html`<dt>Then, from ${dayOf(addCycles(world.now(), trial ?? cycle))}</dt><dd>${dollars(recurringTotal(transaction))} ${everyCycle(cycle)}</dd>`,
        ]
      : []
  }</dl>${transaction.status === 'past_due' ? [html`<p>This payment is past due. Paying it also saves the card for the next ones.</p>`] : []}`;
}

const everyCycle = ({ interval, frequency }: ITimePeriod): string =>
  frequency === 1 ? `a ${interval}` : `every ${frequency} ${interval}s`;

const namesOf = ({ state }: SandboxWorld, { items }: ITransactionResponse): string =>
  items.map(({ price }) => price?.name ?? state.products[price?.product_id ?? '']?.name ?? price?.description ?? '').join(', ');

/** What stands in the frame when nothing can be paid; the page around it is told. */
function closedPage(id: string, transaction: ITransactionResponse | undefined): Markup {
  const [code, detail] = transaction
    ? ['transaction_not_ready_cannot_process_payment', `The transaction is ${transaction.status} already.`]
    : ['not_found', `Transaction ${id} not found.`];
  const event: CheckoutEvent = {
    name: 'checkout.error',
    type: 'request_error',
    code,
    detail,
    documentation_url: `https://developer.paddle.com/v1/errors/${code}`,
  };
  return html`<main data-checkout="${JSON.stringify({ event })}"><p class="test">Test mode: no money moves</p><h1>This checkout cannot be opened</h1><p>${
    transaction ? 'It was paid or canceled already.' : 'There is no such payment.'
  }</p><div class="actions"><button type="button" data-closes>Close</button></div></main>`;
}

const spaced = (behaviour: CardBehaviour): string => numberOf(behaviour).replace(/(\d{4})(?=\d)/g, '$1 ');
