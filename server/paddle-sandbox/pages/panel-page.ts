import type { ITransactionResponse } from '@paddle/paddle-node-sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxActs } from '../acts.ts';
import { ApiRefusal } from '../api-error.ts';
import { isPayable } from '../lifecycle/purchase.ts';
import { recurring } from '../objects/subscriptions.ts';
import { dueOf, latestOf } from '../objects/transactions.ts';
import { fieldsOf } from '../request-fields.ts';
import type { KeptSubscription, SandboxFaults } from '../state.ts';
import type { SandboxWorld } from '../world.ts';
import { dayOf, dollars, html, isSameOrigin, type Markup, sendPage, whatComes } from './page.ts';

interface PanelOptions {
  readonly world: SandboxWorld;
  readonly acts: SandboxActs;
  readonly prefix: string;
  readonly mayControl: (request: FastifyRequest) => boolean;
}

/** A button: what it says, and what it does with the subscription or transaction that it stands at. */
interface PanelButton {
  readonly label: string;
  readonly act: (acts: SandboxActs, id: string) => Promise<string>;
}

const BUTTONS = {
  renew: { label: 'Renewal is paid', act: (acts, id) => acts.renew(id) },
  failRenewal: { label: 'Renewal fails', act: (acts, id) => acts.failRenewal(id) },
  endTrial: { label: 'Trial ends and converts', act: (acts, id) => acts.endTrial(id) },
  failTrial: { label: 'Trial ends, payment fails', act: (acts, id) => acts.failRenewal(id) },
  recover: { label: 'Retry is paid', act: (acts, id) => acts.recover(id) },
  giveUp: { label: 'Give up: cancel', act: (acts, id) => acts.giveUp(id) },
  pause: { label: 'Pause', act: (acts, id) => acts.pause(id) },
  resume: { label: 'Resume', act: (acts, id) => acts.resume(id) },
  reach: { label: 'Let the scheduled change happen', act: (acts, id) => acts.reachScheduledChange(id) },
  refund: { label: 'Refund the last payment', act: (acts, id) => acts.refund(id) },
  chargeBack: { label: 'Chargeback', act: (acts, id) => acts.chargeBack(id) },
  pay: { label: 'Pay', act: (acts, id) => acts.pay(id) },
  decline: { label: 'Card is declined', act: (acts, id) => acts.pay(id, 'declined') },
  deliverAgain: { label: 'Deliver the last 5 events again, twice', act: (acts) => acts.deliverAgain() },
  reverse: { label: 'Deliver the next events in reverse', act: (acts) => acts.reverseNextDeliveries() },
  hold: { label: 'Hold deliveries back', act: (acts) => acts.holdDeliveries() },
  release: { label: 'Let deliveries go', act: (acts) => acts.releaseDeliveries() },
  lose: { label: 'Lose the next delivery', act: (acts) => acts.loseNextDelivery() },
  declineNext: { label: 'Decline the next charge', act: (acts) => acts.declineNextCharge() },
  lock: { label: 'Refuse the next change: locked', act: (acts) => acts.lockNextUpdate() },
  refuse: { label: 'API answers 503 for a minute', act: (acts) => acts.goDown('refuses') },
  hang: { label: 'API does not answer for a minute', act: (acts) => acts.goDown('hangs') },
  comeBack: { label: 'API answers again', act: (acts) => acts.comeBack() },
} as const satisfies Record<string, PanelButton>;

type ButtonName = keyof typeof BUTTONS;

const isButton = (name: string): name is ButtonName => Object.hasOwn(BUTTONS, name);

/** As many transactions and events are shown. */
const SHOWN = 20;

/** The panel of buttons at the prefix itself, for who may control; nobody else learns that it is there. */
export function addPanel(http: FastifyInstance, { world, acts, prefix, mayControl }: PanelOptions): void {
  /** What the last press did, until it is shown. */
  let said: string | undefined;

  http.get('/', async (request, reply) => {
    if (!mayControl(request)) return reply.callNotFound();
    const sentence = said;
    said = undefined;
    return sendPage(reply, { title: 'Payment sandbox', body: panel(world, prefix, sentence), prefix });
  });
  http.post('/act', async (request, reply) => {
    if (!mayControl(request) || !isSameOrigin(request)) return reply.callNotFound();
    const fields = fieldsOf(request.body);
    const [name, id] = [fields.text('press'), fields.optionalText('id') ?? ''];
    if (!isButton(name)) return reply.callNotFound();
    said = await BUTTONS[name].act(acts, id).catch((error: Error) => {
      if (error instanceof ApiRefusal) return `Not done: ${error.message}`;
      throw error;
    });
    return reply.redirect(`${prefix}/`, 303);
  });
}

