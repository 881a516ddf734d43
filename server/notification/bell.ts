import { notificationId } from '#contract/core/ids.ts';
import { ITSELF } from '#contract/event/event.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { aboutFeedback, NOTIFICATIONS_KEPT, type Notification, type notificationOperations } from '#contract/notification/notification.ts';
import { publishNotified } from '../event/feed.ts';
import * as feedback from '../feedback/store.ts';
import type { Platform } from '../platform/context.ts';
import { forgetOld, inPortions } from '../platform/database/portions.ts';
import { eachApart } from '../platform/each-settled.ts';
import type { Notify } from '../platform/live/notify.ts';
import { type AccountScope, type Clocked, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as store from './bell-store.ts';

/** Tells people behind the bell, and the pages that are open that it changed. */
export const openNotify =
  ({ random }: Pick<Platform, 'random'>): Notify =>
  async (scope, { to, ...notice }) => {
    const rows = to.map((userId) => ({ ...notice, id: notificationId(random), userId }));
    if (await store.add(scope, rows)) await publishNotified(scope);
  };

/** What a person was told, and whether they have read it. */
export function openBell() {
  return {
    async list({ scope }, query) {
      const { found, cursor } = await store.list(scope, query);
      const about = [...new Set(found.flatMap(({ row }) => row.feedbackId ?? []))];
      const items = new Map((await feedback.some(scope, about)).map((item) => [item.id, item]));
      const notifications = found.map((each) => recordOf(each, items.get(each.row.feedbackId ?? '')));
      return { status: 'ok', notifications, cursor, unread: await store.countUnread(scope) };
    },
    async markRead({ scope }, which) {
      await store.markRead(scope, 'feedbackId' in which ? which : { ids: which.notificationIds });
      return left(scope);
    },
    async markAllRead({ scope }) {
      await store.markRead(scope);
      return left(scope);
    },
  } satisfies Handlers<typeof notificationOperations>;

  /** The person's other pages hear of it. */
  async function left(scope: AccountScope) {
    await publishNotified(scope);
    return { status: 'ok', unread: await store.countUnread(scope) } as const;
  }
}

/** Forgets what is old, and marks as read what somebody has dealt with. */
export async function keepBell(platform: Clocked): Promise<void> {
  await forgetOld(platform, [[store.forgetBefore, NOTIFICATIONS_KEPT]]);
  const accountIds = await inEveryAccount(platform, store.accountsWithUnread);
  await eachApart(accountIds, (accountId) => inPortions(() => inAccount(platform, { accountId, actor: ITSELF }, store.settle)));
}

function recordOf({ row, isUnread }: store.ReadNotification, about: Feedback | undefined): Notification {
  const { id, userId, kind, created, by, count, webhookId } = row;
  return {
    id,
    sk: 'NOTIFICATION',
    gs1sk: userId,
    data: {
      kind,
      created: created.getTime(),
      ...(by !== null && { by }),
      ...(about && { feedback: aboutFeedback(about) }),
      ...(count !== null && { count }),
      ...(webhookId !== null && { webhookId }),
      ...(isUnread && { unread: true }),
    },
  };
}
