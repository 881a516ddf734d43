import type { ISubscriptionResponse } from '@paddle/paddle-node-sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../platform/http/plain-page.ts';
import { FORM_REFERRER, senderOf } from '../../platform/mailer/sender.ts';

export type Markup = ReturnType<typeof html>;

interface SandboxPage {
  readonly title: string;
  readonly body: Markup;
  /** The prefix of the sandbox's routes. */
  readonly prefix: string;
  /** A script of this sandbox's own, by its name. */
  readonly script?: string;
  /** As the page around it asks for; the device's where it does not. */
  readonly theme?: string | undefined;
  /** Whether a form of it leads on to the seller's pages, which may be of another origin. */
  readonly leadsAway?: boolean;
}

/** Only what this origin serves, and nothing inline; only this origin may frame it. */
const contentPolicy = (formAction: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action ${formAction}; frame-ancestors 'self'; base-uri 'none'`;

export function sendPage(reply: FastifyReply, { title, body, prefix, script, theme, leadsAway = false }: SandboxPage): FastifyReply {
  const page = html`<html lang="en" data-theme="${theme === 'dark' || theme === 'light' ? theme : 'auto'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${prefix}/style.css">${
    script === undefined ? [] : [html`<script src="${prefix}/${script}" defer></script>`]
  }</head><body>${body}</body></html>`;
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', contentPolicy(leadsAway ? "'self' http: https:" : "'self'"))
    .header('referrer-policy', FORM_REFERRER)
    .send(`<!doctype html>${page.markup}`);
}

/** Whether a form or a script of this origin sent a request. */
export const isSameOrigin = (request: FastifyRequest): boolean => senderOf(request) === 'ours';

/** Minor units of US dollars, for people. */
export const dollars = (amount: number | string): string => `$${(Number(amount) / 100).toFixed(2)}`;

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of a moment, in UTC. */
export const dayOf = (moment: string | number): string => DATE.format(new Date(moment));

const CHANGES = { cancel: 'Ends', pause: 'Pauses', resume: 'Resumes' } as const;

/** What comes next for a subscription, and when. */
export function whatComes({ next_billed_at: next, scheduled_change: change }: ISubscriptionResponse): string {
  if (change) return `${CHANGES[change.action]} on ${dayOf(change.effective_at)}.`;
  return next ? `Next payment on ${dayOf(next)}.` : 'No payment is coming.';
}

export { html };
