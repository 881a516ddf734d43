import { RATING_WORDS, RATINGS } from '#contract/rating.ts';
import type { Bucket } from './trend.ts';
import { bucketName, type Grain } from './trend-words.ts';

/** The chart for whoever does not see it. */
export function TrendTable({ buckets, grain }: { buckets: readonly Bucket[]; grain: Grain }) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>Ratings by {grain}</caption>
        <thead>
          <tr>
            <th scope="col">{grain === 'hour' ? 'Hour' : 'Day'}</th>
            {RATINGS.map((rating) => (
              <th key={rating} scope="col">
                {RATING_WORDS[rating]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ at, ratings }) => (
            <tr key={at}>
              <th scope="row">{bucketName(at, grain, 'long')}</th>
              {RATINGS.map((rating) => (
                <td key={rating}>{ratings[rating - 1]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
