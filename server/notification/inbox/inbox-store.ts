import { and, desc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { pageOf } from '#contract/core/pagination.ts';
import { MOST_UNREAD } from '#contract/notification/limits.ts';
import { isPending } from '#contract/notification/notification.ts';
import * as comments from '../../comment/store.ts';
import * as conversations from '../../conversation/store.ts';
import * as feedback from '../../feedback/store.ts';
import { deleteSome, purging } from '../../platform/database/batches.ts';
import { createdCursor, olderThan } from '../../platform/database/pages.ts';
import { rowsToInsert } from '../../platform/database/rows.ts';
import type { AccountScope, OperatorScope } from '../../platform/tenancy/access.ts';
import { notifications } from './tables.ts';

type NotificationRow = typeof notifications.$inferSelect;
type NewNotification = Omit<typeof notifications.$inferInsert, 'accountId' | 'created' | 'read'>;

/** Adds notifications. Returns whether any of them is new. */
export async function add({ accountId, db, now }: AccountScope, rows: readonly NewNotification[]): Promise<boolean> {
  if (rows.length === 0) return false;
  const { rowCount } = await db
    .insert(notifications)
    .select(
      rowsToInsert(
        notifications,
        rows.map((row) => ({ ...row, accountId, created: now })),
      ),
    )
    .onConflictDoNothing();
  return (rowCount ?? 0) > 0;
}

export interface ReadNotification {
  readonly row: NotificationRow;
  /** The beginning of the comment that mentions its person, or of the visitor's message. */
  readonly quote: string | undefined;
  /** False for a deleted property, comment or message. */
  readonly isShown: boolean;
  /** Whether its person hasn't read it, and it still asks them to act (docs/rules.md#notifications). */
  readonly isUnread: boolean;
}

/** How many rows `walk` reads first, and then at a time. After a flood, many rows may be handled already. */
const [FIRST, BATCH] = [500, 5_000];

/** Yields the account's notifications that meet a condition, newest first for each person, with the state of their feedback. */
async function* walk(scope: AccountScope, condition: SQL | undefined, first = FIRST): AsyncGenerator<ReadNotification> {
  const { userId, created, id } = notifications;
  let last: NotificationRow | undefined;
  for (let most = first; ; most = BATCH) {
    const isAfterLast =
      last && sql`(${userId}, ${created}, ${id}) < (${last.userId}, ${last.created.toISOString()}::timestamptz, ${last.id})`;
    const rows = await scope.db
      .select()
      .from(notifications)
      .where(and(eq(notifications.accountId, scope.accountId), condition, isAfterLast))
      .orderBy(desc(userId), desc(created), desc(id))
      .limit(most);
    yield* await withState(scope, rows);
    if (rows.length < most) return;
    last = rows.at(-1);
  }
}

async function withState(scope: AccountScope, rows: readonly NotificationRow[]): Promise<ReadNotification[]> {
  const items = await feedback.openStates(scope, [...new Set(rows.flatMap(({ feedbackId }) => feedbackId ?? []))]);
  const causesOf = (quoting: NotificationRow['kind']) => rows.flatMap(({ kind, cause }) => (kind === quoting ? [cause] : []));
  const quotes = new Map([
    ...(await comments.beginnings(scope, causesOf('mention'))),
    ...(await conversations.texts(scope, causesOf('message'))),
  ]);
  return rows.map((row) => {
    const item = items.get(row.feedbackId ?? '');
    const quote = quotes.get(row.cause);
    const isQuoting = row.kind === 'mention' || row.kind === 'message';
    const isShown = (row.feedbackId === null || item !== undefined) && (!isQuoting || quote !== undefined);
    const { kind, userId, created } = row;
    return {
      row,
      quote,
      isShown,
      isUnread: isShown && row.read === null && isPending({ kind, userId, created: created.getTime() }, item),
    };
  });
}

/** Returns the first few notifications of a walk that meet a condition. */
async function firstOf(
  walked: AsyncIterable<ReadNotification>,
  most: number,
  meets: (notification: ReadNotification) => boolean,
): Promise<ReadNotification[]> {
  const matches: ReadNotification[] = [];
  for await (const notification of walked) {
    if (meets(notification)) matches.push(notification);
    if (matches.length === most) break;
  }
  return matches;
}

const isShown = (notification: ReadNotification): boolean => notification.isShown;
const isUnread = (notification: ReadNotification): boolean => notification.isUnread;

/** The actor's notifications, newest first. */
export async function list(
  scope: AccountScope,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ rows: ReadNotification[]; cursor: string | null }> {
  const candidates = walk(scope, and(isOf(scope.actor), olderThan(notifications, cursor)), limit + 1);
  return pageOf(await firstOf(candidates, limit + 1, isShown), limit, ({ row }) => createdCursor(row));
}

/** Counts the actor's unread notifications, up to `MOST_UNREAD`. */
export const countUnread = async (scope: AccountScope): Promise<number> =>
  (await firstOf(walk(scope, isUnreadOf(scope.actor)), MOST_UNREAD, isUnread)).length;

/** Returns a person's unread notification of a cause. */
export async function unreadOf(
  scope: AccountScope,
  { userId, kind, cause }: Pick<NotificationRow, 'userId' | 'kind' | 'cause'>,
): Promise<ReadNotification | undefined> {
  const isOfCause = and(isUnreadOf(userId), eq(notifications.kind, kind), eq(notifications.cause, cause));
  const [unread] = await firstOf(walk(scope, isOfCause), 1, isUnread);
  return unread;
}

/** Counts the urgent feedback that a person was notified of and no one has opened, up to `MOST_UNREAD`. */
export async function countUrgent(scope: AccountScope, userId: string): Promise<number> {
  const ids = new Set<string | null>();
  const isUrgent = inArray(notifications.kind, ['urgent', 'contact', 'unopened']);
  for await (const { row, isUnread: isCounted } of walk(scope, and(isUnreadOf(userId), isUrgent))) {
    if (isCounted) ids.add(row.feedbackId);
    if (ids.size === MOST_UNREAD) break;
  }
  return ids.size;
}

const isOf = (userId: string): SQL => eq(notifications.userId, userId);
const isUnreadOf = (userId: string): SQL | undefined => and(isOf(userId), isNull(notifications.read));

/** Marks the actor's notifications as read: all of them, or the given ones. */
export async function markRead(
  scope: AccountScope,
  { ids, feedbackId }: { readonly ids?: readonly string[]; readonly feedbackId?: string } = {},
): Promise<void> {
  await scope.db
    .update(notifications)
    .set({ read: scope.now })
    .where(
      and(
        eq(notifications.accountId, scope.accountId),
        isUnreadOf(scope.actor),
        ids && inArray(notifications.id, [...ids]),
        feedbackId === undefined ? undefined : eq(notifications.feedbackId, feedbackId),
      ),
    );
}

/** The most notifications that one call of `settle` marks as read. @limit rows-at-once */
const SETTLED_AT_ONCE = 5_000;

/** Marks some notifications that ask for nothing more as read, so that counting skips them. Returns how many. */
export async function settle(scope: AccountScope): Promise<number> {
  const outdated = await firstOf(walk(scope, isNull(notifications.read)), SETTLED_AT_ONCE, (notification) => !notification.isUnread);
  const ids = outdated.map(({ row }) => row.id);
  await scope.db
    .update(notifications)
    .set({ read: scope.now })
    .where(
      and(
        eq(notifications.accountId, scope.accountId),
        isNull(notifications.read),
        sql`${notifications.id} = any(${sql.param(ids)}::text[])`,
      ),
    );
  return outdated.length;
}

/** Returns the accounts that have unread notifications. */
export async function accountsWithUnread({ db }: OperatorScope): Promise<string[]> {
  const rows = await db.selectDistinct({ accountId: notifications.accountId }).from(notifications).where(isNull(notifications.read));
  return rows.map(({ accountId }) => accountId);
}

/** Permanently deletes a purged account's notifications. */
export const purge = purging(notifications.accountId, notifications.id);

/** Deletes everyone's notifications of deleted feedback. */
export async function deleteOfFeedback({ accountId, db }: AccountScope, feedbackId: string): Promise<void> {
  await db.delete(notifications).where(and(eq(notifications.accountId, accountId), eq(notifications.feedbackId, feedbackId)));
}

/** Deletes notifications from before a time. */
export const deleteBefore = ({ db }: OperatorScope, moment: Date): Promise<number> =>
  deleteSome(db, notifications, lt(notifications.created, moment));
