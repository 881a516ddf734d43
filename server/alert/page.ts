import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { firstWords } from '#contract/alert/alert.ts';
import { emailLink, phoneLink } from '#contract/core/contact.ts';
import { refusal } from '#contract/core/errors.ts';
import { HOUR } from '#contract/core/time.ts';
import { ITSELF } from '#contract/event/event.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { RATING_WORDS } from '#contract/feedback/rating.ts';
import { isAskingSince, STATUS_LABELS, WAITING_STATUSES, type WorkChange } from '#contract/feedback/work.ts';
import type { Property } from '#contract/property/property.ts';
import * as accounts from '../account/store.ts';
import * as feedback from '../feedback/store.ts';
import type { Platform } from '../platform/context.ts';
import { hostOf } from '../platform/http/network.ts';
import { html, sendPlainPage } from '../platform/http/plain-page.ts';
import { senderOf } from '../platform/mailer/sender.ts';
import { type AccountScope, actingAs, inAccount } from '../platform/tenancy/access.ts';
import { openGate } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';
import * as users from '../user/store.ts';
import { ALERT_ROUTE, type AlertLinks } from './links.ts';
import * as store from './store.ts';

export interface AlertPageOptions {
  readonly platform: Platform;
  readonly links: AlertLinks;
  /** Makes changes of feedback as the team's operation does, for the actor of the scope. */
  readonly changeWork: (scope: AccountScope, changes: readonly WorkChange[]) => Promise<unknown>;
}

/** From one IPv4 address or /64. */
const LOOKS = { name: 'looks at alert links', most: 300, within: HOUR };
const ANSWERS = { name: 'answers by alert links', most: 100, within: HOUR };
/** A form without fields (bytes). */
const BODY = 1_024;

type LinkRequest = FastifyRequest<{ Params: { key: string } }>;

/** What a link is about, and what became of that. */
interface Taking {
  readonly item: Feedback;
  readonly place: Property;
  readonly person: { readonly id: string; readonly name: string };
  /** The name of who has it. */
  readonly holder: string | undefined;
  /** Whether pressing the button takes it. */
  readonly isOpen: boolean;
}

/**
 * `/alert/:key`: the page behind "I’m on it" in a mail. Looking at it changes nothing, however often programs do; the button marks
 * the feedback as open and gives it to the person whom the mail was sent to, once.
 */
export function addAlertPage(http: FastifyInstance, { platform, links, changeWork }: AlertPageOptions): void {
  const [admitLook, admitAnswer] = [openGate(platform, LOOKS), openGate(platform, ANSWERS)];
  void http.register(async (pages) => {
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: BODY }, async () => undefined);
    pages.get(`${ALERT_ROUTE}:key`, { config: { sheds: 'team' } }, async (request: LinkRequest, reply) => {
      await admitLook(hostOf(request.ip));
      return show(reply, await look(request), askedPage);
    });
    pages.post(`${ALERT_ROUTE}:key`, { config: { sheds: 'team' } }, async (request: LinkRequest, reply) => {
      await admitAnswer(hostOf(request.ip));
      if (senderOf(request, platform.config.publicUrl) === 'other') throw refusal('not-allowed', 'Open the link and use its page.');
      return show(reply, await take(request), takenPage);
    });
  });

  const look = (request: LinkRequest): Promise<Taking | undefined> => withLink(request, (_scope, taking) => Promise.resolve(taking));

  /** Takes it, where that is not done yet; gives what became of it. */
  const take = (request: LinkRequest): Promise<Taking | undefined> =>
    withLink(request, async (scope, taking, hash) => {
      if (!taking.isOpen) return taking;
      // Somebody pressed twice.
      if (!(await store.takeLink(scope, hash))) return (await takingOf(scope, hash)) ?? taking;
      const { item, person } = taking;
      await changeWork(actingAs(scope, person.id), [{ feedbackId: item.id, status: 'open', assignee: person.id }]);
      return { ...taking, holder: person.name };
    });

  /** Runs `work` on what a link is about; undefined where the link is over, or its person or account has gone. */
  async function withLink(
    request: LinkRequest,
    work: (scope: AccountScope, taking: Taking, hash: Buffer) => Promise<Taking>,
  ): Promise<Taking | undefined> {
    const named = links.opened(request.params.key);
    if (!named) return undefined;
    return inAccount(platform, { accountId: named.accountId, actor: ITSELF }, async (scope) => {
      const taking = await takingOf(scope, named.hash);
      if (!taking) return undefined;
      request.trace = { operation: 'alert', accountId: named.accountId };
      return work(scope, taking, named.hash);
    });
  }
}

