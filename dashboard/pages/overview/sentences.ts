import { rankPlaces } from '#contract/core/sentences.ts';
import type { Grain } from '#contract/feedback/feedback.ts';
import { average, NO_RATINGS, type Tally, total } from '#contract/feedback/tally.ts';
import { FEWEST_BY_HOUR, type HourOfWeek } from '#contract/insight/insight.ts';
import { bucketLabel, type TrendBucket } from '../../frame/numbers/trend.ts';
import { t } from '../../language.ts';
import { allOf } from '../../ui/format/list.ts';
import { decimal } from '../../ui/format/number.ts';
import { weekdays } from '../../ui/format/time.ts';

/* The overview's charts in words. Sentences shared with emails are in the contract. */

export function trendSentence(bars: readonly TrendBucket[], grain: Grain): string {
  const { most, tied } = fullest(bars, ({ ratings }) => total(ratings));
  if (most === 0) return t('No ratings in this period.');
  if (tied.length > MOST_NAMED) return tiedSentence(tied.length, most, grain);
  const labelOf = (at: number): string =>
    grain === 'hour' ? t('the hour from {time}', { time: bucketLabel(at, grain) }) : bucketLabel(at, grain, 'long');
  const times = allOf(tied.map(({ at }) => labelOf(at)));
  return tied.length > 1
    ? t.count(most, 'Busiest: {times}, with {count} rating each.', 'Busiest: {times}, with {count} ratings each.', { times })
    : t.count(most, 'Busiest: {times}, with {count} rating.', 'Busiest: {times}, with {count} ratings.', { times });
}

/** Returns "Busiest: 4 days, with 9 ratings each." */
function tiedSentence(tied: number, most: number, grain: Grain): string {
  const ratings = t.count(most, '{count} rating', '{count} ratings');
  if (grain === 'hour') return t('Busiest: {tied} hours, with {ratings} each.', { tied, ratings });
  return grain === 'day'
    ? t('Busiest: {tied} days, with {ratings} each.', { tied, ratings })
    : t('Busiest: {tied} months, with {ratings} each.', { tied, ratings });
}

/** Returns the highest count, and every item that has it. */
function fullest<Item>(items: readonly Item[], countOf: (item: Item) => number): { most: number; tied: Item[] } {
  const most = Math.max(0, ...items.map(countOf));
  return { most, tied: items.filter((item) => countOf(item) === most) };
}

/** Up to this many tied items are named; more are counted. */
const MOST_NAMED = 3;

/** "11:00". */
export const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

export function hoursSentence(cells: readonly HourOfWeek[]): string {
  const all = cells.reduce((sum, { ratings }) => sum + total(ratings), 0);
  if (all < FEWEST_BY_HOUR) return t('Appears after {fewest} ratings.', { fewest: FEWEST_BY_HOUR });
  const ratingsOn = (day: number): number =>
    cells.filter(({ weekday }) => weekday === day).reduce((sum, { ratings }) => sum + total(ratings), 0);
  const names = weekdays();
  const days = fullest([1, 2, 3, 4, 5, 6, 7], ratingsOn).tied.map((day) => names[day - 1] ?? '');
  const { most, tied } = fullest(cells, ({ ratings }) => total(ratings));
  const hours = tied.map(({ weekday, hour }) => t('{day} from {time}', { day: names[weekday - 1] ?? '', time: hourLabel(hour) }));
  const busiest =
    hours.length > MOST_NAMED
      ? t('{tied} hours are equally busy, with {most} each.', { tied: hours.length, most })
      : hours.length > 1
        ? t('The busiest hours are {hours}, with {most} each.', { hours: allOf(hours), most })
        : t('The busiest hour is {hour}, with {most}.', { hour: hours[0] ?? '', most });
  const brings =
    days.length === 1
      ? t('{day} brings the most ratings.', { day: days[0] ?? '' })
      : t('{days} bring the most ratings.', { days: allOf(days) });
  return `${brings} ${busiest}${weekdaySpread(cells)}`;
}

/** Returns the weekdays with the highest and lowest average, among those with enough ratings; empty if the averages look the same. */
function weekdaySpread(cells: readonly HourOfWeek[]): string {
  const days = weekdays().map((name, index) => ({ id: name, name, ratings: sumOf(cells.filter(({ weekday }) => weekday === index + 1)) }));
  const { ranked } = rankPlaces(days);
  const [first, last] = [ranked[0], ranked.at(-1)];
  if (!first || !last) return '';
  const [highest, lowest] = [first, last].map(({ ratings }) => decimal(average(ratings) ?? 0));
  if (highest === undefined || lowest === undefined || highest === lowest) return '';
  return ` ${t('{best} has the highest average, {highest}, and {worst} the lowest, {lowest}.', { best: first.name, highest, worst: last.name, lowest })}`;
}

/** Returns the ratings of several hours together. */
export const sumOf = (cells: readonly HourOfWeek[]): Tally =>
  cells.reduce<Tally>(
    ([a, b, c, d, e], { ratings }) => [a + ratings[0], b + ratings[1], c + ratings[2], d + ratings[3], e + ratings[4]],
    NO_RATINGS,
  );
