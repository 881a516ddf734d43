import { average, type Tally, total } from '../feedback/tally.ts';
import type { Funnel } from '../insight/insight.ts';
import { formatDecimal, formatPercent } from '../language/formats.ts';
import { type Translate, translatable } from '../language/translate.ts';
import { FEWEST_RANKED, likelyMean } from './interval.ts';
import { compareNames } from './names.ts';

/* Sentences about counts, for the overview and the emailed reports, in the language of `t`. */

/** Returns a count with its noun, in English, for the command line. */
export const pluralize = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`;

/** Returns a count such as "12,400". */
const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Returns a part's share in whole percent; undefined if the whole is zero or smaller than the part. */
export const shareOf = (part: number, whole: number): number | undefined =>
  whole === 0 || part > whole ? undefined : Math.round((part / whole) * 100);

/** What a period is compared with, such as "27 more than the month before". Other languages have a preposition in it: "im Vormonat". */
export const PREVIOUS = translatable({ day: 'the day before', week: 'the week before', month: 'the month before' });

/** Compares averages as shown, so that "up 0.1" never appears between two that look the same. */
export function comparison(t: Translate, means: { readonly now: number; readonly before: number }, than: string): string {
  const difference = Number(means.now.toFixed(1)) - Number(means.before.toFixed(1));
  if (Math.abs(difference) < 0.05) return t('the same as {than}', { than });
  const change = formatDecimal(t, Math.abs(difference));
  return difference > 0 ? t('up {change} from {than}', { change, than }) : t('down {change} from {than}', { change, than });
}

/** Returns a count's share of all ratings, in whole percent. */
export const percentOf = (count: number, ratings: Tally): number => (total(ratings) === 0 ? 0 : Math.round((count / total(ratings)) * 100));

/** Two periods with their ratings; `than` names the earlier one, translated. */
interface Compared {
  readonly ratings: Tally;
  readonly before: Tally | undefined;
  readonly than: string;
}

/** Returns "On average, up 0.2 from the month before.", to be shown beside the average itself. */
export function averageSentence(t: Translate, { ratings, before, than }: Compared): string {
  const [mean, earlier] = [average(ratings), before && average(before)];
  return mean === undefined || earlier === undefined
    ? t('On average.')
    : t('On average, {compared}.', { compared: comparison(t, { now: mean, before: earlier }, than) });
}

/** Returns "128 ratings, 27 more than the month before." */
export function countSentence(t: Translate, { ratings, before, than }: Compared): string {
  const count = total(ratings);
  const more = before && count - total(before);
  if (more === undefined) return t.count(count, '{count} rating.', '{count} ratings.');
  const compared =
    more === 0
      ? t('as many as {than}', { than })
      : more > 0
        ? t('{count} more than {than}', { count: more, than })
        : t('{count} fewer than {than}', { count: -more, than });
  return t.count(count, '{count} rating, {compared}.', '{count} ratings, {compared}.', { compared });
}

export function funnelSentence(t: Translate, { views, ratings, reviews }: Funnel): string {
  const viewsPart =
    views === 0 ? t('No one opened a form.') : t.count(views, 'The form was opened once.', 'The form was opened {count} times.');
  if (ratings === 0) return `${viewsPart} ${t('No one rated.')}`;
  return `${viewsPart} ${ratedPart(t, ratings, views)} ${reviewsPart(t, reviews, ratings)}`;
}

function ratedPart(t: Translate, ratings: number, views: number): string {
  if (views === 0) return t.count(ratings, '{count} rating came in.', '{count} ratings came in.');
  const share = shareOf(ratings, views);
  return share === undefined
    ? t.count(ratings, '{count} rating came from that.', '{count} ratings came from that.')
    : t.count(ratings, '{count} rating came from that ({share}).', '{count} ratings came from that ({share}).', {
        share: formatPercent(t, share),
      });
}

function reviewsPart(t: Translate, reviews: number, ratings: number): string {
  if (reviews === 0) return t('None opened a review link.');
  const share = shareOf(reviews, ratings);
  return share === undefined
    ? t.count(reviews, '{count} opened a review link.', '{count} opened a review link.')
    : t.count(reviews, '{count} opened a review link ({share}).', '{count} opened a review link ({share}).', {
        share: formatPercent(t, share),
      });
}

/** Returns a change with its sign: "+0.6", "−0.5" or "±0.0". */
export function signed(t: Translate, change: number): string {
  const rounded = Number(change.toFixed(1));
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : '±'}${formatDecimal(t, Math.abs(rounded))}`;
}

