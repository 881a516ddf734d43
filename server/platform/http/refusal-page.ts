import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '#contract/core/errors.ts';
import { HOUR, MINUTE } from '#contract/core/time.ts';
import { html } from './markup.ts';
import { sendPlainPage } from './plain-page.ts';

/** Returns whether a browser navigates to a page, by a link or a form. Requests of scripts don't accept HTML. */
export const wantsPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => /\btext\/html\b/i.test(headers.accept ?? '');

/** Sends a refusal as a page to someone who opened a link; `retryAfter` is in seconds. */
export function sendRefusalPage(reply: FastifyReply, { title, detail, status, requestId }: Problem, retryAfter?: number): FastifyReply {
  return sendPlainPage(reply, {
    title: `${title} · Afterword`,
    body: html`<p class="home">Afterword</p><h1>${title}</h1>${[
      ...(detail === undefined ? [] : [html`<p>${detail}</p>`]),
      ...(retryAfter === undefined ? [] : [html`<p>Open the link again in ${spanOf(retryAfter * 1000)}.</p>`]),
      html`<p><a href="/">Open Afterword</a></p>`,
      ...(status < 500 || requestId === undefined ? [] : [html`<p class="quiet">If you contact support, give this ID: ${requestId}</p>`]),
    ]}`,
    cacheControl: 'no-store',
    look: 'form',
  });
}

/** Returns a time span, rounded up because coming too early is refused again. */
function spanOf(ms: number): string {
  if (ms <= MINUTE) return 'a minute';
  return ms < HOUR ? `${Math.ceil(ms / MINUTE)} minutes` : 'an hour';
}
