import { average, type Tally, total } from '../feedback/tally.ts';

/** 95 % of a normal distribution lies within this many standard deviations. */
const Z = 1.959964;
const [LEAST, MOST] = [1, 5];

/** A place with fewer ratings has no rank, because chance would decide it. @limit ranked */
export const FEWEST_RANKED = 20;

/**
 * Returns the 95 % interval (1 to 5) of the mean of all visitors, if those who answered are a random sample of them; undefined
 * without answers. It is Wilson's score interval of the mean as a share of the way from 1 to 5. Answers vary most when all are at the
 * two ends, which that interval assumes: so it errs on the wide side, contains the mean, and is never a single point, even if all
 * answers are the same.
 */
export function likelyMean(ratings: Tally): { readonly from: number; readonly to: number } | undefined {
  const mean = average(ratings);
  if (mean === undefined) return undefined;
  const count = total(ratings);
  const share = (mean - LEAST) / (MOST - LEAST);
  const scale = 1 + Z ** 2 / count;
  const middle = (share + Z ** 2 / (2 * count)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2));
  const onScale = (part: number) => LEAST + (MOST - LEAST) * Math.min(1, Math.max(0, part));
  return { from: onScale(middle - half), to: onScale(middle + half) };
}
