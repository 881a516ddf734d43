import { and, desc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { pageOf } from '#contract/core/pagination.ts';
import { MOST_UNREAD } from '#contract/notification/notification.ts';
import * as comments from '../comment/store.ts';
import { isAskingSince, isThere, isTodoOf, unopened } from '../feedback/store.ts';
import { createdCursor, olderThan } from '../platform/database/pages.ts';
import { deleteSome, updateSome } from '../platform/database/portions.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { notifications } from './tables.ts';

/* What people were told, behind the bell. Reading is the scope's actor's own. */

type NotificationRow = typeof notifications.$inferSelect;
export type NewNotification = Omit<typeof notifications.$inferInsert, 'accountId' | 'created' | 'read'>;

/** Adds what was not told yet; gives whether there was some. */
export async function add({ accountId, db, now }: AccountScope, rows: readonly NewNotification[]): Promise<boolean> {
  if (rows.length === 0) return false;
  const { rowCount } = await db
    .insert(notifications)
    .values(rows.map((row) => ({ ...row, accountId, created: now })))
    .onConflictDoNothing();
  return (rowCount ?? 0) > 0;
}

const ON = { account: 'notification.account_id', feedback: 'notification.feedback_id', user: 'notification.user_id' };

/** Leaves out what is about feedback of a deleted property, or a comment that was deleted. */
const IS_SHOWN = sql.raw(`(notification.feedback_id is null or ${isThere(ON.account, ON.feedback)})
  and (notification.kind <> 'mention' or ${comments.stands(ON.account, 'notification.cause')})`);

/** Whether nobody has dealt with it (docs/rules.md#notifications). */
const IS_OPEN = sql.raw(`case
  when notification.kind in ('urgent', 'unopened') then ${unopened(ON.account, ON.feedback)}
  when notification.kind = 'contact' then ${isAskingSince(ON.account, ON.feedback, 'notification.created')}
  when notification.kind = 'assigned' then ${isTodoOf(ON.user, ON.account, ON.feedback)}
  else true end`);

const IS_UNREAD = sql<boolean>`notification.read is null and ${IS_OPEN}`;

const ofActor = ({ accountId, actor }: AccountScope): SQL | undefined =>
  and(eq(notifications.accountId, accountId), eq(notifications.userId, actor));

export interface ReadNotification {
  readonly row: NotificationRow;
  readonly isUnread: boolean;
}

/** What the person was told, newest first. */
export async function list(
  scope: AccountScope,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ found: ReadNotification[]; cursor: string | null }> {
  const rows = await scope.db
    .select({ row: notifications, isUnread: IS_UNREAD })
    .from(notifications)
    .where(and(ofActor(scope), IS_SHOWN, olderThan(notifications, cursor)))
    .orderBy(desc(notifications.created), desc(notifications.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ row }) => createdCursor(row));
  return { found: page.rows, cursor: page.cursor };
}

/** How much of it is unread, up to `MOST_UNREAD`. */
export const countUnread = ({ accountId, db, actor }: AccountScope): Promise<number> =>
  db.$count(
    db
      .select({ id: notifications.id })
      .from(notifications)
      .where(and(eq(notifications.accountId, accountId), eq(notifications.userId, actor), isNull(notifications.read), IS_SHOWN, IS_OPEN))
      .limit(MOST_UNREAD)
      .as('unread'),
  );

/** What a person was told for a cause, where it is unread. */
export async function unreadOf(
  { accountId, db }: AccountScope,
  { userId, kind, cause }: Pick<NotificationRow, 'userId' | 'kind' | 'cause'>,
): Promise<NotificationRow | undefined> {
  const [row] = await db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.accountId, accountId),
        eq(notifications.userId, userId),
        eq(notifications.kind, kind),
        eq(notifications.cause, cause),
        IS_SHOWN,
        IS_UNREAD,
      ),
    );
  return row;
}

/** How much urgent feedback a person was told of that nobody has opened, up to `MOST_UNREAD`. */
export const countUrgent = ({ accountId, db }: AccountScope, userId: string): Promise<number> =>
  db.$count(
    db
      .selectDistinct({ id: notifications.feedbackId })
      .from(notifications)
      .where(
        and(
          eq(notifications.accountId, accountId),
          eq(notifications.userId, userId),
          isNull(notifications.read),
          inArray(notifications.kind, ['urgent', 'contact', 'unopened']),
          IS_SHOWN,
          IS_OPEN,
        ),
      )
      .limit(MOST_UNREAD)
      .as('unread'),
  );

/** Marks what the person was told as read: all of it, or what is named. */
export async function markRead(
  scope: AccountScope,
  which: { readonly ids?: readonly string[]; readonly feedbackId?: string } = {},
): Promise<void> {
  const { ids, feedbackId } = which;
  await scope.db
    .update(notifications)
    .set({ read: scope.now })
    .where(
      and(
        ofActor(scope),
        isNull(notifications.read),
        ids && inArray(notifications.id, [...ids]),
        feedbackId === undefined ? undefined : eq(notifications.feedbackId, feedbackId),
      ),
    );
}

/** Marks some of what was dealt with as read for everybody, so that counting looks at what is open; gives back how much. */
export const settle = ({ accountId, db, now }: AccountScope): Promise<number> =>
  updateSome(db, notifications, {
    set: { read: now },
    of: and(eq(notifications.accountId, accountId), isNull(notifications.read), sql`not (${IS_SHOWN} and ${IS_OPEN})`),
  });

/** The accounts in which something is unread. */
export async function accountsWithUnread({ db }: OperatorScope): Promise<string[]> {
  const rows = await db.selectDistinct({ accountId: notifications.accountId }).from(notifications).where(isNull(notifications.read));
  return rows.map(({ accountId }) => accountId);
}

/** Deletes some of what the account's people were told; gives back how much. For an account that is purged. */
export const forget = ({ accountId, db }: AccountScope): Promise<number> =>
  deleteSome(db, notifications, eq(notifications.accountId, accountId));

/** Deletes what was told before a moment. */
export const forgetBefore = ({ db }: OperatorScope, moment: Date): Promise<number> =>
  deleteSome(db, notifications, lt(notifications.created, moment));
