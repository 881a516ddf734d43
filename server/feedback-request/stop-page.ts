import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HOUR } from '#contract/core/time.ts';
import { VISITOR } from '#contract/event/event.ts';
import { WORDS } from '#contract/language/all.ts';
import { filled } from '#contract/language/words.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { acceptForms } from '../platform/http/http.ts';
import { html } from '../platform/http/markup.ts';
import { sendPlainPage } from '../platform/http/plain-page.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import { openGate } from '../platform/tenancy/rate-limit.ts';
import { type SuppressionOptions, suppressAddress } from './feedback-request.ts';
import { type RequestLinks, STOP_ROUTE, type StopEntry } from './links.ts';
import * as store from './store.ts';
import * as suppressions from './suppression-store.ts';

/** Per link, because the business's visitors are in the same queue. */
const VISITS = { name: 'requests to a stop page', most: 60, within: HOUR };
/** In bytes. */
const LARGEST_BODY = 4_096;

type StopRequest = FastifyRequest<{ Params: { key: string }; Body: URLSearchParams | undefined }>;

interface StopPageOptions extends SuppressionOptions {
  readonly platform: Platform;
  readonly links: RequestLinks;
}

/**
 * Adds `/stop/:key`, where a recipient ends all feedback requests of a business, in the language of the mail. GET changes nothing,
 * because programs prefetch links. POST comes from the page's button or a mail program (RFC 8058), so any origin may post.
 */
export function addStopPage(http: FastifyInstance, { platform, links, cancelMail }: StopPageOptions): void {
  const admit = openGate(platform, VISITS);
  void http.register(async (scope) => {
    acceptForms(scope);
    // The body of a mail program's post contains no information, whatever its type.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined);
    scope.get(`${STOP_ROUTE}:key`, (request: StopRequest, reply) => answer(request, reply, stateOf));
    scope.post(`${STOP_ROUTE}:key`, { bodyLimit: LARGEST_BODY }, (request: StopRequest, reply) =>
      answer(request, reply, request.body?.has('resume') ? resume : stop),
    );
  });

  /** Sends the page of a link after `change`, which returns the recipient's state. */
  async function answer(
    request: StopRequest,
    reply: FastifyReply,
    change: (scope: AccountScope, entry: StopEntry) => Promise<StopState>,
  ): Promise<FastifyReply> {
    const entry = links.readStop(request.params.key);
    if (!entry) return sendBroken(reply);
    await admit(entry.requestId);
    request.trace = { operation: 'stop feedback requests', accountId: entry.accountId };
    return inAccount(platform, { accountId: entry.accountId, actor: VISITOR }, async (scope) => {
      // A deleted account may be restored, and must not ask this person then.
      const account = await accounts.deletionOf(scope);
      return account ? sendStopPage(reply, entry, { business: account.displayName, state: await change(scope, entry) }) : sendBroken(reply);
    });
  }

  async function stop(scope: AccountScope, entry: StopEntry): Promise<StopState> {
    const { requestId, emailHash } = entry;
    const request = await store.byId(scope, requestId);
    await store.end(scope, requestId, 'unsubscribed');
    await suppressAddress(scope, { platform, cancelMail }, { emailHash, email: request?.email ?? null, reason: 'unsubscribed' });
    return stateOf(scope, entry);
  }
}

/** Whether the recipient gets requests, stopped them, gets none for another reason, or has just allowed them again. */
type StopState = 'active' | 'stopped' | 'suppressed' | 'resumed';

async function stateOf(scope: AccountScope, { emailHash }: StopEntry): Promise<StopState> {
  const suppression = await suppressions.suppressionOf(scope, emailHash);
  if (!suppression) return 'active';
  return suppression.data.reason === 'unsubscribed' ? 'stopped' : 'suppressed';
}

async function resume(scope: AccountScope, entry: StopEntry): Promise<StopState> {
  const { requestId, emailHash } = entry;
  const suppression = await suppressions.suppressionOf(scope, emailHash);
  if (suppression && (await suppressions.unsuppress(scope, { emailHash }, ['unsubscribed']))) {
    await store.resume(scope, requestId);
    await record(scope, 'feedback-request.unsuppressed', { subject: suppression.id, data: {} });
  }
  const state = await stateOf(scope, entry);
  return state === 'active' ? 'resumed' : state;
}

interface StopPage {
  readonly business: string;
  readonly state: StopState;
}

function sendStopPage(reply: FastifyReply, { language }: StopEntry, { business, state }: StopPage): FastifyReply {
  const words = WORDS[language].request;
  const { title, more, button } = {
    active: { title: words.stopTitle, more: words.stopMore, button: html`<button>${words.stop}</button>` },
    stopped: { title: words.stopped, more: words.stoppedMore, button: html`<button name="resume" value="1">${words.resume}</button>` },
    suppressed: { title: words.stopped, more: words.stoppedMore, button: undefined },
    resumed: { title: words.resumed, more: words.resumedMore, button: html`<button>${words.stop}</button>` },
  }[state];
  const body = html`<p class="home">${business}</p><h1>${title}</h1><p>${filled(more, { business })}</p>${button ? html`<form method="post">${button}</form>` : ''}`;
  return sendPlainPage(reply, { title: `${title} · ${business}`, body, cacheControl: 'no-store', look: 'form', language });
}

function sendBroken(reply: FastifyReply): FastifyReply {
  const { brokenLink, brokenLinkMore } = WORDS.en.request;
  const body = html`<h1>${brokenLink}</h1><p>${brokenLinkMore}</p>`;
  return sendPlainPage(reply.code(404), { title: brokenLink, body, cacheControl: 'no-store', look: 'form' });
}
