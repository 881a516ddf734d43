import { and, asc, eq, gte, lt, type SQL } from 'drizzle-orm';
import type { FormViews } from '#contract/view.ts';
import type { AccountScope } from '../kernel/access.ts';
import type { Database } from '../kernel/database.ts';
import { views } from './tables.ts';

export interface Opening {
  readonly accountId: string;
  readonly propertyId: string;
  readonly formId: string;
  /** yyyy-mm-dd, UTC. */
  readonly day: string;
}

/** Adds openings to the day's count, in the key's order so that writers never wait in a circle. */
export async function add(database: Database, openings: readonly Opening[]): Promise<void> {
  await database.intake({
    name: 'add views',
    text: `insert into view (account_id, property_id, form_id, day, count)
           select "accountId", "propertyId", "formId", day, count(*)
             from json_to_recordset($1::json) as opened ("accountId" text, "propertyId" text, "formId" text, day date)
            group by 1, 2, 3, 4 order by 1, 3, 4
           on conflict (account_id, form_id, day) do update set count = view.count + excluded.count`,
    values: [JSON.stringify(openings)],
  });
}

/** Counts by form and day; days are yyyy-mm-dd, `from` inclusive, `to` exclusive. */
export async function list(
  { accountId, db }: AccountScope,
  { propertyId, from, to }: { propertyId?: string | undefined; from?: string | undefined; to?: string | undefined },
): Promise<FormViews[]> {
  const wanted = [
    eq(views.accountId, accountId),
    propertyId === undefined ? undefined : eq(views.propertyId, propertyId),
    from === undefined ? undefined : gte(views.day, from),
    to === undefined ? undefined : lt(views.day, to),
  ].filter((condition): condition is SQL => condition !== undefined);
  const rows = await db
    .select()
    .from(views)
    .where(and(...wanted))
    .orderBy(asc(views.day), asc(views.formId));
  return rows.map(({ formId, propertyId: place, day, count }) => ({ formId, propertyId: place, day, count }));
}
