import { total } from '#contract/feedback.ts';
import { RATING_WORDS, RATINGS } from '#contract/rating.ts';
import { clock } from '../../../ui/time.ts';
import type { Bucket } from './trend.ts';

export type Grain = 'hour' | 'day';

const SHORT = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const LONG = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

/** When a bar begins, as its axis or its tooltip says it. */
export function bucketName(at: number, grain: Grain, length: 'short' | 'long' = 'short'): string {
  if (grain === 'hour') return clock(at);
  return (length === 'short' ? SHORT : LONG).format(at);
}

/** "Friday 21 November: 3 ratings, 2 Great, 1 Okay". */
export function bucketInWords(bucket: Bucket | undefined, grain: Grain): string {
  if (!bucket) return '';
  const count = total(bucket.ratings);
  const parts = RATINGS.toReversed().flatMap((rating) =>
    bucket.ratings[rating - 1] ? [`${bucket.ratings[rating - 1]} ${RATING_WORDS[rating]}`] : [],
  );
  return `${bucketName(bucket.at, grain, 'long')}: ${[`${count} ${count === 1 ? 'rating' : 'ratings'}`, ...parts].join(', ')}`;
}
