import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HOUR } from '#contract/core/time.ts';
import { listsOf, MOST_NOTIFIED, type NotificationKind, type Property } from '#contract/property/property.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { html } from '../platform/http/markup.ts';
import { hostOf } from '../platform/http/network.ts';
import { sendPlainPage } from '../platform/http/plain-page.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import { openGate } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';
import { type ListEntry, openListLinks, UNSUBSCRIBE_PATH } from './property.ts';
import * as store from './store.ts';

const LIMITS = {
  /** Per network. A mail provider posts for all its users. */
  posts: { name: 'leaving lists', most: 600, within: HOUR },
  /** How long the page offers to undo unsubscribing (ms). */
  back: HOUR,
  body: 4_096,
} as const;

const LIST_NAMES: Readonly<Record<NotificationKind, string>> = {
  complaints: 'alerts about complaints',
  weekly: 'the weekly report',
  daily: 'the daily report',
  monthly: 'the monthly report',
};

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
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    );
    // The body of a mail program's post contains no information.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined);
    scope.get(`${UNSUBSCRIBE_PATH}:key`, async (request: UnsubscribeRequest, reply) => {
      const entry = links.entryOf(request.params.key);
      return entry ? sendListed(reply, entry, await inAccountOf(entry, (scope) => propertyOf(scope, entry))) : sendBroken(reply);
    });
    scope.post(`${UNSUBSCRIBE_PATH}:key`, { bodyLimit: LIMITS.body }, async (request: UnsubscribeRequest, reply) => {
      await admit(hostOf(request.ip));
      const entry = links.entryOf(request.params.key);
      if (!entry) return sendBroken(reply);
      request.trace = { operation: 'leave a list', accountId: entry.accountId };
      const token = request.body?.get('back') ?? undefined;
      return token === undefined ? unsubscribe(reply, entry) : undo(reply, entry, token);
    });
  });

  const inAccountOf = <T>({ accountId, userId: actor }: ListEntry, work: (scope: AccountScope) => Promise<T>): Promise<T> =>
    inAccount(platform, { accountId, actor }, work);

  async function unsubscribe(reply: FastifyReply, entry: ListEntry): Promise<FastifyReply> {
    const property = await inAccountOf(entry, (scope) => change(scope, entry, (people) => people.filter((id) => id !== entry.userId)));
    if (!property) return sendNotListed(reply);
    return sendPage(
      reply,
      'You’re off the list',
      html`<p>You no longer get ${LIST_NAMES[entry.list]} on ${property.data.displayName}.</p>${postForm('Put me back', links.undoToken(entry, platform.now() + LIMITS.back))}<p class="quiet">The button works for an hour. After that, an admin of your team can do it.</p>`,
    );
  }

  async function undo(reply: FastifyReply, entry: ListEntry, token: string): Promise<FastifyReply> {
    const undoToken = links.readUndoToken(token);
    if (!undoToken || !isSame(undoToken.entry, entry)) return sendBroken(reply);
    if (undoToken.until <= platform.now())
      return sendPage(
        reply,
        'The hour is over',
        html`<p>An admin of your team can put you back on the list, in the property’s configuration.</p>`,
      );
    const changed = await inAccountOf(entry, (scope) =>
      change(scope, entry, (people) =>
        people.includes(entry.userId) || people.length >= MOST_NOTIFIED ? people : [...people, entry.userId],
      ),
    );
    const property = changed ?? (await inAccountOf(entry, (scope) => propertyOf(scope, entry)));
    return sendListed(reply, entry, property, 'You’re back on the list');
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
function sendListed(reply: FastifyReply, { list }: ListEntry, property: Property | undefined, title = 'Leave this list?'): FastifyReply {
  if (!property) return sendNotListed(reply);
  return sendPage(
    reply,
    title,
    html`<p>You get ${LIST_NAMES[list]} on ${property.data.displayName}.</p>${postForm('Unsubscribe')}<p class="quiet">Your team’s admins see it. Your other mails stay as they are.</p>`,
  );
}

const sendNotListed = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, 'You don’t get these mails', html`<p>You’re not on this list any more. There is nothing left to do.</p>`);

const sendBroken = (reply: FastifyReply): FastifyReply =>
  sendPage(
    reply.code(404),
    'This link isn’t whole',
    html`<p>Mail programs sometimes cut long links. Open it from the mail once more, or copy all of it.</p>`,
  );

/** Returns a form that posts to the page's own address. */
const postForm = (label: string, undoToken?: string) =>
  html`<form method="post">${undoToken === undefined ? '' : html`<input type="hidden" name="back" value="${undoToken}">`}<button>${label}</button></form>`;

const sendPage = (reply: FastifyReply, title: string, content: ReturnType<typeof html>): FastifyReply =>
  sendPlainPage(reply, {
    title: `${title} · Afterword`,
    body: html`<p class="home">Afterword</p><h1>${title}</h1>${content}`,
    cacheControl: 'no-store',
    look: 'form',
  });
