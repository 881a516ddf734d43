import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { type Range, wholeDays } from '#contract/core/time.ts';
import type { FormViews } from '#contract/view/view.ts';
import { purging } from '../platform/database/batches.ts';
import type { Database } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { DELETED_IDS } from '../property/store.ts';
import { viewQuarters, views } from './tables.ts';

export interface Opening {
  readonly accountId: string;
  readonly propertyId: string;
  readonly formId: string;
  /** UTC ms. */
  readonly at: number;
}

/** Adds openings to the counts of their day and quarter of an hour, in key order, so that concurrent writers can't deadlock. */
export async function add(database: Database, openings: readonly Opening[]): Promise<void> {
  await database.intake({
    name: 'add views',
    text: `with opened as (
             select "accountId", "propertyId", "formId", to_timestamp(at / 1000.0) as at
               from json_to_recordset($1::json) as opened ("accountId" text, "propertyId" text, "formId" text, at bigint)
           ), by_quarter as (
             insert into view_quarter (account_id, property_id, form_id, quarter, count)
             select "accountId", "propertyId", "formId", date_bin('15 minutes', at, 'epoch'), count(*)
               from opened group by 1, 2, 3, 4 order by 1, 4, 3
             on conflict (account_id, quarter, form_id) do update set count = view_quarter.count + excluded.count
           )
           insert into view (account_id, property_id, form_id, day, count)
           select "accountId", "propertyId", "formId", (at at time zone 'UTC')::date, count(*)
             from opened group by 1, 2, 3, 4 order by 1, 3, 4
           on conflict (account_id, form_id, day) do update set count = view.count + excluded.count`,
    values: [JSON.stringify(openings)],
  });
}

/** Permanently delete a purged account's counts. */
export const [purgeDays, purgeQuarters] = [
  purging(views.accountId, views.formId, views.day),
  purging(viewQuarters.accountId, viewQuarters.quarter, viewQuarters.formId),
];

/** Returns a page of the account's counts by form and day. */
export async function page({ accountId, db }: AccountScope, after: Pick<FormViews, 'formId' | 'day'>, most: number): Promise<FormViews[]> {
  const rows = await db
    .select()
    .from(views)
    .where(and(eq(views.accountId, accountId), sql`(${views.formId}, ${views.day}) > (${after.formId}, ${after.day}::date)`))
    .orderBy(asc(views.formId), asc(views.day))
    .limit(most);
  return rows.map(record);
}

/** Returns counts by form and day. Days are yyyy-mm-dd, `from` inclusive, `to` exclusive. */
export async function list(
  { accountId, db }: AccountScope,
  { propertyId, from, to }: { propertyId?: string | undefined; from?: string | undefined; to?: string | undefined },
): Promise<FormViews[]> {
  const filters = [
    eq(views.accountId, accountId),
    propertyId === undefined ? undefined : eq(views.propertyId, propertyId),
    from === undefined ? undefined : gte(views.day, from),
    to === undefined ? undefined : lt(views.day, to),
  ].filter((condition): condition is SQL => condition !== undefined);
  const rows = await db
    .select()
    .from(views)
    .where(and(...filters))
    .orderBy(asc(views.day), asc(views.formId));
  return rows.map(record);
}

/** Counts the openings of a property's form, or of all properties that aren't deleted, exact to the quarter of an hour (UTC ms). */
export async function countIn(
  { accountId, db }: AccountScope,
  { propertyId, ...span }: Range & { readonly propertyId?: string | undefined },
): Promise<number> {
  const { days, rest } = wholeDays(span);
  const condition = propertyId === undefined ? `property_id <> all (array(${DELETED_IDS}))` : 'property_id = $8';
  const { rows } = await db.$client.query<{ many: number }>({
    name: propertyId === undefined ? 'count views' : 'count views of a property',
    text: `select coalesce(sum(count), 0)::integer as many from (
             select count from view where account_id = $1 and day >= $2 and day < $3 and ${condition}
             union all
             select count from view_quarter where account_id = $1 and quarter >= $4 and quarter < $5 and ${condition}
             union all
             select count from view_quarter where account_id = $1 and quarter >= $6 and quarter < $7 and ${condition}
           ) as counts`,
    values: [accountId, dayOf(days.from), dayOf(days.to), ...moments(rest), ...(propertyId === undefined ? [] : [propertyId])],
  });
  return rows[0]?.many ?? 0;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const moments = (spans: readonly Range[]): Date[] => spans.flatMap(({ from, to }) => [new Date(from), new Date(to)]);
const record = ({ formId, propertyId, day, count }: typeof views.$inferSelect): FormViews => ({ formId, propertyId, day, count });
