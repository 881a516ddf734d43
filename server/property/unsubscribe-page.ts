import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HOUR } from '#contract/core/time.ts';
import type { TeamLanguage } from '#contract/language/team.ts';
import { translatorInto } from '#contract/language/team-words.ts';
import { type Translate, translatable } from '#contract/language/translate.ts';
import { listsOf, MOST_NOTIFIED, type Property } from '#contract/property/property.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { acceptForms } from '../platform/http/http.ts';
import { html } from '../platform/http/markup.ts';
import { hostOf } from '../platform/http/network.ts';
import { sendPlainPage } from '../platform/http/plain-page.ts';
import { teamLanguage } from '../platform/http/team-language.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import { openGate } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';
import { type ListEntry, openListLinks, UNSUBSCRIBE_PATH } from './property.ts';
import * as store from './store.ts';

const LIMITS = {
  /** Per network. A mail provider posts for all its users. @limit leaving-lists */
  posts: { name: 'leaving lists', most: 600, within: HOUR },
  /** How long the page offers to undo unsubscribing (ms). @limit leaving-lists */
  back: HOUR,
  body: 4_096,
} as const;

const LISTED = translatable({
  complaints: 'You get alerts about complaints on {place}.',
  weekly: 'You get the weekly report on {place}.',
  daily: 'You get the daily report on {place}.',
  monthly: 'You get the monthly report on {place}.',
});
const LEFT = translatable({
  complaints: 'You no longer get alerts about complaints on {place}.',
  weekly: 'You no longer get the weekly report on {place}.',
  daily: 'You no longer get the daily report on {place}.',
  monthly: 'You no longer get the monthly report on {place}.',
});

export type UnsubscribePlatform = Pick<Platform, 'config' | 'secret' | 'database' | 'now'>;
type UnsubscribeRequest = FastifyRequest<{ Params: { key: string }; Body: URLSearchParams | undefined }>;

/**
 * Adds `/unsubscribe/:key`, where someone leaves one list of one property, signed in or not (docs/rules.md#leaving-a-list). GET
 * changes nothing, because programs prefetch links. POST comes from the page's button or a mail program (RFC 8058), so any origin
 * may post: only the recipient has the link.
 */
export function addUnsubscribePage(http: FastifyInstance, platform: UnsubscribePlatform): void {
  const links = openListLinks({ secret: platform.secret, site: platform.config.publicUrl });
  const admit = openGate(platform, LIMITS.posts);

  void http.register(async (scope) => {
    acceptForms(scope);
    // The body of a mail program's post contains no information, whatever its type.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined);
    scope.get(`${UNSUBSCRIBE_PATH}:key`, async (request: UnsubscribeRequest, reply) => {
      const [page, entry] = [pageFor(request, reply), links.entryOf(request.params.key)];
      return entry ? sendListed(page, entry, await inAccountOf(entry, (scope) => propertyOf(scope, entry))) : sendBroken(page);
    });
    scope.post(`${UNSUBSCRIBE_PATH}:key`, { bodyLimit: LIMITS.body }, async (request: UnsubscribeRequest, reply) => {
      await admit(hostOf(request.ip));
      const [page, entry] = [pageFor(request, reply), links.entryOf(request.params.key)];
      if (!entry) return sendBroken(page);
      request.trace = { operation: 'leave a list', accountId: entry.accountId };
      const token = request.body?.get('back') ?? undefined;
      return token === undefined ? unsubscribe(page, entry) : undo(page, entry, token);
    });
  });

  const inAccountOf = <T>({ accountId, userId: actor }: ListEntry, work: (scope: AccountScope) => Promise<T>): Promise<T> =>
    inAccount(platform, { accountId, actor }, work);

  async function unsubscribe(page: Page, entry: ListEntry): Promise<FastifyReply> {
    const property = await inAccountOf(entry, (scope) => change(scope, entry, (people) => people.filter((id) => id !== entry.userId)));
    if (!property) return sendNotListed(page);
    const { t } = page;
    const undoToken = links.undoToken(entry, platform.now() + LIMITS.back);
    return sendPage(
      page,
      t('You’re off the list'),
      html`<p>${t(LEFT[entry.list], { place: property.data.displayName })}</p>${postForm(t('Put me back'), undoToken)}<p class="quiet">${t('The button works for an hour. After that, an admin of your team can do it.')}</p>`,
    );
  }

  async function undo(page: Page, entry: ListEntry, token: string): Promise<FastifyReply> {
    const undoToken = links.readUndoToken(token);
    const { t } = page;
    if (!undoToken || !isSame(undoToken.entry, entry)) return sendBroken(page);
    if (undoToken.until <= platform.now())
      return sendPage(
        page,
        t('The hour is over'),
        html`<p>${t('An admin of your team can put you back on the list, in the property’s configuration.')}</p>`,
      );
    const changed = await inAccountOf(entry, (scope) =>
      change(scope, entry, (people) =>
        people.includes(entry.userId) || people.length >= MOST_NOTIFIED ? people : [...people, entry.userId],
      ),
    );
    const property = changed ?? (await inAccountOf(entry, (scope) => propertyOf(scope, entry)));
    return sendListed(page, entry, property, t('You’re back on the list'));
  }
}

