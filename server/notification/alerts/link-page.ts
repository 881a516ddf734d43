import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import { HOUR } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { isAskingSince, WAITING_STATUSES, type WorkChange } from '#contract/feedback/work.ts';
import { translatorInto } from '#contract/language/team-words.ts';
import type { Translate } from '#contract/language/translate.ts';
import * as accounts from '../../account/store.ts';
import * as feedback from '../../feedback/store.ts';
import type { Platform } from '../../platform/context.ts';
import { acceptForms } from '../../platform/http/http.ts';
import { html } from '../../platform/http/markup.ts';
import { hostOf } from '../../platform/http/network.ts';
import { sendPlainPage } from '../../platform/http/plain-page.ts';
import { teamLanguage } from '../../platform/http/team-language.ts';
import { senderOf } from '../../platform/mailer/sender.ts';
import { type AccountScope, actingAs, inAccount } from '../../platform/tenancy/access.ts';
import { openGate } from '../../platform/tenancy/rate-limit.ts';
import * as properties from '../../property/store.ts';
import * as users from '../../user/store.ts';
import { expiredPage, type LinkedFeedback, type LinkPage, offerPage, takenPage } from './link-page-content.ts';
import * as store from './link-store.ts';
import { ALERT_ROUTE, type AlertLinks } from './links.ts';

interface AlertPageOptions {
  readonly platform: Platform;
  readonly links: AlertLinks;
  readonly changeWork: ChangeWork;
}

/** Changes feedback as the team's operation does, for the actor of the scope. */
export type ChangeWork = (scope: AccountScope, changes: readonly WorkChange[]) => Promise<unknown>;

/** From one IPv4 address or /64. @limit alert-links */
const PAGE_VIEWS = { name: 'looks at alert links', most: 300, within: HOUR };
const ANSWERS = { name: 'answers by alert links', most: 100, within: HOUR };
/** A form without fields (bytes). */
const BODY = 1_024;

type LinkRequest = FastifyRequest<{ Params: { key: string } }>;

/**
 * Serves `/alert/:key`, the page behind "I’m on it" in a mail. Viewing it changes nothing, however often programs do; its button
 * marks the feedback as open and assigns it to the person to whom the mail was sent, once.
 */
export function addAlertPage(http: FastifyInstance, options: AlertPageOptions): void {
  const { platform } = options;
  const [admitLook, admitAnswer] = [openGate(platform, PAGE_VIEWS), openGate(platform, ANSWERS)];
  void http.register(async (pages) => {
    acceptForms(pages, BODY);
    pages.get(`${ALERT_ROUTE}:key`, { config: { sheds: 'team' } }, async (request: LinkRequest, reply) => {
      await admitLook(hostOf(request.ip));
      const linked = await withLink(options, request, (_scope, current) => Promise.resolve(current));
      return sendPage(request, reply, (t) => linked && offerPage(t, linked));
    });
    pages.post(`${ALERT_ROUTE}:key`, { config: { sheds: 'team' } }, async (request: LinkRequest, reply) => {
      await admitAnswer(hostOf(request.ip));
      if (senderOf(request, platform.config.publicUrl) === 'other') throw refusal('not-allowed', 'Open the link and use its page.');
      const linked = await withLink(options, request, (scope, current) => take(options, scope, current));
      return sendPage(request, reply, (t) => linked && takenPage(t, linked));
    });
  });
}

/** Runs `work` on the feedback of a link; undefined if the link has expired, or its person or account is gone. */
async function withLink(
  { platform, links }: AlertPageOptions,
  request: LinkRequest,
  work: (scope: AccountScope, linked: LinkedFeedback) => Promise<LinkedFeedback>,
): Promise<LinkedFeedback | undefined> {
  const link = links.open(request.params.key);
  if (!link) return undefined;
  return inAccount(platform, { accountId: link.accountId, actor: SYSTEM }, async (scope) => {
    const linked = await linkedBy(scope, link.hash);
    if (!linked) return undefined;
    request.trace = { operation: 'alert', accountId: link.accountId };
    return work(scope, linked);
  });
}

/** Assigns the feedback to the link's person, unless it already is. */
async function take({ changeWork }: AlertPageOptions, scope: AccountScope, linked: LinkedFeedback): Promise<LinkedFeedback> {
  const { item, person, hash } = linked;
  if (!linked.mayTake) return linked;
  // The button was pressed twice.
  if (!(await store.use(scope, hash))) return (await linkedBy(scope, hash)) ?? linked;
  await changeWork(actingAs(scope, person.id), [{ feedbackId: item.id, status: 'open', assignee: person.id }]);
  return { ...linked, assignee: person.name };
}

async function linkedBy(scope: AccountScope, hash: Buffer): Promise<LinkedFeedback | undefined> {
  const link = await store.byHash(scope, hash);
  const [account, person] = [await accounts.byScope(scope), link && (await users.byId(scope, link.userId))];
  const item = link && (await feedback.byId(scope, link.feedbackId));
  const property = item && (await properties.byId(scope, item.data.projectId));
  if (!link || !account || !person || !property) return undefined;
  const { status, assignee } = item.data;
  const isToDo = WAITING_STATUSES.includes(status) || (link.asked !== null && isAskingSince(item, link.asked.getTime()));
  return {
    hash,
    item,
    property,
    person: { id: person.id, name: person.data.displayName },
    assignee: assignee === undefined ? undefined : (await users.byId(scope, assignee))?.data.displayName,
    mayTake: link.used === null && isToDo && !(status === 'open' && assignee === person.id),
  };
}

/** Sends a page in the browser's language, or the one for an expired link. */
function sendPage(request: FastifyRequest, reply: FastifyReply, pageIn: (t: Translate) => LinkPage | undefined): FastifyReply {
  const language = teamLanguage(request);
  const t = translatorInto(language);
  const page = pageIn(t);
  const { title, body } = page ?? expiredPage(t);
  void reply.code(page ? 200 : 404).header('x-robots-tag', 'noindex');
  return sendPlainPage(reply, {
    title: `${title} · Afterword`,
    body: html`<p class="home">Afterword</p><h1>${title}</h1>${body}`,
    cacheControl: 'no-store',
    look: 'form',
    language,
  });
}
