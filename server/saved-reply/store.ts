import { and, count, eq } from 'drizzle-orm';
import { byDisplayName } from '#contract/core/names.ts';
import type { SavedReply } from '#contract/saved-reply/saved-reply.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { savedReplies } from './tables.ts';

type SavedReplyRow = typeof savedReplies.$inferSelect;

/** Returns the account's saved replies by name. */
export async function all({ accountId, db }: AccountScope): Promise<SavedReply[]> {
  const rows = await db.select().from(savedReplies).where(eq(savedReplies.accountId, accountId));
  return rows.map(record).sort(byDisplayName);
}

export async function countOf({ accountId, db }: AccountScope): Promise<number> {
  const [row] = await db.select({ many: count() }).from(savedReplies).where(eq(savedReplies.accountId, accountId));
  return row?.many ?? 0;
}

export async function insert(
  { accountId, db, now }: AccountScope,
  row: Pick<SavedReplyRow, 'id' | 'displayName' | 'text'>,
): Promise<SavedReply> {
  const [stored] = await db
    .insert(savedReplies)
    .values({ ...row, accountId, created: now })
    .returning();
  if (!stored) throw new Error('The reply was not stored');
  return record(stored);
}

/** Changes a saved reply. Returns undefined for an unknown one. */
export async function change(
  { accountId, db }: AccountScope,
  id: string,
  data: Pick<SavedReplyRow, 'displayName' | 'text'>,
): Promise<SavedReply | undefined> {
  const [row] = await db.update(savedReplies).set(data).where(hasId(accountId, id)).returning();
  return row && record(row);
}

/** Deletes a saved reply. Returns false for an unknown one. */
export async function remove({ accountId, db }: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(savedReplies).where(hasId(accountId, id));
  return rowCount === 1;
}

const hasId = (accountId: string, id: string) => and(eq(savedReplies.accountId, accountId), eq(savedReplies.id, id));

const record = ({ id, accountId, displayName, text, created }: SavedReplyRow): SavedReply => ({
  id,
  sk: 'SAVEDREPLY',
  gs1sk: accountId,
  data: { accountId, displayName, text, created: created.getTime() },
});
