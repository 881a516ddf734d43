import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '#contract/core/errors.ts';
import { HOUR, MINUTE } from '#contract/core/time.ts';
import { html, sendPlainPage } from './plain-page.ts';

/** Whether a browser opens an address, by a link or by a form without a script. What scripts ask for does not name HTML. */
export const wantsPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => /\btext\/html\b/i.test(headers.accept ?? '');

/** Says a refusal to a person who opened a link, in place of the problem that programs read; `retryAfter` is in seconds. */
export function sendRefusalPage(reply: FastifyReply, { title, detail, status, requestId }: Problem, retryAfter?: number): FastifyReply {
  return sendPlainPage(reply, {
    title: `${title} · Afterword`,
    body: html`<p class="home">Afterword</p><h1>${title}</h1>${[
      ...(detail === undefined ? [] : [html`<p>${detail}</p>`]),
      ...(retryAfter === undefined ? [] : [html`<p>Open the link again in ${spanOf(retryAfter * 1000)}.</p>`]),
      html`<p><a href="/">Open Afterword</a></p>`,
      // What the log has it under.
      ...(status < 500 || requestId === undefined ? [] : [html`<p class="quiet">For whoever helps you: ${requestId}</p>`]),
    ]}`,
    cacheControl: 'no-store',
    look: 'form',
  });
}

/** Rounded up: who comes too early is refused again. */
function spanOf(ms: number): string {
  if (ms <= MINUTE) return 'a minute';
  return ms < HOUR ? `${Math.ceil(ms / MINUTE)} minutes` : 'an hour';
}
