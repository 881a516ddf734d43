import { formatCount, pluralize, rankPlaces } from '#contract/core/sentences.ts';
import { average, type Grain, type Tally, total } from '#contract/feedback/feedback.ts';
import { FEWEST_BY_HOUR, type HourOfWeek } from '#contract/insight/insight.ts';
import { bucketLabel, type TrendBucket } from '../../frame/numbers/trend.ts';
import { t } from '../../language.ts';

/* The overview's charts in words. Sentences shared with emails are in the contract. */

export function trendSentence(bars: readonly TrendBucket[], grain: Grain): string {
  const { most, tied } = fullest(bars, ({ ratings }) => total(ratings));
  if (most === 0) return t('No ratings in this period.');
  const labelOf = (at: number): string => (grain === 'hour' ? `the hour from ${bucketLabel(at, grain)}` : bucketLabel(at, grain, 'long'));
  const times = tied.length > MOST_NAMED ? `${tied.length} ${grain}s` : CONJUNCTION.format(tied.map(({ at }) => labelOf(at)));
  return `Busiest: ${times}, with ${pluralize(most, 'rating')}${tied.length > 1 ? ' each' : ''}.`;
}

/** Returns the highest count, and every item that has it. */
function fullest<Item>(items: readonly Item[], countOf: (item: Item) => number): { most: number; tied: Item[] } {
  const most = Math.max(0, ...items.map(countOf));
  return { most, tied: items.filter((item) => countOf(item) === most) };
}

/** Up to this many tied items are named; more are counted. */
const MOST_NAMED = 3;

const CONJUNCTION = new Intl.ListFormat('en', { type: 'conjunction' });

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** "11:00". */
export const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

export function hoursSentence(cells: readonly HourOfWeek[]): string {
  const all = cells.reduce((sum, { ratings }) => sum + total(ratings), 0);
  if (all < FEWEST_BY_HOUR) return `Appears after ${FEWEST_BY_HOUR} ratings.`;
  const ratingsOn = (day: number): number =>
    cells.filter(({ weekday }) => weekday === day).reduce((sum, { ratings }) => sum + total(ratings), 0);
  const days = fullest([1, 2, 3, 4, 5, 6, 7], ratingsOn).tied.map((day) => WEEKDAYS[day - 1] ?? '');
  const { most, tied } = fullest(cells, ({ ratings }) => total(ratings));
  const hours = tied.map(({ weekday, hour }) => `${WEEKDAYS[weekday - 1]} from ${hourLabel(hour)}`);
  const busiest =
    hours.length > MOST_NAMED
      ? `${hours.length} hours are equally busy, with ${formatCount(most)} each.`
      : hours.length > 1
        ? `The busiest hours are ${CONJUNCTION.format(hours)}, with ${formatCount(most)} each.`
        : `The busiest hour is ${hours[0]}, with ${formatCount(most)}.`;
  return `${CONJUNCTION.format(days)} ${days.length === 1 ? 'brings' : 'bring'} the most ratings. ${busiest}${weekdaySpread(cells)}`;
}

/** Returns the weekdays with the highest and lowest average, among those with enough ratings; empty if the averages look the same. */
function weekdaySpread(cells: readonly HourOfWeek[]): string {
  const days = WEEKDAYS.map((name, index) => ({ id: name, name, ratings: sumOf(cells.filter(({ weekday }) => weekday === index + 1)) }));
  const { ranked } = rankPlaces(days);
  const [high, low] = [ranked[0], ranked.at(-1)].map((each) => each && average(each.ratings)?.toFixed(1));
  if (high === low) return '';
  return ` ${ranked[0]?.name} has the highest average, ${high}, and ${ranked.at(-1)?.name} the lowest, ${low}.`;
}

/** Returns the ratings of several hours together. */
export const sumOf = (cells: readonly HourOfWeek[]): Tally =>
  cells.reduce<Tally>(
    ([a, b, c, d, e], { ratings }) => [a + ratings[0], b + ratings[1], c + ratings[2], d + ratings[3], e + ratings[4]],
    [0, 0, 0, 0, 0],
  );
