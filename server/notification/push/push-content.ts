import type { Feedback } from '#contract/feedback/feedback.ts';
import { translatorInto } from '#contract/language/team-words.ts';
import { inEnglish, type Translate, translatable } from '#contract/language/translate.ts';
import { URGENCY, type Urgency } from '#contract/notification/delivery.ts';
import { notificationTitle, quotedWords, WANTS_CONTACT } from '#contract/notification/notification.ts';
import type { Property } from '#contract/property/property.ts';
import { feedPath, sharePath } from '#contract/property/slug.ts';
import * as feedback from '../../feedback/store.ts';
import { withoutLineBreaks } from '../../platform/line-breaks.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import * as properties from '../../property/store.ts';
import * as tools from '../../tool/store.ts';
import * as users from '../../user/store.ts';
import type { Notice } from '../inbox/inbox.ts';
import * as inbox from '../inbox/inbox-store.ts';
import type { PushDeviceRow } from './device-store.ts';

/** The subject of a push: a notification, all urgent feedback that no one has opened, or a test. */
export type PushSubject = Pick<Notice, 'kind' | 'cause'> | { readonly kind: 'digest' } | { readonly kind: 'test' };

/** How urgent each push is: someone is waiting for a test, and a digest is about what has waited for hours. */
const PUSH_URGENCY: { readonly [Kind in PushSubject['kind']]: Urgency } = {
  test: 'awaited',
  urgent: 'alert',
  contact: 'alert',
  unopened: 'alert',
  message: 'alert',
  mention: 'ordinary',
  assigned: 'ordinary',
  webhook: 'ordinary',
  reported: 'ordinary',
  kiosk: 'ordinary',
  digest: 'bulk',
};

export const priorityOf = ({ kind }: PushSubject): number => URGENCY[PUSH_URGENCY[kind]];

const TEST_TITLE = translatable('Test notification from Afterword');
const DIGEST_TITLE = translatable('Urgent feedback that no one has opened');

/** Returns the subject for the list of deliveries, in English. It has no names, because not everyone who sees the list may see the feedback. */
export function subjectOf(about: PushSubject): string {
  if (about.kind === 'test') return inEnglish(TEST_TITLE);
  return about.kind === 'digest' ? inEnglish(DIGEST_TITLE) : notificationTitle(translatorInto('en'), about);
}

/** The notification that the service worker shows. It replaces an earlier one with the same tag. */
interface PushContent {
  readonly title: string;
  readonly body: string;
  /** A path of this site. */
  readonly link: string;
  readonly tag: string;
  /** The notification's id; a digest has none. */
  readonly id?: string;
}

/** A larger payload (bytes) is sent without the visitor's words: push services accept 4 kB, encrypted. @limit push */
const LARGEST_PAYLOAD = 3_000;

interface ContentOptions {
  readonly device: Pick<PushDeviceRow, 'userId' | 'showsWords'>;
  readonly about: PushSubject;
}

/** Returns what a device shows now, in its person's language; undefined if they have read it, or someone has handled it. */
export async function contentFor(scope: AccountScope, { device, about }: ContentOptions): Promise<PushContent | undefined> {
  const { userId, showsWords } = device;
  const people = new Map((await users.all(scope)).map(({ id, data }) => [id, data]));
  const t = translatorInto(people.get(userId)?.language);
  if (about.kind === 'test')
    return { title: t(TEST_TITLE), body: t('This device shows your notifications.'), link: '/profile', tag: 'test' };
  if (about.kind === 'digest') return digestOf(t, await inbox.countUrgent(scope, userId));
  const unread = await inbox.unreadOf(scope, { userId, ...about });
  if (!unread) return undefined;
  const { row, quote } = unread;
  const item = row.feedbackId === null ? undefined : await feedback.byId(scope, row.feedbackId);
  const nameOf = (id: string) => people.get(id)?.displayName;
  const count = row.count ?? 1;
  const title = notificationTitle(t, { kind: row.kind, rating: item?.data.rating, by: nameOf(row.by ?? ''), count });
  const { body, link } = await detailsOf(scope, t, { row, item });
  const plain = withoutLineBreaks({ title, body, link, tag: `${row.kind} ${row.cause}`, id: row.id });
  const words = quotedWords({ item, quote, count, nameOf });
  if (!showsWords || !words) return plain;
  const withWords = { ...plain, body: `${plain.body}\n${t('“{text}”', { text: withoutLineBreaks(words) })}` };
  return Buffer.byteLength(JSON.stringify(withWords)) > LARGEST_PAYLOAD ? plain : withWords;
}

function digestOf(t: Translate, count: number): PushContent | undefined {
  if (count === 0) return undefined;
  const title = t.count(count, 'A visitor is waiting', '{count} visitors are waiting');
  return { title, body: t(DIGEST_TITLE), link: '/urgent', tag: 'digest' };
}

interface NotificationDetails {
  readonly row: inbox.ReadNotification['row'];
  readonly item: Feedback | undefined;
}

/** Returns the place that a notification is about, and the page that it opens. */
async function detailsOf(
  scope: AccountScope,
  t: Translate,
  { row, item }: NotificationDetails,
): Promise<Pick<PushContent, 'body' | 'link'>> {
  const { kind, count, kioskId, userId } = row;
  if (item) {
    const { projectId, toolId, contact } = item.data;
    const { name } = await placeOf(scope, { propertyId: projectId, toolId });
    const isMany = kind === 'assigned' && (count ?? 1) > 1;
    return {
      body: contact && kind !== 'contact' ? `${name} · ${t(WANTS_CONTACT)}` : name,
      link: isMany ? `/?range=all&assignee=${userId}` : `/?id=${item.id}`,
    };
  }
  const kiosk = kioskId === null ? undefined : await tools.byId(scope, kioskId);
  if (!kiosk) return { body: '', link: kind === 'kiosk' ? '/' : '/account/webhooks' };
  const { name, property } = await placeOf(scope, { propertyId: kiosk.gs1sk, toolId: kiosk.id });
  const isAdmin = (await users.byId(scope, userId))?.data.level === 'admin';
  const pathOf = isAdmin ? sharePath : feedPath;
  return { body: name, link: property ? pathOf(property.data.displayName) : '/' };
}

interface NotifiedPlace {
  readonly propertyId: string;
  readonly toolId: string | undefined;
}

async function placeOf(
  scope: AccountScope,
  { propertyId, toolId }: NotifiedPlace,
): Promise<{ name: string; property: Property | undefined }> {
  const property = await properties.byId(scope, propertyId);
  const tool = toolId === undefined ? undefined : await tools.byId(scope, toolId);
  return { name: [property?.data.displayName, tool?.data.displayName].filter((each) => each !== undefined).join(', '), property };
}
