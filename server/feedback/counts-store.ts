import { sql } from 'drizzle-orm';
import { feedbackIdFloor } from '#contract/core/ids.ts';
import { type Range, wholeDays } from '#contract/core/time.ts';
import type { Grain } from '#contract/feedback/feedback.ts';
import { RATINGS } from '#contract/feedback/rating.ts';
import { NO_RATINGS, type Tally, total } from '#contract/feedback/tally.ts';
import type { HourOfWeek } from '#contract/insight/insight.ts';
import type { VersionCounts } from '#contract/insight/review-funnel.ts';
import { LONGEST_READ, MOST_READ, type RatedText } from '#contract/insight/words.ts';
import { purging } from '../platform/database/batches.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import { feedbackDays, feedbackTally, HAS_COUNTED_TEXT, IS_COUNTED, WHOLE_ACCOUNT } from './tables.ts';
import { AMENDMENT_LANE, addCounts, COUNT_COLUMNS } from './tally-store.ts';

/* Counts for an overview, and the latest texts. Only `countsOfVersions` reads all feedback of a property. */

/** The `place` of the whole account's counts. */
export { WHOLE_ACCOUNT };

const RATINGS_SUMMED = 'array[sum(one), sum(two), sum(three), sum(four), sum(five)]::integer[]';

/** The counts of a property, a placement or the whole account. */
interface PlaceCounts {
  readonly place: string;
  readonly ratings: Tally;
  /** How many visitors continued to a review service. */
  readonly reviews: number;
}

