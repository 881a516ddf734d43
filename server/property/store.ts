import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { isNamed, PROPERTY_TYPE, type Property } from '#contract/property.ts';
import type { ReviewLink } from '#contract/review.ts';
import type { AccountScope } from '../kernel/access.ts';
import { properties } from './tables.ts';

/** The table, for later rooms to join in their queries. */
export { properties };

/** For conditions on what belongs to properties: the ids of the deleted ones, as SQL. */
export const DELETED_IDS = 'select id from property where deleted is not null';

type PropertyRow = typeof properties.$inferSelect;

/** The account's properties that are not deleted, by name. */
export async function all({ accountId, db }: AccountScope): Promise<Property[]> {
  const rows = await db
    .select()
    .from(properties)
    .where(and(eq(properties.accountId, accountId), isNull(properties.deleted)))
    .orderBy(asc(properties.displayName), asc(properties.id));
  return rows.map(record);
}

/** A property by its id or by its name, dashed and lowercase. */
export async function byName(scope: AccountScope, name: string): Promise<Property | undefined> {
  return (await all(scope)).find((property) => isNamed(name, property));
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<Property | undefined> {
  const [row] = await db.select().from(properties).where(alive(accountId, id));
  return row && record(row);
}

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof properties.$inferInsert, 'accountId'>): Promise<Property> {
  const [stored] = await db
    .insert(properties)
    .values({ ...row, accountId })
    .returning();
  if (!stored) throw new Error('The property was not stored');
  return record(stored);
}

/** Changes the given fields; undefined when there is no such property. */
export async function change(
  { accountId, db }: AccountScope,
  id: string,
  changes: { displayName?: string | undefined; service?: ReviewLink[] | undefined },
): Promise<Property | undefined> {
  const [row] = await db
    .update(properties)
    .set({ id, ...changes })
    .where(alive(accountId, id))
    .returning();
  return row && record(row);
}

/** Takes a person off every property's lists of who gets mails. */
export async function forget({ accountId, db }: AccountScope, userId: string): Promise<void> {
  await db
    .update(properties)
    .set({ complaints: sql`array_remove(${properties.complaints}, ${userId})`, weekly: sql`array_remove(${properties.weekly}, ${userId})` })
    .where(eq(properties.accountId, accountId));
}

/** Marks a property as deleted, once. */
export async function remove({ accountId, db, now }: AccountScope, id: string): Promise<Property | undefined> {
  const [row] = await db.update(properties).set({ deleted: now }).where(alive(accountId, id)).returning();
  return row && record(row);
}

const alive = (accountId: string, id: string) =>
  and(eq(properties.accountId, accountId), eq(properties.id, id), isNull(properties.deleted));

function record(row: PropertyRow): Property {
  return {
    id: row.id,
    sk: 'PROPERTY',
    gs1sk: row.accountId,
    data: {
      displayName: row.displayName,
      service: row.service,
      author: row.author,
      created: row.created.getTime(),
      propertyType: PROPERTY_TYPE,
      accountId: row.accountId,
      formId: row.formId,
      notifications: { complaints: row.complaints, weekly: row.weekly },
    },
  };
}
