import { and, count, eq } from 'drizzle-orm';
import { byDisplayName } from '#contract/core/names.ts';
import type { Tag } from '#contract/tag/tag.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { tags } from './tables.ts';

type TagRow = typeof tags.$inferSelect;

/** Returns the account's tags by name. */
export async function all({ accountId, db }: AccountScope): Promise<Tag[]> {
  const rows = await db.select().from(tags).where(eq(tags.accountId, accountId));
  return rows.map(record).sort(byDisplayName);
}

export async function countOf({ accountId, db }: AccountScope): Promise<number> {
  const [row] = await db.select({ many: count() }).from(tags).where(eq(tags.accountId, accountId));
  return row?.many ?? 0;
}

export async function insert({ accountId, db, now }: AccountScope, row: Pick<TagRow, 'id' | 'displayName'>): Promise<Tag> {
  const [stored] = await db
    .insert(tags)
    .values({ ...row, accountId, created: now })
    .returning();
  if (!stored) throw new Error('The tag was not stored');
  return record(stored);
}

export async function rename({ accountId, db }: AccountScope, id: string, displayName: string): Promise<Tag | undefined> {
  const [row] = await db.update(tags).set({ displayName }).where(hasId(accountId, id)).returning();
  return row && record(row);
}

/** Deletes a tag. Returns false for an unknown one. */
export async function remove({ accountId, db }: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(tags).where(hasId(accountId, id));
  return rowCount === 1;
}

const hasId = (accountId: string, id: string) => and(eq(tags.accountId, accountId), eq(tags.id, id));

const record = ({ id, accountId, displayName, created }: TagRow): Tag => ({
  id,
  sk: 'TAG',
  gs1sk: accountId,
  data: { accountId, displayName, created: created.getTime() },
});
