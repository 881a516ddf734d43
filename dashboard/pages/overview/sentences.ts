import { type Grain, total } from '#contract/feedback.ts';
import { FEWEST_BY_HOUR, type HourOfWeek } from '#contract/insight.ts';
import { grouped } from '#contract/sentences.ts';
import { bucketLabel, type TrendBucket } from '../../frame/numbers/trend.ts';

/* What the pictures of time show, in words; what mails say, too, stands in the contract. */

export function trendSentence(bars: readonly TrendBucket[], grain: Grain): string {
  const most = bars.reduce<TrendBucket | undefined>(
    (best, bar) => (!best || total(bar.ratings) > total(best.ratings) ? bar : best),
    undefined,
  );
  if (!most || total(most.ratings) === 0) return 'No ratings in this period.';
  const where =
    grain === 'hour'
      ? `in the hour from ${bucketLabel(most.at, grain)}`
      : grain === 'month'
        ? `in ${bucketLabel(most.at, grain)}`
        : `on ${bucketLabel(most.at, grain, 'long')}`;
  return `Most ratings came ${where}: ${grouped(total(most.ratings))}.`;
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** "11:00". */
export const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

export function hoursSentence(cells: readonly HourOfWeek[]): string {
  const all = cells.reduce((sum, { ratings }) => sum + total(ratings), 0);
  if (all < FEWEST_BY_HOUR) return `The hours of the week are shown from ${FEWEST_BY_HOUR} ratings on.`;
  const most = cells.reduce((best, cell) => (total(cell.ratings) > total(best.ratings) ? cell : best));
  const days = WEEKDAYS.map((_, place) =>
    cells.filter(({ weekday }) => weekday === place + 1).reduce((sum, { ratings }) => sum + total(ratings), 0),
  );
  const day = WEEKDAYS[days.indexOf(Math.max(...days))];
  return `${day} brings the most ratings. The busiest hour is ${WEEKDAYS[most.weekday - 1]} from ${hourLabel(most.hour)}, with ${grouped(total(most.ratings))}.`;
}
