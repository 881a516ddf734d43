import { notificationId } from '#contract/core/ids.ts';
import { SYSTEM } from '#contract/event/event.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import {
  aboutFeedback,
  NOTIFICATION_RETENTION,
  type NoticeKind,
  type Notification,
  type notificationOperations,
  quotedWords,
} from '#contract/notification/notification.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { publishNotified } from '../../event/feed.ts';
import * as feedback from '../../feedback/store.ts';
import type { Platform } from '../../platform/context.ts';
import { deleteOld, inBatches } from '../../platform/database/batches.ts';
import { eachSettled } from '../../platform/each-settled.ts';
import { type AccountScope, type DatabaseAndClock, inAccount, inEveryAccount } from '../../platform/tenancy/access.ts';
import type { Handlers } from '../../platform/tenancy/dispatch.ts';
import * as tools from '../../tool/store.ts';
import * as users from '../../user/store.ts';
import * as store from './inbox-store.ts';

/** A notification for people, stored once per person, kind and cause. */
export interface Notice {
  readonly to: readonly string[];
  readonly kind: NoticeKind;
  /** The id of the feedback, the comment or the event that it follows from. */
  readonly cause: string;
  readonly feedbackId?: string;
  readonly webhookId?: string;
  readonly kioskId?: string;
  /** The teammate who caused it. */
  readonly by?: string;
  readonly count?: number;
}

/** Adds notifications to each person's inbox, and notifies their open pages if the transaction commits. */
export type Notify = (scope: AccountScope, ...notices: readonly Notice[]) => Promise<void>;

export const openNotify =
  ({ random }: Pick<Platform, 'random'>): Notify =>
  async (scope, ...notices) => {
    const rows = notices.flatMap(({ to, ...notice }) => to.map((userId) => ({ ...notice, id: notificationId(random), userId })));
    if (await store.add(scope, rows)) await publishNotified(scope);
  };

/** Handles the operations behind the bell. */
export function openInbox() {
  return {
    async list({ scope }, query) {
      const { rows, cursor } = await store.list(scope, query);
      const feedbackIds = [...new Set(rows.flatMap(({ row }) => row.feedbackId ?? []))];
      const items = new Map((await feedback.some(scope, feedbackIds)).map((item) => [item.id, item]));
      const names = new Map((await users.all(scope)).map(({ id, data }) => [id, data.displayName]));
      const nameOf = (userId: string) => names.get(userId);
      const placements = rows.some(({ row }) => row.kioskId !== null) ? await tools.all(scope) : [];
      const notifications = rows.map((each) => {
        const kiosk = placements.find(({ id }) => id === each.row.kioskId);
        return recordOf(each, { item: items.get(each.row.feedbackId ?? ''), kiosk, nameOf });
      });
      return { status: 'ok', notifications, cursor, unread: await store.countUnread(scope) };
    },
    async markRead({ scope }, which) {
      await store.markRead(scope, 'feedbackId' in which ? which : { ids: which.notificationIds });
      return unreadAfter(scope);
    },
    async markAllRead({ scope }) {
      await store.markRead(scope);
      return unreadAfter(scope);
    },
  } satisfies Omit<Handlers<typeof notificationOperations>, 'alerts'>;
}

/** Notifies the person's other pages of the changed count, and returns it. */
async function unreadAfter(scope: AccountScope) {
  await publishNotified(scope);
  return { status: 'ok', unread: await store.countUnread(scope) } as const;
}

/** Deletes old notifications, and marks those as read that ask for nothing more. */
export async function maintainInbox(platform: DatabaseAndClock): Promise<void> {
  await deleteOld(platform, [[store.deleteBefore, NOTIFICATION_RETENTION]]);
  const accountIds = await inEveryAccount(platform, store.accountsWithUnread);
  await eachSettled(accountIds, (accountId) => inBatches(() => inAccount(platform, { accountId, actor: SYSTEM }, store.settle)));
}

interface QuoteSources {
  readonly item: Feedback | undefined;
  /** The kiosk's placement. */
  readonly kiosk: Tool | undefined;
  readonly nameOf: (userId: string) => string | undefined;
}

function recordOf({ row, quote, isUnread }: store.ReadNotification, { item, kiosk, nameOf }: QuoteSources): Notification {
  const { id, userId, kind, created, by, count, webhookId } = row;
  const words = quotedWords({ item, quote, count, nameOf });
  return {
    id,
    sk: 'NOTIFICATION',
    gs1sk: userId,
    data: {
      kind,
      created: created.getTime(),
      ...(by !== null && { by }),
      ...(item && { feedback: aboutFeedback(item) }),
      ...(words && { words }),
      ...(count !== null && { count }),
      ...(webhookId !== null && { webhookId }),
      ...(kiosk && { kiosk: { id: kiosk.id, propertyId: kiosk.gs1sk } }),
      ...(isUnread && { unread: true }),
    },
  };
}
