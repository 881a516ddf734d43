import { average, type Tally, total } from '#contract/feedback.ts';
import { RATING_WORDS, RATINGS } from '#contract/rating.ts';
import { addDays, calendarDay, type DateFilter, type Range, startOfDay } from '#contract/time.ts';
import { clock } from '../../../ui/time.ts';

/** One bar: an hour or a day, from when it begins (UTC ms). */
export interface TrendBucket {
  readonly at: number;
  readonly ratings: Tally;
}

/** Fewer answers than this make no picture: their numbers say more. */
export const FEWEST_FOR_CHART = 5;
const HOUR = 3_600_000;
const NONE: Tally = [0, 0, 0, 0, 0];

/** Every hour or day of a stretch of time in its order, also those without an answer. */
export function bucketsOf(
  trend: readonly TrendBucket[],
  { from, to }: Range,
  { grain, zone }: { grain: 'hour' | 'day'; zone: string },
): TrendBucket[] {
  const known = new Map(trend.map((bucket) => [bucket.at, bucket.ratings]));
  const buckets: TrendBucket[] = [];
  for (let at = from; at < to; at = grain === 'hour' ? at + HOUR : startOfDay(addDays(calendarDay(at, zone), 1), zone)) {
    buckets.push({ at, ratings: known.get(at) ?? NONE });
  }
  return buckets;
}

const BEFORE: Record<DateFilter, string> = { today: 'yesterday', week: 'the week before', month: 'the month before' };

/** The chart in words: "4.3 average, up 0.2 on the month before". */
export function captionOf(ratings: Tally, before: Tally | undefined, range: DateFilter): string {
  const mean = average(ratings);
  if (mean === undefined) return 'No ratings in this period';
  const earlier = before && average(before);
  return `${mean.toFixed(1)} average${earlier === undefined ? '' : `, ${comparison(mean, earlier)} ${BEFORE[range]}`}`;
}

/** Compares the rounded numbers, so that "4.3, up 0.1" never follows a shown 4.3. */
function comparison(mean: number, earlier: number): string {
  const difference = Number(mean.toFixed(1)) - Number(earlier.toFixed(1));
  if (Math.abs(difference) < 0.05) return 'the same as';
  return `${difference > 0 ? 'up' : 'down'} ${Math.abs(difference).toFixed(1)} on`;
}

/** A count's share of all ratings, in whole percent. */
export const percentOf = (count: number, ratings: Tally): number => (total(ratings) === 0 ? 0 : Math.round((count / total(ratings)) * 100));

export type Grain = 'hour' | 'day';

const SHORT = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const LONG = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

/** When a bar begins, as its axis or its tooltip labels it. */
export function bucketLabel(at: number, grain: Grain, length: 'short' | 'long' = 'short'): string {
  if (grain === 'hour') return clock(at);
  return (length === 'short' ? SHORT : LONG).format(at);
}

/** "Friday 21 November: 3 ratings, 2 Great, 1 Okay". */
export function describeBucket(bucket: TrendBucket | undefined, grain: Grain): string {
  if (!bucket) return '';
  const count = total(bucket.ratings);
  const parts = RATINGS.toReversed().flatMap((rating) =>
    bucket.ratings[rating - 1] ? [`${bucket.ratings[rating - 1]} ${RATING_WORDS[rating]}`] : [],
  );
  return `${bucketLabel(bucket.at, grain, 'long')}: ${[`${count} ${count === 1 ? 'rating' : 'ratings'}`, ...parts].join(', ')}`;
}
