import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Comment } from '#contract/comment/comment.ts';
import { pageOf } from '#contract/core/pagination.ts';
import { createdCursor, olderThan } from '../platform/database/pages.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { comments } from './tables.ts';

export { DISTRIBUTED } from './tables.ts';

type CommentRow = typeof comments.$inferSelect;

/** Adds a comment. Returns undefined if its author already sent one with this key. */
export async function insert(
  { accountId, db, now, actor }: AccountScope,
  row: Pick<CommentRow, 'id' | 'feedbackId' | 'propertyId' | 'text' | 'mentioned' | 'key'>,
): Promise<Comment | undefined> {
  const [stored] = await db
    .insert(comments)
    .values({ ...row, accountId, created: now, createdBy: actor })
    .onConflictDoNothing({ target: [comments.accountId, comments.createdBy, comments.key] })
    .returning();
  return stored && record(stored);
}

/** Returns the comment that the caller sent with a key, unless it was deleted. */
export async function byKey({ accountId, db, actor }: AccountScope, key: string): Promise<Comment | undefined> {
  const [row] = await db
    .select()
    .from(comments)
    .where(and(eq(comments.accountId, accountId), eq(comments.createdBy, actor), eq(comments.key, key), isNull(comments.deleted)));
  return row && record(row);
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<Comment | undefined> {
  const [row] = await db.select().from(comments).where(notDeleted(accountId, id));
  return row && record(row);
}

/** Returns a comment and everyone it ever mentioned. Locked until the transaction ends, so that concurrent changes run one after another. */
export async function lockById(
  { accountId, db }: AccountScope,
  id: string,
): Promise<{ before: Comment; mentioned: readonly string[] } | undefined> {
  const [row] = await db.select().from(comments).where(notDeleted(accountId, id)).for('no key update');
  return row && { before: record(row), mentioned: row.mentioned };
}

const notDeleted = (accountId: string, id: string) => and(eq(comments.accountId, accountId), eq(comments.id, id), isNull(comments.deleted));

/** Returns the beginnings of the comments that exist, by id. */
export async function beginnings({ accountId, db }: AccountScope, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: comments.id, text: sql<string>`left(${comments.text}, ${BEGINNING})` })
    .from(comments)
    .where(and(eq(comments.accountId, accountId), inArray(comments.id, [...ids]), isNull(comments.deleted)));
  return new Map(rows.map(({ id, text }) => [id, text]));
}

/** How much of a comment notifications need (characters). */
const BEGINNING = 1_000;

/** Returns a page of the comments on feedback, newest first. */
export async function list(
  { accountId, db }: AccountScope,
  { feedbackId, cursor, limit }: { readonly feedbackId: string; readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ comments: Comment[]; cursor: string | null }> {
  const isOfFeedback = [eq(comments.accountId, accountId), eq(comments.feedbackId, feedbackId), isNull(comments.deleted)];
  const rows = await db
    .select()
    .from(comments)
    .where(and(...isOfFeedback, olderThan(comments, cursor)))
    .orderBy(desc(comments.created), desc(comments.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, createdCursor);
  return { comments: page.rows.map(record), cursor: page.cursor };
}

/** Returns a page of the account's comments by id. */
export async function page({ accountId, db }: AccountScope, after: string, most: number): Promise<Comment[]> {
  const rows = await db
    .select()
    .from(comments)
    .where(and(eq(comments.accountId, accountId), gt(comments.id, after), isNull(comments.deleted)))
    .orderBy(asc(comments.id))
    .limit(most);
  return rows.map(record);
}

/** Counts the comments on each feedback that has some. */
export async function counts(
  { accountId, db }: AccountScope,
  feedbackIds: readonly string[],
): Promise<{ feedbackId: string; count: number }[]> {
  return db
    .select({ feedbackId: comments.feedbackId, count: sql<number>`count(*)::integer` })
    .from(comments)
    .where(and(eq(comments.accountId, accountId), inArray(comments.feedbackId, [...feedbackIds]), isNull(comments.deleted)))
    .groupBy(comments.feedbackId)
    .orderBy(comments.feedbackId);
}

export async function change(
  { accountId, db, now }: AccountScope,
  id: string,
  { text, mentioned }: { readonly text: string; readonly mentioned: readonly string[] },
): Promise<Comment> {
  const [row] = await db
    .update(comments)
    .set({ text, mentioned: [...mentioned], edited: now })
    .where(notDeleted(accountId, id))
    .returning();
  if (!row) throw new Error('A comment vanished while it was locked');
  return record(row);
}

/** Marks a comment as deleted. Returns undefined if it already was. */
export async function remove({ accountId, db, now, actor }: AccountScope, id: string): Promise<Comment | undefined> {
  const [row] = await db.update(comments).set({ deleted: now, deletedBy: actor }).where(notDeleted(accountId, id)).returning();
  return row && record(row);
}

/** Restores a comment that the caller deleted after a time. */
export async function restore({ accountId, db, actor }: AccountScope, id: string, since: Date): Promise<Comment | undefined> {
  const isDeletedByCaller = [
    eq(comments.accountId, accountId),
    eq(comments.id, id),
    eq(comments.deletedBy, actor),
    gte(comments.deleted, since),
  ];
  const [row] = await db
    .update(comments)
    .set({ deleted: null, deletedBy: null })
    .where(and(...isDeletedByCaller))
    .returning();
  return row && record(row);
}

/** Permanently deletes a batch of comments that were marked as deleted before a time. By id, because a cluster has no ctid across shards. */
export async function purgeDeleted({ db }: OperatorScope, before: Date): Promise<number> {
  const isOld = and(isNotNull(comments.deleted), lt(comments.deleted, before));
  const rows = await db.select({ id: comments.id }).from(comments).where(isOld).limit(PURGED_AT_ONCE);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const { rowCount } = await db.delete(comments).where(and(isOld, sql`${comments.id} = any(${sql.param(ids)}::text[])`));
  return rowCount ?? 0;
}

const PURGED_AT_ONCE = 1_000;

const record = (row: CommentRow): Comment => ({
  id: row.id,
  sk: 'COMMENT',
  gs1sk: row.feedbackId,
  data: {
    created: row.created.getTime(),
    createdBy: row.createdBy,
    feedbackId: row.feedbackId,
    propertyId: row.propertyId,
    accountId: row.accountId,
    text: row.text,
    ...(row.edited && { edited: row.edited.getTime() }),
  },
});
