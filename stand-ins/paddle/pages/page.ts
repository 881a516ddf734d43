import type { ISubscriptionResponse } from '@paddle/paddle-node-sdk';
import type { FastifyReply } from 'fastify';
import { html } from '#server/platform/http/markup.ts';
import { FORM_REFERRER } from '#server/platform/mailer/sender.ts';
import { amountOf, priceOf } from '../periods.ts';

export { html };
export type Markup = ReturnType<typeof html>;

/** Only files of this origin, nothing inline, and no frame on another site. */
const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'self'; base-uri 'none'";

/** Sends a page, with the mark that no money moves. */
export function sendPage(reply: FastifyReply, title: string, body: Markup): FastifyReply {
  const { prefix } = reply.server;
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title} (test mode)</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${prefix}/style.css"><script src="${prefix}/checkout.js" defer></script>`;
  const page = html`<html lang="en"><head>${head}</head><body><p class="test">Test mode: no money moves</p><main>${body}</main></body></html>`;
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'content-security-policy': CONTENT_POLICY, 'referrer-policy': FORM_REFERRER })
    .send(`<!doctype html>${page.markup}`);
}

/** Returns US cents as dollars, such as "$25.00". */
export const dollars = (amount: number): string => `$${(amount / 100).toFixed(2)}`;

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

export const dayOf = (time: string): string => DATE.format(new Date(time));

/** Returns a subscription's price, its status, and what happens next. */
export function summaryOf(subscription: ISubscriptionResponse): Markup {
  const { status, next_billed_at: next, scheduled_change: change, billing_cycle: cycle, items } = subscription;
  const cost = `${dollars(amountOf(priceOf(subscription)))} a ${cycle.interval}`;
  const nextEvent = change ? `Ends on ${dayOf(change.effective_at)}.` : next ? `Next payment on ${dayOf(next)}.` : 'No next payment.';
  return html`<h2>${items[0]?.product.name ?? ''}: ${status.replace('_', ' ')}</h2><p>${cost}. ${nextEvent}</p>`;
}
