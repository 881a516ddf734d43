import { eq } from 'drizzle-orm';
import type { Tally } from '#contract/feedback.ts';
import { feedbackIdFloor } from '#contract/ids.ts';
import type { HourOfWeek } from '#contract/insight.ts';
import { type Range, wholeDays } from '#contract/time.ts';
import { LONGEST_READ, MOST_READ, type Said } from '#contract/words.ts';
import type { AccountScope } from '../kernel/access.ts';
import { deleteSome } from '../kernel/portion.ts';
import { DELETED_IDS } from '../property/store.ts';
import { RATINGS_SUMMED } from './store.ts';
import { feedbackDays, feedbackTally, IS_SAID, WHOLE_ACCOUNT } from './tables.ts';

/* What an overview is made of: counts that are kept, and the latest words. Nothing here reads all feedback. */

/** A `place` of the counts: the whole account. */
export { WHOLE_ACCOUNT };

/** The counts of a property, of a placement, or of the whole account. */
interface PlaceCounts {
  readonly place: string;
  readonly ratings: Tally;
  /** How many went on to a review service. */
  readonly reviews: number;
}

/** The counts of those of the places that have ratings, to the quarter of an hour: whole days are read by day. */
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

const KEPT = 'select place, one, two, three, four, five, reviews from';
export const COUNTS_OF_PLACES = `
  select place, ${RATINGS_SUMMED} as ratings, sum(reviews)::integer as reviews from (
    ${KEPT} feedback_day where account_id = $1 and place = any($2::text[]) and day >= $3 and day < $4
    union all
    ${KEPT} feedback_tally where account_id = $1 and place = any($2::text[]) and quarter >= $5 and quarter < $6
    union all
    ${KEPT} feedback_tally where account_id = $1 and place = any($2::text[]) and quarter >= $7 and quarter < $8
  ) as kept
   group by place having sum(one + two + three + four + five) > 0
   order by place`;

/** Deletes some of the account's counts for good; gives back how many. For an account that is purged. */
export const forget = async ({ accountId, db }: AccountScope): Promise<number> =>
  (await deleteSome(db, feedbackTally, eq(feedbackTally.accountId, accountId))) +
  (await deleteSome(db, feedbackDays, eq(feedbackDays.accountId, accountId)));

/** A `place` of the counts, and the zone that its clocks go by. */
export interface ClockedPlace {
  readonly place: string;
  readonly zone: string;
}

/** The ratings of these places by hour of the week, each by its own clock; of hours that have some. Name each rating's place once. */
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

const COUNTS_BY_HOUR = `
  select extract(isodow from clock)::integer as weekday, extract(hour from clock)::integer as hour, ${RATINGS_SUMMED} as ratings
    from json_to_recordset($2::json) as clocked (place text, zone text)
    join feedback_tally as tally on tally.account_id = $1 and tally.place = clocked.place and quarter >= $3 and quarter < $4,
         lateral (select quarter at time zone zone as clock) as local
   group by 1, 2 having sum(one + two + three + four + five) > 0
   order by 1, 2`;

/** The latest that visitors wrote, newest first: one more than are to be read, if there are that many. */
export async function said(
  { accountId, db }: AccountScope,
  { propertyId, from, to }: Range & { readonly propertyId?: string | undefined },
): Promise<Said[]> {
  const { rows } = await db.$client.query<Said>({
    name: propertyId === undefined ? 'words' : 'words of a property',
    text: latestWords(propertyId === undefined ? `property_id <> all (array(${DELETED_IDS}))` : 'property_id = $4'),
    values: [accountId, feedbackIdFloor(from), feedbackIdFloor(to), ...(propertyId === undefined ? [] : [propertyId])],
  });
  return rows;
}

export const latestWords = (whose: string): string => `
  select left(text, ${LONGEST_READ}) as text, rating from feedback
   where account_id = $1 and ${IS_SAID} and id >= $2 and id < $3 and ${whose}
   order by id desc limit ${MOST_READ + 1}`;
