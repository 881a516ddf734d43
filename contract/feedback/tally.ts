import * as v from 'valibot';

export const tally = v.tuple([v.number(), v.number(), v.number(), v.number(), v.number()]);
/** How many of each rating, from 1 to 5. */
export type Tally = v.InferOutput<typeof tally>;

export const NO_RATINGS: Tally = [0, 0, 0, 0, 0];

export const total = (ratings: Tally): number => ratings.reduce((sum, count) => sum + count, 0);

/** Returns the mean of the ratings; undefined if there are none. */
export function average(ratings: Tally): number | undefined {
  const count = total(ratings);
  return count === 0 ? undefined : ratings.reduce((sum, ratingCount, index) => sum + ratingCount * (index + 1), 0) / count;
}
