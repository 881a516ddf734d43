import { and, asc, count, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { byDisplayName } from '#contract/core/names.ts';
import type { Tool } from '#contract/tool/tool.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import { tools } from './tables.ts';

type ToolRow = typeof tools.$inferSelect;

/** SQL: the id of an existing placement, or null. The arguments are SQL. */
export const existingId = (accountId: string, propertyId: string, id: string): string =>
  `(select tool.id from tool where tool.account_id = ${accountId} and tool.property_id = ${propertyId} and tool.id = ${id} and deleted is null)`;

/** Returns the placements of the account or one property, by name. */
export async function all({ accountId, db }: AccountScope, propertyId?: string): Promise<Tool[]> {
  const rows = await db
    .select()
    .from(tools)
    .where(isExisting(accountId, propertyId === undefined ? undefined : eq(tools.propertyId, propertyId)));
  return rows.map(record).sort(byDisplayName);
}

/** Returns all placements of the account, including deleted ones with the time of deletion (UTC ms). */
export async function allWithDeleted({ accountId, db }: AccountScope): Promise<(Tool & { readonly deleted?: number })[]> {
  const rows = await db.select().from(tools).where(eq(tools.accountId, accountId)).orderBy(asc(tools.id));
  return rows.map((row) => ({ ...record(row), ...(row.deleted && { deleted: row.deleted.getTime() }) }));
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<Tool | undefined> {
  const [row] = await db
    .select()
    .from(tools)
    .where(isExisting(accountId, eq(tools.id, id)));
  return row && record(row);
}

/** A property, a placement, or both. */
interface PlaceIds {
  readonly propertyId?: string | undefined;
  readonly toolId?: string | undefined;
}

/** Returns true if the property and placement, if given, exist in this account and belong together. */
export async function arePlaces(scope: AccountScope, { propertyId, toolId }: PlaceIds): Promise<boolean> {
  if (propertyId !== undefined && !(await properties.byId(scope, propertyId))) return false;
  if (toolId === undefined) return true;
  const tool = await byId(scope, toolId);
  return tool !== undefined && (propertyId === undefined || tool.gs1sk === propertyId);
}

export async function countOf({ accountId, db }: AccountScope, propertyId: string): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(tools)
    .where(isExisting(accountId, eq(tools.propertyId, propertyId)));
  return row?.count ?? 0;
}

export async function insert(
  { accountId, db }: AccountScope,
  row: Omit<typeof tools.$inferInsert, 'accountId' | 'deleted'>,
): Promise<Tool> {
  const [stored] = await db
    .insert(tools)
    .values({ ...row, accountId })
    .returning();
  if (!stored) throw new Error('The placement was not stored');
  return record(stored);
}

export async function rename({ accountId, db }: AccountScope, id: string, displayName: string): Promise<Tool | undefined> {
  const [row] = await db
    .update(tools)
    .set({ displayName })
    .where(isExisting(accountId, eq(tools.id, id)))
    .returning();
  return row && record(row);
}

/** Marks a placement as deleted. Returns undefined if it already was. */
export async function remove({ accountId, db, now }: AccountScope, id: string): Promise<Tool | undefined> {
  const [row] = await db
    .update(tools)
    .set({ deleted: now })
    .where(isExisting(accountId, eq(tools.id, id)))
    .returning();
  return row && record(row);
}

/** Neither the placement nor its property is deleted. */
const isExisting = (accountId: string, condition: SQL | undefined) =>
  and(
    eq(tools.accountId, accountId),
    isNull(tools.deleted),
    sql`${tools.propertyId} <> all (array(${sql.raw(properties.DELETED_IDS)}))`,
    condition,
  );

const record = ({ accountId, id, propertyId, formId, toolType, displayName, created }: ToolRow): Tool => ({
  id,
  sk: 'TOOL',
  gs1sk: propertyId,
  data: { created: created.getTime(), accountId, propertyId, formId, toolType, displayName },
});
