import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HOUR } from '#contract/core/time.ts';
import { listsOf, MOST_NOTIFIED, type NotificationKind, type Property } from '#contract/property/property.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { hostOf } from '../platform/http/network.ts';
import { html, sendPlainPage } from '../platform/http/plain-page.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import { openGate } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';
import { LEAVING, type ListPlace, openListLinks } from './property.ts';
import * as store from './store.ts';

const LIMITS = {
  /** From one network: a mail provider posts for all of its people. */
  posts: { name: 'leaving lists', most: 600, within: HOUR },
  /** So long somebody can be put back from the page that says they are off (ms). */
  back: HOUR,
  body: 4_096,
} as const;

const LIST_WORDS: Readonly<Record<NotificationKind, string>> = {
  complaints: 'alerts about complaints',
  weekly: 'the weekly report',
  daily: 'the daily report',
  monthly: 'the monthly report',
};

export type LeavingPlatform = Pick<Platform, 'config' | 'secret' | 'database' | 'now'>;
type ListLeavingRequest = FastifyRequest<{ Params: { key: string }; Body: URLSearchParams | undefined }>;

/**
 * `/unsubscribe/:key`: somebody leaves one list of one property, signed in or not (docs/rules.md#leaving-a-list). To look changes
 * nothing, for programs look at links; to post does it, from the page's button or from the mail program (RFC 8058), so any page
 * may post: only the recipient has the link.
 */
export function addLeaving(http: FastifyInstance, platform: LeavingPlatform): void {
  const links = openListLinks({ secret: platform.secret, site: platform.config.publicUrl });
  const admit = openGate(platform, LIMITS.posts);

  void http.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    );
    // What a mail program posts says nothing beyond that it does.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined);
    scope.get(`${LEAVING}:key`, async (request: ListLeavingRequest, reply) => {
      const place = links.leaving(request.params.key);
      return place ? sayOn(reply, place, await inPlace(place, (scope) => propertyOf(scope, place))) : sayBroken(reply);
    });
    scope.post(`${LEAVING}:key`, { bodyLimit: LIMITS.body }, async (request: ListLeavingRequest, reply) => {
      await admit(hostOf(request.ip));
      const place = links.leaving(request.params.key);
      if (!place) return sayBroken(reply);
      request.trace = { operation: 'leave a list', accountId: place.accountId };
      const ticket = request.body?.get('back') ?? undefined;
      return ticket === undefined ? leave(reply, place) : putBack(reply, place, ticket);
    });
  });

  const inPlace = <T>({ accountId, userId: actor }: ListPlace, work: (scope: AccountScope) => Promise<T>): Promise<T> =>
    inAccount(platform, { accountId, actor }, work);

  async function leave(reply: FastifyReply, place: ListPlace): Promise<FastifyReply> {
    const left = await inPlace(place, (scope) => change(scope, place, (people) => people.filter((id) => id !== place.userId)));
    if (!left) return sayOff(reply);
    return say(
      reply,
      'You’re off the list',
      html`<p>You no longer get ${LIST_WORDS[place.list]} on ${left.data.displayName}.</p>${postForm('Put me back', links.back(place, platform.now() + LIMITS.back))}<p class="quiet">The button works for an hour. After that, an admin of your team can do it.</p>`,
    );
  }

  async function putBack(reply: FastifyReply, place: ListPlace, ticket: string): Promise<FastifyReply> {
    const wish = links.returning(ticket);
    if (!wish || !isSame(wish.place, place)) return sayBroken(reply);
    if (wish.until <= platform.now())
      return say(
        reply,
        'The hour is over',
        html`<p>An admin of your team can put you back on the list, in the property’s configuration.</p>`,
      );
    const back = await inPlace(place, (scope) =>
      change(scope, place, (people) =>
        people.includes(place.userId) || people.length >= MOST_NOTIFIED ? people : [...people, place.userId],
      ),
    );
    const property = back ?? (await inPlace(place, (scope) => propertyOf(scope, place)));
    return sayOn(reply, place, property, 'You’re back on the list');
  }
}

/** The property, where the person is on the list. */
async function propertyOf(scope: AccountScope, { propertyId, userId, list }: ListPlace): Promise<Property | undefined> {
  const property = await store.byId(scope, propertyId);
  return property && listsOf(property.data.notifications)[list].includes(userId) ? property : undefined;
}

/** Changes the list; undefined where that changes nothing, or the property or the person is gone. */
async function change(
  scope: AccountScope,
  { propertyId, userId, list }: ListPlace,
  by: (people: readonly string[]) => string[] | readonly string[],
): Promise<Property | undefined> {
  const before = await store.hold(scope, propertyId);
  if (!before || !(await users.byId(scope, userId))) return undefined;
  const people = listsOf(before.data.notifications)[list];
  const wanted = [...by(people)];
  if (wanted.length === people.length) return undefined;
  const after = await store.change(scope, propertyId, { [list]: wanted });
  if (after) await record(scope, 'property.notifications-changed', { subject: propertyId, data: after.data.notifications });
  return after;
}

const isSame = (one: ListPlace, other: ListPlace): boolean =>
  one.accountId === other.accountId && one.propertyId === other.propertyId && one.userId === other.userId && one.list === other.list;

/** To whoever is on the list; where there is no property they are not. */
function sayOn(reply: FastifyReply, { list }: ListPlace, property: Property | undefined, title = 'Leave this list?'): FastifyReply {
  if (!property) return sayOff(reply);
  return say(
    reply,
    title,
    html`<p>You get ${LIST_WORDS[list]} on ${property.data.displayName}.</p>${postForm('Unsubscribe')}<p class="quiet">Your team’s admins see it. Your other mails stay as they are.</p>`,
  );
}

const sayOff = (reply: FastifyReply): FastifyReply =>
  say(reply, 'You don’t get these mails', html`<p>You’re not on this list any more. There is nothing left to do.</p>`);

const sayBroken = (reply: FastifyReply): FastifyReply =>
  say(
    reply.code(404),
    'This link isn’t whole',
    html`<p>Mail programs sometimes cut long links. Open it from the mail once more, or copy all of it.</p>`,
  );

/** Posts to the page's own address. */
const postForm = (label: string, back?: string) =>
  html`<form method="post">${back === undefined ? '' : html`<input type="hidden" name="back" value="${back}">`}<button>${label}</button></form>`;

const say = (reply: FastifyReply, title: string, words: ReturnType<typeof html>): FastifyReply =>
  sendPlainPage(reply, {
    title: `${title} · Afterword`,
    body: html`<p class="home">Afterword</p><h1>${title}</h1>${words}`,
    cacheControl: 'no-store',
    look: 'form',
  });
