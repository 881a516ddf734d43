import { and, eq, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { feedbackIdCreated, feedbackIdFloor } from '#contract/core/ids.ts';
import { MOST_COUNTED } from '#contract/feedback/work.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { users } from '../user/store.ts';
import { COUNTED, feedback, marks, readers } from './tables.ts';

/* The feedback that each person has read (docs/rules.md#unread). The person is the scope's actor. */

/** Returns the id above which feedback without a mark is unread: from when the person joined, or last marked everything as read. */
export async function readUntil({ accountId, db, actor }: AccountScope): Promise<string> {
  const [row] = await db
    .select({ joined: users.created, readUntil: readers.readUntil })
    .from(users)
    .leftJoin(readers, and(eq(readers.accountId, users.accountId), eq(readers.userId, users.id)))
    .where(and(eq(users.accountId, accountId), eq(users.id, actor)));
  return row?.readUntil ?? feedbackIdFloor(row?.joined.getTime() ?? 0);
}

/** SQL: whether a row of feedback is unread. */
export const isUnread = ({ accountId, actor }: AccountScope, floor: string): SQL<boolean> => sql<boolean>`coalesce(
  (select mark.unread from feedback_mark mark
    where mark.account_id = ${accountId} and mark.user_id = ${actor} and mark.feedback_id = ${feedback.id}),
  ${feedback.id} > ${floor})`;

/**
 * SQL: whether a row is new enough to be unread, for lists of unread feedback. A range of ids, so that an index skips what is read:
 * from the floor, or from the oldest item that the person marked as unread.
 */
export const mayBeUnread = ({ accountId, actor }: AccountScope, floor: string): SQL => sql`${feedback.id} >= least(${floor}, (
  select min(mark.feedback_id) from feedback_mark mark
   where mark.account_id = ${accountId} and mark.user_id = ${actor} and mark.unread))`;

/**
 * SQL: the id of a teammate who has read a row of feedback; null while no one has. A cluster can't join feedback_reader, which isn't
 * distributed, other than as a subquery.
 */
export const readBy = ({ accountId }: AccountScope): SQL<string | null> => sql<string | null>`coalesce(
  (select mark.user_id from feedback_mark mark
    where mark.account_id = ${accountId} and mark.feedback_id = ${feedback.id} and not mark.unread limit 1),
  (select reader.user_id from (select user_id, read_until from feedback_reader where account_id = ${accountId}) as reader
    where reader.read_until > ${feedback.id}
      and not exists (select from feedback_mark mark
                       where mark.account_id = ${accountId} and mark.user_id = reader.user_id and mark.feedback_id = ${feedback.id})
    limit 1))`;

/** Marks feedback as unread, or as read. */
export async function mark({ accountId, db, actor }: AccountScope, ids: readonly string[], unread: boolean): Promise<void> {
  if (ids.length === 0) return;
  await db
    .insert(marks)
    .values(ids.map((feedbackId) => ({ accountId, userId: actor, feedbackId, unread })))
    .onConflictDoUpdate({ target: [marks.accountId, marks.userId, marks.feedbackId], set: { unread } });
}

/**
 * Marks feedback as unread for everyone who marked all feedback as read after it was given. Such feedback arrived later, from a device
 * that had no network.
 */
export async function markLate({ accountId, db }: AccountScope, ids: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into feedback_mark (account_id, user_id, feedback_id, unread)
    select account_id, user_id, id, true
      from feedback_reader, unnest(${sql.param(ids)}::text[]) as late (id)
     where account_id = ${accountId} and read_until > id
    on conflict do nothing`);
}

/** Marks feedback as unread for the whole team. */
export async function markUnreadForAll(scope: AccountScope, id: string): Promise<void> {
  const { accountId, db } = scope;
  await db
    .update(marks)
    .set({ unread: true })
    .where(and(eq(marks.accountId, accountId), eq(marks.feedbackId, id)));
  await markLate(scope, [id]);
  // For people who joined after it was given, it counts as read without a mark.
  const created = new Date(feedbackIdCreated(id)).toISOString();
  await db.execute(sql`
    insert into feedback_mark (account_id, user_id, feedback_id, unread)
    select ${users.accountId}, ${users.id}, ${id}, true
      from ${users} where ${users.accountId} = ${accountId} and ${users.created} >= ${created}::timestamptz
    on conflict do nothing`);
}

/** Marks all existing feedback as read. */
export async function markAllRead({ accountId, db, actor, now }: AccountScope): Promise<void> {
  const floor = feedbackIdFloor(now.getTime() + 1);
  await db
    .insert(readers)
    .values({ accountId, userId: actor, readUntil: floor })
    .onConflictDoUpdate({ target: [readers.accountId, readers.userId], set: { readUntil: floor } });
  await db.delete(marks).where(and(eq(marks.accountId, accountId), eq(marks.userId, actor), lte(marks.feedbackId, floor)));
}

/** Returns the ids that the person hasn't read. */
export async function unreadAmong(scope: AccountScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { accountId, db } = scope;
  const rows = await db
    .select({ id: feedback.id })
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), inArray(feedback.id, [...ids]), isUnread(scope, await readUntil(scope))));
  return new Set(rows.map(({ id }) => id));
}

/** Counts unread feedback up to a thousand, without suspected answers and tests. */
export async function countUnread(scope: AccountScope, ofLive: SQL): Promise<number> {
  const { accountId, db, actor } = scope;
  const floor = await readUntil(scope);
  const { rows } = await db.execute<{ many: number }>(sql`
    select count(*)::integer as many from (
      select 1 from feedback
       where account_id = ${accountId} and id > ${floor} and ${COUNTED} and test is not true and ${ofLive}
         and not exists (select from feedback_mark mark
                          where mark.account_id = ${accountId} and mark.user_id = ${actor} and mark.feedback_id = id and not mark.unread)
      union all
      select 1 from feedback join feedback_mark mark
          on mark.account_id = ${accountId} and mark.user_id = ${actor} and mark.feedback_id = id and mark.unread
       where feedback.account_id = ${accountId} and id <= ${floor} and ${COUNTED} and test is not true and ${ofLive}
       limit ${MOST_COUNTED}
    ) as unread`);
  return rows[0]?.many ?? 0;
}
