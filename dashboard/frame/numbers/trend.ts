import { comparison } from '#contract/core/sentences.ts';
import { addDays, calendarDay, type Range, startOfDay } from '#contract/core/time.ts';
import type { Grain } from '#contract/feedback/feedback.ts';
import { RATINGS } from '#contract/feedback/rating.ts';
import { average, NO_RATINGS, type Tally, total } from '#contract/feedback/tally.ts';
import { t } from '../../language.ts';
import { decimal } from '../../ui/format/number.ts';
import { ratingWord } from '../../ui/format/rating.ts';
import { clock, dayOfYear, monthOf, weekday } from '../../ui/format/time.ts';
import { beforeLabel, type Period } from './period.ts';

/** One bar: an hour, a day or a month, with its start (UTC ms). */
export interface TrendBucket {
  readonly at: number;
  readonly ratings: Tally;
}

/** With fewer answers than this, a chart isn't shown. @limit ranked */
export const FEWEST_FOR_CHART = 5;
const HOUR = 3_600_000;
/** Returns every hour, day or month of a range in order, including those without answers. */
export function bucketsOf(
  trend: readonly TrendBucket[],
  { from, to }: Range,
  { grain, zone }: { grain: Grain; zone: string },
): TrendBucket[] {
  const ratingsByStart = new Map(trend.map((bucket) => [bucket.at, bucket.ratings]));
  const buckets: TrendBucket[] = [];
  const first = grain === 'month' ? startOfDay({ ...calendarDay(from, zone), day: 1 }, zone) : from;
  for (let at = first; at < to; at = NEXT[grain](at, zone)) {
    buckets.push({ at, ratings: ratingsByStart.get(at) ?? NO_RATINGS });
  }
  return buckets;
}

const NEXT: Record<Grain, (at: number, zone: string) => number> = {
  hour: (at) => at + HOUR,
  day: (at, zone) => startOfDay(addDays(calendarDay(at, zone), 1), zone),
  month(at, zone) {
    const { year, month } = calendarDay(at, zone);
    return startOfDay({ year, month: month + 1, day: 1 }, zone);
  },
};

/** Returns the chart's caption, such as "4.3 on average, up 0.2 from the month before". */
export function captionOf(ratings: Tally, before: Tally | undefined, period: Period): string {
  const mean = average(ratings);
  if (mean === undefined) return t('No ratings in this period');
  const earlier = before && average(before);
  const shown = decimal(mean);
  return earlier === undefined
    ? t('{average} on average', { average: shown })
    : t('{average} on average, {compared}', {
        average: shown,
        compared: comparison(t, { now: mean, before: earlier }, beforeLabel(period)),
      });
}

/** Returns a bar's label for the axis or the tooltip. */
export function bucketLabel(at: number, grain: Grain, length: 'short' | 'long' = 'short'): string {
  if (grain === 'hour') return clock(at);
  if (grain === 'month') return monthOf(at);
  return length === 'short' ? dayOfYear(at) : weekday(at);
}

/** Returns a bar in words, such as "Friday 21 November: 3 ratings, 2 Great, 1 Okay". */
export function describeBucket(bucket: TrendBucket | undefined, grain: Grain, before?: number): string {
  if (!bucket) return '';
  const count = total(bucket.ratings);
  const parts = RATINGS.toReversed().flatMap((rating) =>
    bucket.ratings[rating - 1] ? [t('{count} {rating}', { count: bucket.ratings[rating - 1] ?? 0, rating: ratingWord(rating) })] : [],
  );
  const text = `${bucketLabel(bucket.at, grain, 'long')}: ${[t.count(count, '{count} rating', '{count} ratings'), ...parts].join(', ')}`;
  return before === undefined ? text : t('{bar}; {count} in the previous period', { bar: text, count: before });
}