/** Returns the counts of the places that have ratings, exact to the quarter of an hour. Reads whole days from the daily counts. */
export async function countsOf({ accountId, db }: AccountScope, places: readonly string[], span: Range): Promise<PlaceCounts[]> {
  const { days, rest } = wholeDays(span);
  const { rows } = await db.$client.query<PlaceCounts>({
    name: 'counts of places',
    text: COUNTS_OF_PLACES,
    values: [accountId, places, dayOf(days.from), dayOf(days.to), ...rest.flatMap(({ from, to }) => [new Date(from), new Date(to)])],
  });
  return rows;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const SELECT_COUNTS = 'select place, one, two, three, four, five, reviews from';
export const COUNTS_OF_PLACES = `
  select place, ${RATINGS_SUMMED} as ratings, sum(reviews)::integer as reviews from (
    ${SELECT_COUNTS} feedback_day where account_id = $1 and place = any($2::text[]) and day >= $3 and day < $4
    union all
    ${SELECT_COUNTS} feedback_tally where account_id = $1 and place = any($2::text[]) and quarter >= $5 and quarter < $6
    union all
    ${SELECT_COUNTS} feedback_tally where account_id = $1 and place = any($2::text[]) and quarter >= $7 and quarter < $8
  ) as counts
   group by place having sum(one + two + three + four + five) > 0
   order by place`;

const countsByRating = (condition: string): string =>
  `array[${RATINGS.map((rating) => `count(*) filter (where rating = ${rating}${condition})`).join(', ')}]::integer[]`;
const COUNTS_OF_VERSIONS = `
  select form_id as "formId", form_version as version, ${countsByRating('')} as ratings, ${countsByRating(' and converted is not null')} as opened
    from feedback
   where account_id = $1 and property_id = $2 and ${IS_COUNTED} and test is not true
   group by form_id, form_version`;

/** Returns the counts of a property's ratings by the form's version. */
export async function countsOfVersions({ accountId, db }: AccountScope, propertyId: string): Promise<VersionCounts[]> {
  const { rows } = await db.$client.query<VersionCounts>({
    name: 'counts of versions',
    text: COUNTS_OF_VERSIONS,
    values: [accountId, propertyId],
  });
  return rows;
}

/** Permanently delete a purged account's counts. */
export const [purgeQuarters, purgeDays] = [
  purging(feedbackTally.accountId, feedbackTally.place, feedbackTally.quarter, feedbackTally.lane),
  purging(feedbackDays.accountId, feedbackDays.place, feedbackDays.day, feedbackDays.lane),
];

/** A `place` of the counts and its time zone. */
export interface ClockedPlace {
  readonly place: string;
  readonly zone: string;
}

/** Returns the ratings of the places by hour of the week in each place's zone, without empty hours. Places must not overlap. */
export async function hoursOf(
  { accountId, db }: AccountScope,
  places: readonly ClockedPlace[],
  { from, to }: Range,
): Promise<HourOfWeek[]> {
  const { rows } = await db.$client.query<HourOfWeek>({
    name: 'counts by hour',
    text: COUNTS_BY_HOUR,
    values: [accountId, JSON.stringify(places), new Date(from), new Date(to)],
  });
  return rows;
}

/** `offset 0` keeps the planner, which expects a hundred places, from reading those of the whole account. */
export const COUNTS_BY_HOUR = `
  select extract(isodow from clock)::integer as weekday, extract(hour from clock)::integer as hour, ${RATINGS_SUMMED} as ratings
    from (
      select quarter, zone, sum(one) as one, sum(two) as two, sum(three) as three, sum(four) as four, sum(five) as five
        from json_to_recordset($2::json) as clocked (place text, zone text) cross join lateral (
          select quarter, one, two, three, four, five from feedback_tally as tally
           where account_id = $1 and tally.place = clocked.place and quarter >= $3 and quarter < $4 offset 0) as quarters
       group by quarter, zone
    ) as counts, lateral (select quarter at time zone zone as clock) as local
   group by 1, 2 having sum(one + two + three + four + five) > 0
   order by 1, 2`;

/** Returns visitors' latest texts, newest first: at most `MOST_READ` + 1. */
export async function latestTexts(
  { accountId, db }: AccountScope,
  { propertyId, from, to }: Range & { readonly propertyId?: string | undefined },
): Promise<RatedText[]> {
  const { rows } = await db.$client.query<RatedText>({
    name: propertyId === undefined ? 'latest texts' : 'latest texts of a property',
    text: latestTextsQuery(propertyId === undefined ? `property_id <> all (array(${properties.DELETED_IDS}))` : 'property_id = $4'),
    values: [accountId, feedbackIdFloor(from), feedbackIdFloor(to), ...(propertyId === undefined ? [] : [propertyId])],
  });
  return rows;
}

export const latestTextsQuery = (condition: string): string => `
  select left(text, ${LONGEST_READ}) as text, rating from feedback
   where account_id = $1 and ${HAS_COUNTED_TEXT} and id >= $2 and id < $3 and ${condition}
   order by id desc limit ${MOST_READ + 1}`;

interface SummaryQuery {
  readonly propertyId?: string | undefined;
  readonly toolId?: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly grain: Grain;
}

interface Summary {
  readonly ratings: Tally;
  readonly urgent: number;
  readonly suspected: number;
  /** One entry for each hour, day or month that has ratings; `at` is its start (UTC ms). */
  readonly trend: { at: number; ratings: Tally }[];
}

/** Returns the counts of a place, exact to the quarter of an hour. */
export async function summary({ accountId, db }: AccountScope, query: SummaryQuery): Promise<Summary> {
  const { propertyId = WHOLE_ACCOUNT, toolId = propertyId, from, to, zone, grain } = query;
  const { rows } = await db.$client.query<CountRow>(
    grain === 'hour'
      ? { name: 'summary by hour', text: SUMMARY_BY_HOUR, values: [accountId, toolId, zone, new Date(from), new Date(to)] }
      : { name: 'summary', text: COUNTS_BY_PERIOD, values: [accountId, [toolId], zone, grain, ...partsOf({ from, to })] },
  );
  return summaryOf(rows);
}

/** Returns the counts by day of each property that has ratings in the range. */
export async function overview(
  scope: AccountScope,
  { from, to, zone }: Pick<SummaryQuery, 'from' | 'to' | 'zone'>,
): Promise<({ propertyId: string } & Summary)[]> {
  const ids = (await properties.all(scope)).map(({ id }) => id);
  const { rows } = await scope.db.$client.query<CountRow>({
    name: 'overview',
    text: COUNTS_BY_PERIOD,
    values: [scope.accountId, ids, zone, 'day', ...partsOf({ from, to })],
  });
  return [...Map.groupBy(rows, ({ place }) => place)].map(([propertyId, counts]) => ({ propertyId, ...summaryOf(counts) }));
}

const TALLY_COLUMNS = ['one', 'two', 'three', 'four', 'five', 'urgent', 'suspected'];
const TALLY = TALLY_COLUMNS.join(', ');
const SUMMED = TALLY_COLUMNS.map((column) => `sum(${column})::integer as ${column}`).join(', ');
const COUNTED_UP = `sum(urgent)::integer as urgent, sum(suspected)::integer as suspected, ${RATINGS_SUMMED} as ratings`;
/** Leaves out periods whose ratings all belonged to a property that has been deleted since. */
const RATED = 'sum(one + two + three + four + five + suspected) > 0';

const SUMMARY_BY_HOUR = `
  select place, date_trunc('hour', quarter, $3) as at, ${COUNTED_UP} from feedback_tally
   where account_id = $1 and place = $2 and quarter >= $4 and quarter < $5
   group by place, at having ${RATED} order by at`;

/** Returns the starts and ends of the whole days (UTC) in a range, of the part before them and of the part after. */
function partsOf(range: Range): Date[] {
  const { days, rest } = wholeDays(range);
  return [days, ...rest].flatMap(({ from, to }) => [new Date(from), new Date(to)]);
}

/**
 * Counts places by day or month in a zone, mostly from the daily counts in UTC. A day belongs to the period of its noon; the quarters of
 * an hour at its edges that belong to the period before or after are moved there, summed, because both periods read them.
 */
export const COUNTS_BY_PERIOD = `
  with days as (
    select start, start + interval '24 hours' as finish, (start at time zone 'UTC')::date as day,
           date_trunc($4, start, $3) as first, date_trunc($4, start + interval '12 hours', $3) as at,
           date_trunc($4, start + interval '23:45', $3) as last
      from generate_series($5::timestamptz, $6::timestamptz - interval '24 hours', '24 hours') as start
  ), edges as (
    select start, at as finish, at as counted_in, first as belongs_to from days where first <> at
    union all
    select last, finish, at, last from days where last <> at
  ), moved as (
    select place, counted_in, belongs_to, quarters.*
      from edges cross join unnest($2::text[]) as places (place) cross join lateral (
        select ${SUMMED} from feedback_tally as tally
         where account_id = $1 and tally.place = places.place and quarter >= start and quarter < finish) as quarters
  )
  select place, at, ${COUNTED_UP} from (
    select place, at, ${TALLY} from feedback_day join days using (day)
     where account_id = $1 and place = any($2) and day >= ($5::timestamptz at time zone 'UTC')::date and day < ($6::timestamptz at time zone 'UTC')::date
    union all
    select place, belongs_to, ${TALLY} from moved
    union all
    select place, counted_in, ${TALLY_COLUMNS.map((column) => `-${column}`).join(', ')} from moved
    union all
    select place, date_trunc($4, quarter, $3), ${TALLY} from feedback_tally
     where account_id = $1 and place = any($2) and quarter >= $7 and quarter < $8
    union all
    select place, date_trunc($4, quarter, $3), ${TALLY} from feedback_tally
     where account_id = $1 and place = any($2) and quarter >= $9 and quarter < $10
  ) as counts
   group by place, at having ${RATED} order by place, at`;

/** Prefix of the `place` of a property's counts. */
const OF_PROPERTIES = 'PROPERTY_';

/** Returns how many answers each property has ever received, without properties that have none. */
export async function totals({ accountId, db }: AccountScope): Promise<{ propertyId: string; answers: number }[]> {
  const { rows } = await db.$client.query<{ propertyId: string; answers: number }>({
    name: 'totals',
    text: `select place as "propertyId", sum(one + two + three + four + five + suspected)::integer as answers from feedback_day
            where account_id = $1 and starts_with(place, $2) and place <> all (array(${properties.DELETED_IDS}))
            group by place having ${RATED} order by place`,
    values: [accountId, OF_PROPERTIES],
  });
  return rows;
}

/** Returns, by placement, the ratings in the range. Leaves out placements without any. */
export async function ratingsByTool(
  { accountId, db }: AccountScope,
  toolIds: readonly string[],
  { from, to }: Pick<SummaryQuery, 'from' | 'to'>,
): Promise<ReadonlyMap<string, { toolId: string; ratings: Tally }>> {
  const { rows } = await db.$client.query<{ toolId: string; ratings: Tally }>({
    name: 'counts of placements',
    text: `select place as "toolId", ${RATINGS_SUMMED} as ratings from feedback_tally
            where account_id = $1 and place = any($2::text[]) and quarter >= $3 and quarter < $4
            group by place having sum(one + two + three + four + five) > 0`,
    values: [accountId, toolIds, new Date(from), new Date(to)],
  });
  return new Map(rows.map((row) => [row.toolId, row]));
}

interface CountRow {
  readonly place: string;
  readonly at: Date;
  readonly ratings: Tally;
  readonly urgent: number;
  readonly suspected: number;
}

function summaryOf(rows: readonly CountRow[]): Summary {
  const trend = rows.map(({ at, ratings }) => ({ at: at.getTime(), ratings })).filter(({ ratings }) => total(ratings) > 0);
  const ratings = trend.reduce((sum, entry) => added(sum, entry.ratings), NO_RATINGS);
  const sumOf = (count: 'urgent' | 'suspected') => rows.reduce((sum, row) => sum + row[count], 0);
  return { ratings, urgent: sumOf('urgent'), suspected: sumOf('suspected'), trend };
}

const added = ([a, b, c, d, e]: Tally, [one, two, three, four, five]: Tally): Tally => [a + one, b + two, c + three, d + four, e + five];

/** Quarters of an hour that one statement subtracts, so that it ends well within its time limit. @limit rows-at-once */
const SUBTRACTED_AT_ONCE = 5_000;

/**
 * Subtracts a deleted property's latest counts from the account's, and deletes them, so that none is subtracted twice. Returns whether
 * there were any.
 */
export async function subtractNext({ accountId, db }: AccountScope, propertyId: string): Promise<boolean> {
  const ofProperty = sql`account_id = ${accountId} and place = ${propertyId}`;
  const { rows } = await db.execute(sql`
    delete from feedback_tally where ${ofProperty} and quarter >= coalesce((
      select quarter from feedback_tally where ${ofProperty} order by quarter desc offset ${SUBTRACTED_AT_ONCE - 1} limit 1), '-infinity')
    returning quarter, ${sql.raw(COUNT_COLUMNS.join(', '))}`);
  if (rows.length === 0) {
    await db.execute(sql`delete from feedback_day where ${ofProperty}`);
    return false;
  }
  await addCounts(
    db,
    sql`select ${accountId}::text as account_id, ${WHOLE_ACCOUNT}::text as place, quarter, ${AMENDMENT_LANE}::smallint as lane,
               ${sql.raw(COUNT_COLUMNS.map((column) => `-sum(${column}) as ${column}`).join(', '))}
          from json_to_recordset(${JSON.stringify(rows)}::json) as deleted (
            quarter timestamptz, ${sql.raw(COUNT_COLUMNS.map((column) => `${column} integer`).join(', '))})
         group by quarter`,
  );
  return true;
}