async function takingOf(scope: AccountScope, hash: Buffer): Promise<Taking | undefined> {
  const link = await store.link(scope, hash);
  const [account, person] = [await accounts.byScope(scope), link && (await users.byId(scope, link.userId))];
  const item = link && (await feedback.byId(scope, link.feedbackId));
  const place = item && (await properties.byId(scope, item.data.projectId));
  if (!link || !account || !person || !place) return undefined;
  const { status, assignee } = item.data;
  const isToDo = WAITING_STATUSES.includes(status) || (link.asked !== null && isAskingSince(item, link.asked.getTime()));
  const holder = assignee === undefined ? undefined : await users.byId(scope, assignee);
  return {
    item,
    place,
    person: { id: person.id, name: person.data.displayName },
    holder: holder?.data.displayName,
    isOpen: link.used === null && isToDo && !(status === 'open' && assignee === person.id),
  };
}

/* ── What the page says ── */

interface AlertWords {
  readonly title: string;
  readonly body: ReturnType<typeof html>;
}

function show(reply: FastifyReply, taking: Taking | undefined, page: (taking: Taking) => AlertWords): FastifyReply {
  const { title, body } = taking ? page(taking) : OVER;
  void reply.code(taking ? 200 : 404).header('x-robots-tag', 'noindex');
  return sendPlainPage(reply, {
    title: `${title} · Afterword`,
    body: html`<p class="home">Afterword</p><h1>${title}</h1>${body}`,
    cacheControl: 'no-store',
    look: 'form',
  });
}

const OVER: AlertWords = {
  title: 'This link has expired',
  body: html`<p>It works for three days, and only for people of the team.</p><p><a href="/">Open Afterword</a></p>`,
};

function askedPage(taking: Taking): AlertWords {
  const { person, holder, isOpen } = taking;
  if (!isOpen) return standingPage(taking);
  const now = holder === undefined ? '' : ` ${holder} has it now.`;
  return {
    title: 'Take this on?',
    body: html`${about(taking)}
<p>Pressing the button marks it as open and assigns it to you, ${person.name}. Your team sees that at once.${now}</p>
<form method="post"><button type="submit">I’m on it</button></form>
${openIt(taking)}`,
  };
}

function takenPage(taking: Taking): AlertWords {
  if (!taking.isOpen) return standingPage(taking);
  return { title: 'You’re on it', body: html`${about(taking)}<p>It is open, and assigned to you.</p>${openIt(taking)}` };
}

/** The link was used, or there is nothing left to take. */
function standingPage(taking: Taking): AlertWords {
  const { item, holder, person } = taking;
  const who =
    holder === undefined ? 'No one has taken it yet.' : item.data.assignee === person.id ? 'You have it now.' : `${holder} has it now.`;
  return {
    title: item.data.assignee === person.id ? 'You’re on it' : 'Nothing left to do',
    body: html`${about(taking)}<p>It is ${STATUS_LABELS[item.data.status].toLowerCase()}. ${who}</p>${openIt(taking)}`,
  };
}

function about({ item, place }: Taking) {
  const { rating, textFeedback, contact } = item.data;
  const words = textFeedback === undefined ? html`` : html`<blockquote>${firstWords(textFeedback)}</blockquote>`;
  const wish = contact ? wishOf(contact) : html``;
  return html`<p><strong>${RATING_WORDS[rating]}, ${rating} of 5</strong> at ${place.data.displayName}</p>${words}${wish}`;
}

function wishOf({ name = 'A visitor', phone, email }: NonNullable<Feedback['data']['contact']>) {
  const call = phone === undefined ? html`` : html`<br><a href="${phoneLink(phone)}">${phone}</a>`;
  const write = email === undefined ? html`` : html`<br><a href="${emailLink(email)}">${email}</a>`;
  return html`<p><strong>${name} wants to be contacted</strong>${call}${write}</p>`;
}

const openIt = ({ item }: Taking) => html`<p><a href="/?id=${item.id}">Open the feedback</a></p>`;
