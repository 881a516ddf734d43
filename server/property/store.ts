import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { nonEmptyAlerts } from '#contract/alert/alert.ts';
import { byDisplayName } from '#contract/core/names.ts';
import { notificationsOf, PROPERTY_TYPE, type Property } from '#contract/property/property.ts';
import { isPropertyNamed } from '#contract/property/slug.ts';
import { inKnownZone } from '../platform/database/database.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { properties } from './tables.ts';

/** The table, for later modules to join in their queries. */
export { properties };

/** SQL: the ids of deleted properties, for conditions on data that belongs to properties. */
export const DELETED_IDS = 'select id from property where deleted is not null';

type PropertyRow = typeof properties.$inferSelect;

/** Returns the account's properties that aren't deleted, by name. */
export async function all({ accountId, db }: AccountScope): Promise<Property[]> {
  const rows = await db
    .select()
    .from(properties)
    .where(and(eq(properties.accountId, accountId), isNull(properties.deleted)));
  return rows.map(record).sort(byDisplayName);
}

/** Returns all properties of the account, including deleted ones with the time of deletion (UTC ms). */
export async function allWithDeleted({ accountId, db }: AccountScope): Promise<(Property & { readonly deleted?: number })[]> {
  const rows = await db.select().from(properties).where(eq(properties.accountId, accountId)).orderBy(asc(properties.id));
  return rows.map((row) => ({ ...record(row), ...(row.deleted && { deleted: row.deleted.getTime() }) }));
}

/** Returns a property by its id or its lowercase, dashed name. */
export async function byName(scope: AccountScope, name: string): Promise<Property | undefined> {
  return (await all(scope)).find((property) => isPropertyNamed(name, property));
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<Property | undefined> {
  const [row] = await db.select().from(properties).where(alive(accountId, id));
  return row && record(row);
}

/** Returns a property by its id, locked until the transaction ends, so that counts of its parts stay correct. */
export async function lock({ accountId, db }: AccountScope, id: string): Promise<Property | undefined> {
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

/** Changes fields and returns the property, or undefined for an unknown id. */
export async function change({ accountId, db }: AccountScope, id: string, changes: PropertyColumns): Promise<Property | undefined> {
  const [row] = await db
    .update(properties)
    .set({ id, ...changes })
    .where(alive(accountId, id))
    .returning();
  return row && record(row);
}

/** Stores a secret for receipts unless the property has one, and returns the stored one; undefined for an unknown id. */
export async function addReceiptSecret({ accountId, db }: AccountScope, id: string, sealed: Buffer) {
  const [row] = await db
    .update(properties)
    .set({ receiptSecret: sql`coalesce(${properties.receiptSecret}, ${sealed})` })
    .where(alive(accountId, id))
    .returning({ sealed: properties.receiptSecret, formId: properties.formId });
  return row?.sealed ? { sealed: row.sealed, formId: row.formId } : undefined;
}

/** Refuses the field if the database doesn't support the time zone. */
export const checkZone = ({ db }: AccountScope, zone: string, field: string): Promise<unknown> =>
  inKnownZone(field, () => db.execute(sql`select now() at time zone ${zone}`));

/** Returns whether the database supports the time zone. Node may support others. */
export async function isKnownZone({ db }: AccountScope, zone: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`select from pg_timezone_names where name = ${zone}`);
  return rowCount === 1;
}

/** Removes a person from every property's notification lists and escalation. */
export async function removePerson({ accountId, db }: AccountScope, userId: string): Promise<void> {
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

/** A property that keeps words for a number of months. */
export interface RetainedProperty {
  readonly accountId: string;
  readonly id: string;
  readonly months: number;
  readonly erasedUntil: Date | null;
}

/** Returns the properties with a retention, in every account, also deleted ones. */
export async function withRetention({ db }: OperatorScope): Promise<RetainedProperty[]> {
  const { accountId, id, retention, erasedUntil } = properties;
  const rows = await db.select({ accountId, id, months: retention, erasedUntil }).from(properties).where(isNotNull(retention));
  return rows.flatMap(({ months, ...row }) => (months === null ? [] : [{ ...row, months }]));
}

/** Notes that the answers from before a moment were erased. */
export async function setErasedUntil({ accountId, db }: AccountScope, id: string, erasedUntil: Date): Promise<void> {
  await db
    .update(properties)
    .set({ erasedUntil })
    .where(and(eq(properties.accountId, accountId), eq(properties.id, id)));
}

/** Marks a property as deleted. Returns undefined if it already was. */
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
      ...(row.retention !== null && { retention: row.retention }),
      ...(row.privacyContact !== null && { privacyContact: row.privacyContact }),
      ...(!row.privateReplies && { privateReplies: false }),
      ...(row.requests && { requests: row.requests }),
    },
  };
}