/** Returns a sentence about emailed feedback requests. */
export function requestsSentence(t: Translate, { sent, answered }: { readonly sent: number; readonly answered: number }): string {
  const sentPart = t.count(sent, '{count} customer was asked by email.', '{count} customers were asked by email.');
  return `${sentPart} ${answeredPart(t, answered, sent)}`;
}

function answeredPart(t: Translate, answered: number, sent: number): string {
  if (answered === 0) return t('None answered.');
  const share = shareOf(answered, sent);
  return share === undefined
    ? t.count(answered, '{count} answered.', '{count} answered.')
    : t.count(answered, '{count} answered ({share}).', '{count} answered ({share}).', { share: formatPercent(t, share) });
}

/** A property or a placement with its ratings. */
export interface RatedPlace {
  readonly id: string;
  readonly name: string;
  readonly ratings: Tally;
}

interface RankedPlaces {
  /** The highest average first. */
  readonly ranked: readonly RatedPlace[];
  /** Those with too few ratings, the most ratings first. */
  readonly unranked: readonly RatedPlace[];
}

export function rankPlaces(places: readonly RatedPlace[]): RankedPlaces {
  const isEnough = ({ ratings }: RatedPlace) => total(ratings) >= FEWEST_RANKED;
  const mean = ({ ratings }: RatedPlace) => average(ratings) ?? 0;
  return {
    ranked: places.filter(isEnough).sort((a, b) => mean(b) - mean(a) || compareNames(a.name, b.name)),
    unranked: places
      .filter((place) => !isEnough(place))
      .sort((a, b) => total(b.ratings) - total(a.ratings) || compareNames(a.name, b.name)),
  };
}

/** The compared things, and the sentence about those with too few ratings. */
const NEEDED = translatable({
  properties: 'Properties need {fewest} ratings to be compared.',
  placements: 'Placements need {fewest} ratings to be compared.',
  staff: 'Staff members need {fewest} ratings to be compared.',
});
export type ComparedKind = keyof typeof NEEDED;

/** Returns the best and the worst place, and whether chance may explain it: places differ if the intervals of their averages don't overlap. */
export function placesSentence(t: Translate, { ranked: list }: RankedPlaces, kind: ComparedKind = 'properties'): string {
  const [first, last] = [list[0], list.at(-1)];
  const needed = t(NEEDED[kind], { fewest: FEWEST_RANKED });
  if (!first || !last) return `${needed} ${t('None has that many in this period.')}`;
  if (first === last) return `${needed} ${t('Only {name} has that many in this period.', { name: first.name })}`;
  const [high, low] = [likelyMean(first.ratings), likelyMean(last.ratings)];
  const averages = { highest: formatDecimal(t, average(first.ratings) ?? 0), lowest: formatDecimal(t, average(last.ratings) ?? 0) };
  if (high !== undefined && low !== undefined && high.from > low.to)
    return t('{best} has the highest average, {highest}, and {worst} the lowest, {lowest}. That is more than chance.', {
      ...{ best: first.name, worst: last.name },
      ...averages,
    });
  const spread =
    averages.highest === averages.lowest
      ? t('All averages are about {average}.', { average: averages.highest })
      : t('The averages lie between {lowest} and {highest}.', averages);
  return `${spread} ${t('With this few ratings, the order may be chance.')}`;
}

interface WordsRead {
  readonly read: number;
  readonly hasMore: boolean;
}

/** Returns "From all 84 pieces of feedback with words in this period." */
export function readSentence(t: Translate, { read, hasMore }: WordsRead): string {
  if (read === 0) return t('No one wrote anything in this period.');
  return hasMore
    ? t('From the latest {count} pieces of feedback with words in this period.', { count: read })
    : t.count(
        read,
        'From the one piece of feedback with words in this period.',
        'From all {count} pieces of feedback with words in this period.',
      );
}
