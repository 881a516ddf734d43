import { and, asc, count, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Tool } from '#contract/tool/tool.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import { tools } from './tables.ts';

type ToolRow = typeof tools.$inferSelect;

/** For other rooms' SQL: the id of a placement that stands, or null. The arguments are SQL. */
export const standingId = (accountId: string, propertyId: string, id: string): string =>
  `(select tool.id from tool where tool.account_id = ${accountId} and tool.property_id = ${propertyId} and tool.id = ${id} and deleted is null)`;

/** The placements of the account's properties, or of one of them, by name. */
export async function all({ accountId, db }: AccountScope, propertyId?: string): Promise<Tool[]> {
  const rows = await db
    .select()
    .from(tools)
    .where(standing(accountId, propertyId === undefined ? undefined : eq(tools.propertyId, propertyId)))
    .orderBy(asc(tools.displayName), asc(tools.id));
  return rows.map(record);
}

/** All placements of the account, also deleted ones, with the moment of that (UTC ms). */
export async function everything({ accountId, db }: AccountScope): Promise<(Tool & { readonly deleted?: number })[]> {
  const rows = await db.select().from(tools).where(eq(tools.accountId, accountId)).orderBy(asc(tools.id));
  return rows.map((row) => ({ ...record(row), ...(row.deleted && { deleted: row.deleted.getTime() }) }));
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<Tool | undefined> {
  const [row] = await db
    .select()
    .from(tools)
    .where(standing(accountId, eq(tools.id, id)));
  return row && record(row);
}

/** How many placements a property has. */
/** What is named of a place: a property, a placement, or both. */
interface NamedPlaces {
  readonly propertyId?: string | undefined;
  readonly toolId?: string | undefined;
}

/** Whether the property and the placement that are named, if any, are of this account, of each other, and not deleted. */
export async function arePlaces(scope: AccountScope, { propertyId, toolId }: NamedPlaces): Promise<boolean> {
  if (propertyId !== undefined && !(await properties.byId(scope, propertyId))) return false;
  if (toolId === undefined) return true;
  const tool = await byId(scope, toolId);
  return tool !== undefined && (propertyId === undefined || tool.gs1sk === propertyId);
}

export async function countOf({ accountId, db }: AccountScope, propertyId: string): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(tools)
    .where(standing(accountId, eq(tools.propertyId, propertyId)));
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
    .where(standing(accountId, eq(tools.id, id)))
    .returning();
  return row && record(row);
}

/** Marks a placement as deleted, once. */
export async function remove({ accountId, db, now }: AccountScope, id: string): Promise<Tool | undefined> {
  const [row] = await db
    .update(tools)
    .set({ deleted: now })
    .where(standing(accountId, eq(tools.id, id)))
    .returning();
  return row && record(row);
}

/** Not deleted, and of a property that is not. */
const standing = (accountId: string, which: SQL | undefined) =>
  and(
    eq(tools.accountId, accountId),
    isNull(tools.deleted),
    sql`${tools.propertyId} <> all (array(${sql.raw(properties.DELETED_IDS)}))`,
    which,
  );

const record = ({ accountId, id, propertyId, formId, toolType, displayName, created }: ToolRow): Tool => ({
  id,
  sk: 'TOOL',
  gs1sk: propertyId,
  data: { created: created.getTime(), accountId, propertyId, formId, toolType, displayName },
});
