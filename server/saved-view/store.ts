import { and, asc, eq, gte, isNull, lt, or, sql } from 'drizzle-orm';
import { byDisplayName } from '#contract/core/names.ts';
import type { SavedView } from '#contract/saved-view/saved-view.ts';
import { deleteSome } from '../platform/database/batches.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { savedViews } from './tables.ts';

type SavedViewRow = typeof savedViews.$inferSelect;
type ViewFields = Pick<SavedViewRow, 'displayName' | 'isShared' | 'shows'>;

/** Returns the caller's own views and the shared ones, by name. */
export async function all({ accountId, db, actor }: AccountScope): Promise<SavedView[]> {
  const rows = await db.select().from(savedViews).where(isVisibleTo(accountId, actor));
  return rows.map(record).sort(byDisplayName);
}

/** Returns everyone's views. */
export async function ofEveryone({ accountId, db }: AccountScope): Promise<SavedView[]> {
  const isOf = and(eq(savedViews.accountId, accountId), isNull(savedViews.deleted));
  return (await db.select().from(savedViews).where(isOf).orderBy(asc(savedViews.id))).map(record);
}

/** Returns a view that the caller may see. */
export async function byId({ accountId, db, actor }: AccountScope, id: string): Promise<SavedView | undefined> {
  const [row] = await db
    .select()
    .from(savedViews)
    .where(and(isVisibleTo(accountId, actor), eq(savedViews.id, id)));
  return row && record(row);
}

const isVisibleTo = (accountId: string, actor: string) =>
  and(eq(savedViews.accountId, accountId), isNull(savedViews.deleted), or(savedViews.isShared, eq(savedViews.createdBy, actor)));

/** Counts an owner's views, and the account's shared ones. */
export async function countsOf({ accountId, db }: AccountScope, owner: string): Promise<{ owned: number; shared: number }> {
  const [row] = await db
    .select({
      owned: sql<number>`(count(*) filter (where ${savedViews.createdBy} = ${owner}))::integer`,
      shared: sql<number>`(count(*) filter (where ${savedViews.isShared}))::integer`,
    })
    .from(savedViews)
    .where(and(eq(savedViews.accountId, accountId), isNull(savedViews.deleted)));
  return { owned: row?.owned ?? 0, shared: row?.shared ?? 0 };
}

export async function insert({ accountId, db, now, actor }: AccountScope, row: ViewFields & Pick<SavedViewRow, 'id'>): Promise<SavedView> {
  const [stored] = await db
    .insert(savedViews)
    .values({ ...row, accountId, created: now, createdBy: actor })
    .returning();
  if (!stored) throw new Error('The view was not stored');
  return record(stored);
}

/** Changes a view. Returns undefined if it was deleted. */
export async function change(
  { accountId, db }: AccountScope,
  id: string,
  { displayName, isShared, shows }: ViewFields,
): Promise<SavedView | undefined> {
  const [row] = await db.update(savedViews).set({ displayName, isShared, shows }).where(notDeleted(accountId, id)).returning();
  return row && record(row);
}

/** Marks a view as deleted. Returns undefined if it already was. */
export async function remove({ accountId, db, now, actor }: AccountScope, id: string): Promise<SavedView | undefined> {
  const [row] = await db.update(savedViews).set({ deleted: now, deletedBy: actor }).where(notDeleted(accountId, id)).returning();
  return row && record(row);
}

/** Returns a view that the caller deleted after a time. */
export async function deletedById({ accountId, db, actor }: AccountScope, id: string, since: Date): Promise<SavedView | undefined> {
  const isDeletedByCaller = [eq(savedViews.accountId, accountId), eq(savedViews.id, id), eq(savedViews.deletedBy, actor)];
  const [row] = await db
    .select()
    .from(savedViews)
    .where(and(...isDeletedByCaller, gte(savedViews.deleted, since)));
  return row && record(row);
}

export async function restore({ accountId, db }: AccountScope, id: string): Promise<SavedView | undefined> {
  const isIt = and(eq(savedViews.accountId, accountId), eq(savedViews.id, id));
  const [row] = await db.update(savedViews).set({ deleted: null, deletedBy: null }).where(isIt).returning();
  return row && record(row);
}

/** Permanently deletes views that were marked as deleted before a time. */
export const purgeDeleted = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, savedViews, lt(savedViews.deleted, before));

/** Permanently deletes a person's views that aren't shared. */
export async function deletePrivate({ accountId, db }: AccountScope, owner: string): Promise<void> {
  await db
    .delete(savedViews)
    .where(and(eq(savedViews.accountId, accountId), eq(savedViews.createdBy, owner), eq(savedViews.isShared, false)));
}

const notDeleted = (accountId: string, id: string) =>
  and(eq(savedViews.accountId, accountId), eq(savedViews.id, id), isNull(savedViews.deleted));

const record = ({ id, accountId, displayName, isShared, shows, created, createdBy }: SavedViewRow): SavedView => ({
  id,
  sk: 'SAVEDVIEW',
  gs1sk: accountId,
  data: { accountId, displayName, isShared, shows, created: created.getTime(), createdBy },
});
