import type { ISubscriptionResponse } from '@paddle/paddle-node-sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { StandInActions } from '../actions.ts';
import type { Seller } from '../seller.ts';
import type { PaddleState } from '../state.ts';
import { html, type Markup, sendPage, summaryOf } from './page.ts';

type PanelAct = (actions: StandInActions, id: string) => Promise<void>;

/** The buttons by their labels. */
const BUTTONS = {
  'Renew now': (actions, id) => actions.renew(id),
  'Renew now, card declined': (actions, id) => actions.failRenewal(id),
  'Reach the end': (actions, id) => actions.renew(id),
  'Recover the payment': (actions, id) => actions.recover(id),
  'Cancel now': (actions, id) => actions.cancel(id),
  Pause: (actions, id) => actions.pause(id),
  'Refund the last payment': (actions, id) => actions.refund(id),
  'Decline the next charge': (actions) => actions.declineNextCharge(),
  'Hold events': (actions) => actions.holdDeliveries(),
  'Release events': (actions) => actions.releaseDeliveries(),
  'Send the last 5 events twice more': (actions) => actions.deliverAgain(),
} as const satisfies Record<string, PanelAct>;
type Label = keyof typeof BUTTONS;

const BY_STATUS: Readonly<Record<ISubscriptionResponse['status'], readonly Label[]>> = {
  trialing: ['Renew now', 'Renew now, card declined', 'Pause', 'Cancel now'],
  active: ['Renew now', 'Renew now, card declined', 'Refund the last payment', 'Pause', 'Cancel now'],
  past_due: ['Recover the payment', 'Cancel now'],
  paused: ['Cancel now'],
  canceled: ['Refund the last payment'],
};

const EVENTS_SHOWN = 15;

interface PanelOptions {
  readonly actions: StandInActions;
  readonly mayControl: (request: FastifyRequest) => boolean;
}

/** Adds the panel of buttons, for people who may control the stand-in; everyone else gets a 404. */
export function addPanel(http: FastifyInstance, { state }: Seller, { actions, mayControl }: PanelOptions): void {
  const { prefix } = http;
  http.get('/', async (request, reply) => (mayControl(request) ? sendPage(reply, 'Payments', panel(state, prefix)) : reply.callNotFound()));
  http.post('/press', async (request, reply) => {
    const fields = new URLSearchParams(String(request.body));
    const label = fields.get('label') ?? '';
    if (!mayControl(request) || !isLabel(label)) return reply.callNotFound();
    await BUTTONS[label](actions, fields.get('id') ?? '');
    return reply.redirect(`${prefix}/`, 303);
  });
}

const isLabel = (label: string): label is Label => Object.hasOwn(BUTTONS, label);

function panel(state: PaddleState, prefix: string): Markup {
  const { faults, deliveries } = state;
  const buttons = (id: string, labels: readonly Label[]): Markup =>
    html`<form method="post" action="${prefix}/press"><input type="hidden" name="id" value="${id}">${labels.map((label) => html`<button name="label" value="${label}">${label}</button> `)}</form>`;
  const subscriptions = Object.values(state.subscriptions)
    .reverse()
    .map((subscription) => {
      const { id, status, customer_id, scheduled_change } = subscription;
      const labels: readonly Label[] = scheduled_change ? ['Reach the end', 'Cancel now'] : BY_STATUS[status];
      return html`<section>${summaryOf(subscription)}<p>${state.customers[customer_id]?.email ?? ''}</p>${buttons(id, labels)}</section>`;
    });
  const events = state.events.slice(-EVENTS_SHOWN).reverse();
  return html`<h1>Payments</h1><p>These buttons do what Paddle, a bank or a customer would do. Nothing renews automatically.</p>
${subscriptions.length > 0 ? subscriptions : html`<p>There are no subscriptions yet.</p>`}
<section><h2>Next charge</h2><p>${faults.declinesNextCharge ? 'The card will be declined.' : 'The card will be accepted.'}</p>${buttons('', ['Decline the next charge'])}</section>
<section><h2>Events</h2><p>${faults.holdsDeliveries ? 'Events are held' : 'Events are sent'}: ${deliveries.length} pending.</p>${buttons('', [faults.holdsDeliveries ? 'Release events' : 'Hold events', 'Send the last 5 events twice more'])}
<ol>${events.map(({ event_type, occurred_at }) => html`<li>${event_type} <small>${occurred_at}</small></li>`)}</ol></section>`;
}
