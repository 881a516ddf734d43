import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type Tally, total } from '#contract/feedback.ts';
import { RATING_WORDS, RATINGS, type Rating } from '#contract/rating.ts';
import type { DateFilter } from '#contract/time.ts';
import { type SummaryRequest, summaryQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { Face } from '../../../ui/Face.tsx';
import { Button } from '../../../ui/mantine.ts';
import styles from './Summary.module.css';
import { bucketsOf, captionOf, FEWEST_FOR_CHART, percentOf } from './trend.ts';

const TrendChart = lazy(() => import('./TrendChart.tsx').then(({ TrendChart: chart }) => ({ default: chart })));

interface SummaryProps {
  readonly queries: readonly [now: SummaryRequest, before: SummaryRequest];
  readonly range: DateFilter;
  readonly rating: Rating | undefined;
  readonly onRate: (rating: Rating | undefined) => void;
  /** The list is narrowed by more than these counts know. */
  readonly isPartial: boolean;
  readonly isWide: boolean;
}

/** The period in numbers: faces with counts, the average in words, and the days as bars. */
export function Summary({ queries: [query, queryBefore], range, rating, onRate, isPartial, isWide }: SummaryProps) {
  const source = useSource();
  const { data, isError, refetch } = useQuery(summaryQuery(source, query));
  const before = useQuery(summaryQuery(source, queryBefore)).data?.ratings;
  if (isError && !data) return <NotCounted onRetry={() => void refetch()} />;
  return (
    <section className={styles['summary']} aria-label="Summary">
      <div>
        <FaceCounters ratings={data?.ratings} chosen={rating} onChoose={onRate} />
        {isPartial && <p className={styles['note']}>Counts are of all feedback in this period.</p>}
      </div>
      <figure className={styles['trend']}>
        <figcaption className={styles['caption']}>{data ? captionOf(data.ratings, before, range) : ' '}</figcaption>
        <Trend key={String(isWide)} query={query} data={data} isWide={isWide} />
      </figure>
    </section>
  );
}

interface TrendProps {
  readonly query: SummaryRequest;
  readonly data: { readonly ratings: Tally; readonly trend: { at: number; ratings: Tally }[] } | undefined;
  readonly isWide: boolean;
}

/** The chart has its own room from the start. Phones load it when it is asked for. */
function Trend({ query: { from, to, zone, grain = 'day' }, data, isWide }: TrendProps) {
  const [isShown, setShown] = useState(isWide);
  if (data && total(data.ratings) < FEWEST_FOR_CHART)
    return isWide ? <p className={styles['few']}>A chart appears from five answers on.</p> : null;
  return (
    <>
      {!isWide && (
        <Button variant="default" size="sm" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide trend' : 'Show trend'}
        </Button>
      )}
      {isShown && (
        <div className={styles['chart']}>
          <Suspense>{data && <TrendChart buckets={bucketsOf(data.trend, { from, to }, { grain, zone })} grain={grain} />}</Suspense>
        </div>
      )}
    </>
  );
}

const NotCounted = ({ onRetry }: { onRetry: () => void }) => (
  <section className={styles['failed']} aria-label="Summary">
    <span>We couldn’t count the ratings.</span>
    <Button size="compact-sm" variant="default" onClick={onRetry}>
      Try again
    </Button>
  </section>
);

interface FaceCountersProps {
  /** The counts of ratings; undefined while they load. */
  readonly ratings: Tally | undefined;
  readonly chosen: Rating | undefined;
  readonly onChoose: (rating: Rating | undefined) => void;
}

/** How many of each rating, and the filter by it in one. */
function FaceCounters({ ratings, chosen, onChoose }: FaceCountersProps) {
  return (
    <fieldset className={styles['faces']}>
      <legend className="visually-hidden">Filter by rating</legend>
      {RATINGS.map((rating) => {
        const count = ratings?.[rating - 1];
        return (
          <button
            key={rating}
            type="button"
            className={styles['face']}
            aria-pressed={chosen === rating}
            aria-keyshortcuts={String(rating)}
            onClick={() => onChoose(chosen === rating ? undefined : rating)}
          >
            <Face rating={rating} />
            <strong>{count ?? '–'}</strong>
            <span>{RATING_WORDS[rating]}</span>
            <small>{ratings && count !== undefined ? `${percentOf(count, ratings)}%` : ' '}</small>
          </button>
        );
      })}
    </fieldset>
  );
}
