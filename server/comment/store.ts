import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Comment } from '#contract/comment/comment.ts';
import { pageOf } from '#contract/core/pagination.ts';
import { deleteSome } from '../platform/database/batches.ts';
import { createdCursor, olderThan } from '../platform/database/pages.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { comments } from './tables.ts';

type CommentRow = typeof comments.$inferSelect;

/** Adds a comment; undefined where its author sent one with this key before. */
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

/** The comment that the caller sent with a key, unless it was deleted. */
export async function byKey({ accountId, db, actor }: AccountScope, key: string): Promise<Comment | undefined> {
  const [row] = await db
    .select()
    .from(comments)
    .where(and(eq(comments.accountId, accountId), eq(comments.createdBy, actor), eq(comments.key, key), isNull(comments.deleted)));
  return row && record(row);
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<Comment | undefined> {
  const [row] = await db.select().from(comments).where(standing(accountId, id));
  return row && record(row);
}

/** A comment, locked until the transaction ends so that changes of it follow one another, with everybody whom it ever mentioned. */
export async function lockById(
  { accountId, db }: AccountScope,
  id: string,
): Promise<{ before: Comment; mentioned: readonly string[] } | undefined> {
  const [row] = await db.select().from(comments).where(standing(accountId, id)).for('no key update');
  return row && { before: record(row), mentioned: row.mentioned };
}

const standing = (accountId: string, id: string) => and(eq(comments.accountId, accountId), eq(comments.id, id), isNull(comments.deleted));

/** Which of these comments exist. */
export async function existing({ accountId, db }: AccountScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: comments.id })
    .from(comments)
    .where(and(eq(comments.accountId, accountId), inArray(comments.id, [...ids]), isNull(comments.deleted)));
  return new Set(rows.map(({ id }) => id));
}

/** Some comments on one piece of feedback, newest first. */
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

/** Some of all the account's comments by id. */
export async function everything({ accountId, db }: AccountScope, after: string, most: number): Promise<Comment[]> {
  const rows = await db
    .select()
    .from(comments)
    .where(and(eq(comments.accountId, accountId), gt(comments.id, after), isNull(comments.deleted)))
    .orderBy(asc(comments.id))
    .limit(most);
  return rows.map(record);
}

/** How many comments each piece of feedback has, where it has any. */
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
    .where(standing(accountId, id))
    .returning();
  if (!row) throw new Error('A comment vanished while it was held');
  return record(row);
}

/** Marks a comment as deleted, once. */
export async function remove({ accountId, db, now, actor }: AccountScope, id: string): Promise<Comment | undefined> {
  const [row] = await db.update(comments).set({ deleted: now, deletedBy: actor }).where(standing(accountId, id)).returning();
  return row && record(row);
}

/** Brings back what the caller deleted, no earlier than that moment. */
export async function restore({ accountId, db, actor }: AccountScope, id: string, since: Date): Promise<Comment | undefined> {
  const isTheirs = [eq(comments.accountId, accountId), eq(comments.id, id), eq(comments.deletedBy, actor), gte(comments.deleted, since)];
  const [row] = await db
    .update(comments)
    .set({ deleted: null, deletedBy: null })
    .where(and(...isTheirs))
    .returning();
  return row && record(row);
}

/** Deletes for good what was deleted before. */
export const forgetDeleted = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, comments, and(isNotNull(comments.deleted), lt(comments.deleted, before)));

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
