import { average, type Tally, total } from '../feedback/feedback.ts';

/** Of the normal distribution: 95 of 100 draws are within so many standard deviations. */
const Z = 1.959964;
const [LEAST, MOST] = [1, 5];

/**
 * Where the mean of all visitors is likely to be, if those who answered were drawn from them by chance: the 95 % interval
 * (1 to 5), or undefined where nobody answered. It is Wilson's score interval of the mean as a share of the way from 1 to 5.
 * No answers between two ends vary more than answers at these ends alone, which that interval is made for: so it errs to
 * the wide side, holds the mean itself, and is never a single point, not even where all gave the same face.
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
