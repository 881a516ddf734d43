import { firstWords } from '#contract/alert/alert.ts';
import { counted } from '#contract/core/sentences.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { notificationTitle } from '#contract/notification/notification.ts';
import * as feedback from '../feedback/store.ts';
import { inLines } from '../platform/lines.ts';
import type { PushSubject } from '../platform/live/notify.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import * as tools from '../tool/store.ts';
import * as users from '../user/store.ts';
import * as bell from './bell-store.ts';
import type { PushDeviceRow } from './devices-store.ts';

/** What the service worker shows: what happened, where, and where pressing it leads. One of the same tag takes its place. */
export interface ShownPush {
  readonly title: string;
  readonly body: string;
  /** A path of this site. */
  readonly link: string;
  readonly tag: string;
  /** The notification behind the bell; a digest has none. */
  readonly id?: string;
}

/** More than this (bytes) goes out without the words: push services take 4 kB, sealed. */
const LARGEST_PAYLOAD = 3_000;

interface ScreenOf {
  readonly device: Pick<PushDeviceRow, 'userId' | 'showsWords'>;
  readonly about: PushSubject;
}

/** What a device shows now; undefined where its person has read it, or somebody has dealt with it. */
export async function shownOf(scope: AccountScope, { device: { userId, showsWords }, about }: ScreenOf): Promise<ShownPush | undefined> {
  if (about.kind === 'test')
    return { title: 'Test notification from Afterword', body: 'This device shows your notifications.', link: '/profile', tag: 'test' };
  if (about.kind === 'digest') return digestOf(await bell.countUrgent(scope, userId));
  const row = await bell.unreadOf(scope, { userId, ...about });
  if (!row) return undefined;
  const item = row.feedbackId === null ? undefined : await feedback.byId(scope, row.feedbackId);
  const author = row.by === null ? undefined : await users.byId(scope, row.by);
  const count = row.count ?? 1;
  const title = notificationTitle({ kind: row.kind, rating: item?.data.rating, by: author?.data.displayName, count });
  const where = item ? await whereOf(scope, item) : '';
  const link = linkOf({ item, isMany: row.kind === 'assigned' && count > 1, userId });
  const plain = inLines({ title, body: where, link, tag: `${row.kind} ${row.cause}`, id: row.id });
  const words = showsWords && item?.data.textFeedback !== undefined ? inLines(firstWords(item.data.textFeedback)) : undefined;
  const said = words === undefined ? plain : { ...plain, body: `${plain.body}\n“${words}”` };
  return Buffer.byteLength(JSON.stringify(said)) > LARGEST_PAYLOAD ? plain : said;
}

const digestOf = (count: number): ShownPush | undefined =>
  count === 0
    ? undefined
    : {
        title: count === 1 ? 'A visitor is waiting' : `${counted(count, 'visitor')} are waiting`,
        body: 'Urgent feedback that nobody has opened',
        link: '/urgent',
        tag: 'digest',
      };

async function whereOf(scope: AccountScope, { data: { projectId, toolId } }: Feedback): Promise<string> {
  const [place, tool] = [await properties.byId(scope, projectId), toolId === undefined ? undefined : await tools.byId(scope, toolId)];
  return [place?.data.displayName, tool?.data.displayName].filter((name) => name !== undefined).join(', ');
}

function linkOf({ item, isMany, userId }: { item: Feedback | undefined; isMany: boolean; userId: string }): string {
  if (!item) return '/account/webhooks';
  return isMany ? `/?range=all&assignee=${userId}` : `/?id=${item.id}`;
}
