import { average, type Tally, total } from '../feedback/feedback.ts';
import { FEWEST_RANKED, type Funnel } from '../insight/insight.ts';
import { likelyMean } from './interval.ts';

/* Sentences about counts, for the overview and the emailed reports. */

export const pluralize = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`;

/** Returns a count such as "12,400". */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Returns a part's share in whole percent; undefined if the whole is zero or smaller than the part. */
export const shareOf = (part: number, whole: number): number | undefined =>
  whole === 0 || part > whole ? undefined : Math.round((part / whole) * 100);

const percent = (part: number, whole: number): string => {
  const share = shareOf(part, whole);
  return share === undefined ? '' : ` (${share}%)`;
};

/** Compares averages as shown, so that "up 0.1" never appears between two that look the same. */
export function comparison(mean: number, earlier: number): string {
  const difference = Number(mean.toFixed(1)) - Number(earlier.toFixed(1));
  if (Math.abs(difference) < 0.05) return 'the same as';
  return `${difference > 0 ? 'up' : 'down'} ${Math.abs(difference).toFixed(1)} from`;
}

/** Returns a count's share of all ratings, in whole percent. */
export const percentOf = (count: number, ratings: Tally): number => (total(ratings) === 0 ? 0 : Math.round((count / total(ratings)) * 100));

/** Returns "On average, up 0.2 from the month before.", to be shown beside the average itself. */
export function averageSentence(ratings: Tally, before: Tally | undefined, than: string): string {
  const [mean, earlier] = [average(ratings), before && average(before)];
  return mean === undefined || earlier === undefined ? 'On average.' : `On average, ${comparison(mean, earlier)} ${than}.`;
}

/** Returns "128 ratings, 27 more than the month before." */
export function countSentence(ratings: Tally, before: Tally | undefined, than: string): string {
  const count = total(ratings);
  const more = before && count - total(before);
  if (more === undefined) return `${pluralize(count, 'rating')}.`;
  const compared = more === 0 ? 'as many as' : `${formatCount(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than`;
  return `${pluralize(count, 'rating')}, ${compared} ${than}.`;
}

export function funnelSentence({ views, ratings, reviews }: Funnel): string {
  const ratingsPart =
    views === 0 ? `${pluralize(ratings, 'rating')} came in.` : `${pluralize(ratings, 'rating')} came from that${percent(ratings, views)}.`;
  const viewsPart = views === 0 ? 'No one opened a form.' : `The form was opened ${views === 1 ? 'once' : `${formatCount(views)} times`}.`;
  if (ratings === 0) return `${viewsPart} No one rated.`;
  const reviewsPart =
    reviews === 0 ? 'None opened a review link.' : `${formatCount(reviews)} opened a review link${percent(reviews, ratings)}.`;
  return `${viewsPart} ${ratingsPart} ${reviewsPart}`;
}

/** Returns a change with its sign: "+0.6", "−0.5" or "±0.0". */
export function signed(change: number): string {
  const rounded = Number(change.toFixed(1));
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : '±'}${Math.abs(rounded).toFixed(1)}`;
}

/** Returns a sentence about emailed feedback requests. */
export const requestsSentence = ({ sent, answered }: { readonly sent: number; readonly answered: number }): string =>
  `${pluralize(sent, 'customer was', 'customers were')} asked by email. ${answered === 0 ? 'None answered' : `${formatCount(answered)} answered`}${answered === 0 ? '' : percent(answered, sent)}.`;

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
  const byName = (a: RatedPlace, b: RatedPlace) => (a.name < b.name ? -1 : 1);
  return {
    ranked: places.filter(isEnough).sort((a, b) => mean(b) - mean(a) || byName(a, b)),
    unranked: places.filter((place) => !isEnough(place)).sort((a, b) => total(b.ratings) - total(a.ratings) || byName(a, b)),
  };
}

/** The compared things, at the start of a sentence. */
type Compared = 'Properties' | 'Placements' | 'Staff members';

/** Returns the best and the worst place, and whether chance may explain it: places differ if the intervals of their averages don't overlap. */
export function placesSentence({ ranked: list }: RankedPlaces, compared: Compared = 'Properties'): string {
  const [first, last] = [list[0], list.at(-1)];
  if (!first || !last) return `${compared} need ${FEWEST_RANKED} ratings to be compared. None has that many in this period.`;
  if (first === last) return `${compared} need ${FEWEST_RANKED} ratings to be compared. Only ${first.name} has that many in this period.`;
  const [high, low] = [likelyMean(first.ratings), likelyMean(last.ratings)];
  if (high !== undefined && low !== undefined && high.from > low.to)
    return `${first.name} has the highest average, ${shownAverage(first)}, and ${last.name} the lowest, ${shownAverage(last)}. That is more than chance.`;
  const spread =
    shownAverage(first) === shownAverage(last)
      ? `All averages are about ${shownAverage(first)}.`
      : `The averages lie between ${shownAverage(last)} and ${shownAverage(first)}.`;
  return `${spread} With this few ratings, the order may be chance.`;
}

const shownAverage = ({ ratings }: RatedPlace): string => (average(ratings) ?? 0).toFixed(1);

interface WordsRead {
  readonly read: number;
  readonly hasMore: boolean;
}

/** Returns "From all 84 pieces of feedback with words in this period." */
export const readSentence = ({ read, hasMore }: WordsRead): string =>
  read === 0
    ? 'No one wrote anything in this period.'
    : `From ${hasMore ? `the latest ${formatCount(read)} pieces` : read === 1 ? 'the one piece' : `all ${formatCount(read)} pieces`} of feedback with words in this period.`;