/** Returns the property if the person is on its list. */
async function propertyOf(scope: AccountScope, { propertyId, userId, list }: ListEntry): Promise<Property | undefined> {
  const property = await store.byId(scope, propertyId);
  return property && listsOf(property.data.notifications)[list].includes(userId) ? property : undefined;
}

/** Changes the list. Returns undefined if that changes nothing, or the property or person no longer exists. */
async function change(
  scope: AccountScope,
  { propertyId, userId, list }: ListEntry,
  edit: (people: readonly string[]) => readonly string[],
): Promise<Property | undefined> {
  const before = await store.lock(scope, propertyId);
  if (!before || !(await users.byId(scope, userId))) return undefined;
  const people = listsOf(before.data.notifications)[list];
  const edited = [...edit(people)];
  if (edited.length === people.length) return undefined;
  const after = await store.change(scope, propertyId, { [list]: edited });
  if (after) await record(scope, 'property.notifications-changed', { subject: propertyId, data: after.data.notifications });
  return after;
}

const isSame = (a: ListEntry, b: ListEntry): boolean =>
  a.accountId === b.accountId && a.propertyId === b.propertyId && a.userId === b.userId && a.list === b.list;

/** Shows that the person is on the list, or, without a property, that they aren't. */
function sendListed(page: Page, { list }: ListEntry, property: Property | undefined, title?: string): FastifyReply {
  if (!property) return sendNotListed(page);
  const { t } = page;
  return sendPage(
    page,
    title ?? t('Leave this list?'),
    html`<p>${t(LISTED[list], { place: property.data.displayName })}</p>${postForm(t('Unsubscribe'))}<p class="quiet">${t('Your team’s admins see it. Your other mails stay as they are.')}</p>`,
  );
}

function sendNotListed(page: Page): FastifyReply {
  const { t } = page;
  return sendPage(
    page,
    t('You don’t get these mails'),
    html`<p>${t('You’re not on this list any more. There is nothing left to do.')}</p>`,
  );
}

function sendBroken(page: Page): FastifyReply {
  const { t, reply } = page;
  void reply.code(404);
  return sendPage(
    page,
    t('This link isn’t whole'),
    html`<p>${t('Mail programs sometimes cut long links. Open it from the mail once more, or copy all of it.')}</p>`,
  );
}

/** Returns a form that posts to the page's own address. */
const postForm = (label: string, undoToken?: string) =>
  html`<form method="post">${undoToken === undefined ? '' : html`<input type="hidden" name="back" value="${undoToken}">`}<button>${label}</button></form>`;

/** A page to send, in the browser's language. */
interface Page {
  readonly reply: FastifyReply;
  readonly language: TeamLanguage;
  readonly t: Translate;
}

function pageFor(request: FastifyRequest, reply: FastifyReply): Page {
  const language = teamLanguage(request);
  return { reply, language, t: translatorInto(language) };
}

const sendPage = ({ reply, language }: Page, title: string, content: ReturnType<typeof html>): FastifyReply =>
  sendPlainPage(reply, {
    title: `${title} · Afterword`,
    body: html`<p class="home">Afterword</p><h1>${title}</h1>${content}`,
    cacheControl: 'no-store',
    look: 'form',
    language,
  });
