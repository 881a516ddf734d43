import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { nonEmptyAlerts } from '#contract/alert/alert.ts';
import { isPropertyNamed, notificationsOf, PROPERTY_TYPE, type Property } from '#contract/property/property.ts';
import { inKnownZone } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
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

/** All properties of the account, also deleted ones, with the moment of that (UTC ms). */
export async function everything({ accountId, db }: AccountScope): Promise<(Property & { readonly deleted?: number })[]> {
  const rows = await db.select().from(properties).where(eq(properties.accountId, accountId)).orderBy(asc(properties.id));
  return rows.map((row) => ({ ...record(row), ...(row.deleted && { deleted: row.deleted.getTime() }) }));
}

/** A property by its id or by its name, dashed and lowercase. */
export async function byName(scope: AccountScope, name: string): Promise<Property | undefined> {
  return (await all(scope)).find((property) => isPropertyNamed(name, property));
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<Property | undefined> {
  const [row] = await db.select().from(properties).where(alive(accountId, id));
  return row && record(row);
}

/** A property by its id, held until the transaction ends, so that what is counted of it is still so many. */
export async function hold({ accountId, db }: AccountScope, id: string): Promise<Property | undefined> {
  const [row] = await db.select().from(properties).where(alive(accountId, id)).for('no key update');
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

type PropertyColumns = { readonly [Column in keyof Omit<PropertyRow, 'accountId' | 'id'>]?: PropertyRow[Column] | undefined };

/** Changes the given fields; undefined when there is no such property. */
export async function change({ accountId, db }: AccountScope, id: string, changes: PropertyColumns): Promise<Property | undefined> {
  const [row] = await db
    .update(properties)
    .set({ id, ...changes })
    .where(alive(accountId, id))
    .returning();
  return row && record(row);
}

/** Refuses the field where the database does not know the time zone. */
export const checkZone = ({ db }: AccountScope, zone: string, field: string): Promise<unknown> =>
  inKnownZone(field, () => db.execute(sql`select now() at time zone ${zone}`));

/** Whether the database knows the time zone: this runtime may know zones that it does not. */
export async function knowsZone({ db }: AccountScope, zone: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`select from pg_timezone_names where name = ${zone}`);
  return rowCount === 1;
}

/** Takes a person off every property's lists of who gets mails, and of who hears next. */
export async function forget({ accountId, db }: AccountScope, userId: string): Promise<void> {
  await db
    .update(properties)
    .set({
      complaints: without(properties.complaints, userId),
      weekly: without(properties.weekly, userId),
      daily: without(properties.daily, userId),
      monthly: without(properties.monthly, userId),
      alerts: sql`case when ${properties.alerts} -> 'escalation' -> 'to' ? ${userId}
        then jsonb_set(${properties.alerts}, '{escalation,to}', (${properties.alerts} -> 'escalation' -> 'to') - ${userId}::text)
        else ${properties.alerts} end`,
    })
    .where(eq(properties.accountId, accountId));
}

const without = (list: PgColumn, userId: string): SQL => sql`array_remove(${list}, ${userId})`;

/** Marks a property as deleted, once. */
export async function remove({ accountId, db, now }: AccountScope, id: string): Promise<Property | undefined> {
  const [row] = await db.update(properties).set({ deleted: now }).where(alive(accountId, id)).returning();
  return row && record(row);
}

const alive = (accountId: string, id: string) =>
  and(eq(properties.accountId, accountId), eq(properties.id, id), isNull(properties.deleted));

function record(row: PropertyRow): Property {
  const alerts = row.alerts && nonEmptyAlerts(row.alerts);
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
      notifications: notificationsOf(row),
      ...(row.timeZone !== null && { timeZone: row.timeZone }),
      ...(alerts && { alerts }),
    },
  };
}