function panel(world: SandboxWorld, prefix: string, said: string | undefined): Markup {
  const { state } = world;
  const subscriptions = Object.values(state.subscriptions).reverse();
  const transactions = Object.values(state.transactions).reverse().slice(0, SHOWN);
  const press = (id: string, names: readonly ButtonName[]): Markup =>
    html`<form method="post" action="${prefix}/act" class="buttons"><input type="hidden" name="id" value="${id}">${names.map(
      (name) => html`<button name="press" value="${name}">${BUTTONS[name].label}</button>`,
    )}</form>`;
  return html`<main class="wide"><p class="test">Test mode: no money moves</p><h1>Payment sandbox</h1>
<p class="quiet">What the payment provider, the bank or a customer would do. Dates come when you press: nothing renews by itself.</p>
${said === undefined ? [] : [html`<p class="said" role="status">${said}</p>`]}
<div class="columns"><div>
<section><h2>Subscriptions</h2>${
    subscriptions.length === 0
      ? html`<p class="quiet">Nobody has subscribed yet.</p>`
      : html`<ul class="list">${subscriptions.map((kept) => subscription(world, kept, press))}</ul>`
  }</section>
<section><h2>Transactions</h2>${
    transactions.length === 0
      ? html`<p class="quiet">There is no transaction yet.</p>`
      : html`<ul class="list">${transactions.map((each) => transaction(world, each, press))}</ul>`
  }</section></div><div>
<section><h2>Deliveries</h2>${delivering(world)}${press('', ['deliverAgain', 'reverse', state.faults.holdsDeliveries ? 'release' : 'hold', 'lose'])}</section>
<section><h2>Trouble</h2>${trouble(state.faults)}${press('', ['declineNext', 'lock', 'refuse', 'hang', 'comeBack'])}</section>
<section><h2>Last events</h2><ul>${state.events
    .slice(-SHOWN)
    .reverse()
    .map((event) => html`<li>${event.event_type}<br><span class="id">${event.occurred_at}<br>${event.event_id}</span></li>`)}</ul></section>
</div></div></main>`;
}

type PressForm = (id: string, names: readonly ButtonName[]) => Markup;

function subscription(world: SandboxWorld, kept: KeptSubscription, press: PressForm): Markup {
  const { id, status, customer_id } = kept.entity;
  return html`<li><div class="row"><h3>${emailOf(world, customer_id)}</h3><span class="status">${status.replace('_', ' ')}</span></div>
<p>${recurring(kept)
    .map((item) => `${item.product.name}, ${dollars(item.price.unit_price.amount)} a ${item.price.billing_cycle?.interval ?? ''}`)
    .join(', ')}. ${whatComes(kept.entity)}</p>
<p class="id">${id}</p>${press(id, buttonsFor(world, kept))}</li>`;
}

function buttonsFor(world: SandboxWorld, { entity: { id, status, scheduled_change } }: KeptSubscription): ButtonName[] {
  const hasPaid = latestOf(world, id, (each) => each.status === 'completed' && dueOf(each) > 0) !== undefined;
  const payments: ButtonName[] = hasPaid ? ['refund', 'chargeBack'] : [];
  const scheduled: ButtonName[] = scheduled_change ? ['reach'] : [];
  const renewals: ButtonName[] = scheduled_change ? [] : status === 'trialing' ? ['endTrial', 'failTrial'] : ['renew', 'failRenewal'];
  if (status === 'past_due') return ['recover', 'giveUp', ...scheduled, ...payments];
  if (status === 'paused') return ['resume', ...scheduled, ...payments];
  if (status === 'canceled') return payments;
  return [...renewals, ...scheduled, 'pause', ...payments];
}

function transaction(world: SandboxWorld, each: ITransactionResponse, press: PressForm): Markup {
  return html`<li><div class="row"><h3>${emailOf(world, each.customer_id)}</h3><span class="status">${each.status.replace('_', ' ')}</span></div>
<p>${dollars(dueOf(each))} on ${dayOf(each.created_at)}${each.invoice_number ? `, invoice ${each.invoice_number}` : ''}, ${each.origin.replaceAll('_', ' ')}</p>
<p class="id">${each.id}</p>${isPayable(each) && each.customer_id ? press(each.id, ['pay', 'decline']) : ''}</li>`;
}

function delivering({ state }: SandboxWorld): Markup {
  const { deliveries, faults } = state;
  const waiting = ['Nothing waits to be delivered.', '1 event waits to be delivered.'][deliveries.length];
  const more = [
    faults.holdsDeliveries ? 'Deliveries are held back.' : '',
    faults.reversesNextDeliveries ? 'The next ones leave in reverse.' : '',
    faults.losesNextDelivery ? 'The next one is lost.' : '',
  ];
  return html`<p>${[waiting ?? `${deliveries.length} events wait to be delivered.`, ...more].filter(Boolean).join(' ')}</p>`;
}

function trouble({ declinesNextCharge, locksNextUpdate, down }: SandboxFaults): Markup {
  const words = [
    declinesNextCharge ? 'The next charge is declined.' : '',
    locksNextUpdate === null ? '' : 'The next change of a subscription is refused.',
    down && down.until > Date.now() ? `The API is down for ${Math.ceil((down.until - Date.now()) / 1000)} seconds more.` : '',
  ].filter(Boolean);
  return html`<p>${words.length === 0 ? 'All is well.' : words.join(' ')}</p>`;
}

const emailOf = ({ state }: SandboxWorld, customerId: string | null | undefined): string =>
  state.customers[customerId ?? '']?.email ?? 'Nobody yet';
