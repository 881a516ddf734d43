import { useState } from 'react';
import { percentOf } from '#contract/core/sentences.ts';
import { type Tally, total } from '#contract/feedback/feedback.ts';
import { RATING_WORDS, RATINGS, type Rating } from '#contract/feedback/rating.ts';
import { type Period, periodLabel } from '../../../frame/numbers/period.ts';
import { bucketsOf, captionOf, FEWEST_FOR_CHART } from '../../../frame/numbers/trend.ts';
import type { PeriodCounts } from '../../../frame/numbers/useCounts.ts';
import { Face } from '../../../ui/Face.tsx';
import { useIsWide } from '../../../ui/hooks.ts';
import { Later, loadedLater } from '../../../ui/page/Later.tsx';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { isCounted } from '../scope.ts';
import { useFilters, useShownCounts } from '../subjects.ts';
import styles from './Summary.module.css';

const TrendChart = loadedLater(() => import('../../../frame/numbers/TrendChart.tsx'), 'TrendChart');

/** The period in numbers: faces with counts, the average in words, and a chart of the days. */
export function Summary() {
  const { shown, isOld, failed, retry } = useShownCounts();
  const { search, change, period } = useFilters();
  const isWide = useIsWide();
  if (failed && !shown) return <NotCounted onRetry={retry} />;
  return (
    <section className={styles['summary']} aria-label="Summary" aria-busy={(isOld && !failed) || undefined}>
      <div>
        <FaceCounters ratings={shown?.ratings} chosen={search.rating} onChoose={(rating) => change({ rating })} />
        <p className={styles['note']}>{isCounted(search) ? ratingsIn(shown?.ratings) : 'Counts ignore the filters below.'}</p>
      </div>
      <figure className={styles['trend']}>
        <figcaption className={styles['caption']}>
          {failed ? (
            <Outdated shown={shown?.period} period={period} onRetry={retry} />
          ) : shown ? (
            captionOf(shown.ratings, shown.before, shown.period)
          ) : (
            ' '
          )}
        </figcaption>
        <Trend key={String(isWide)} counts={shown} isWide={isWide} />
      </figure>
    </section>
  );
}

function ratingsIn(ratings: Tally | undefined): string {
  if (!ratings) return ' ';
  const count = total(ratings);
  return count === 1 ? '1 rating' : `${count} ratings`;
}

interface OutdatedProps {
  /** The period of the shown numbers. */
  readonly shown: Period | undefined;
  readonly period: Period;
  readonly onRetry: () => void;
}

/** Says which numbers are shown after the requested ones failed to load. */
const Outdated = ({ shown, period, onRetry }: OutdatedProps) => (
  <>
    {shown === undefined || periodLabel(shown) === periodLabel(period)
      ? 'Couldn’t refresh these numbers. '
      : `We couldn’t count “${periodLabel(period)}”. This is still “${periodLabel(shown)}”. `}
    <TextLink onClick={onRetry}>Try again</TextLink>
  </>
);

/** The chart's space is reserved from the start. Phones load it on request. */
function Trend({ counts, isWide }: { counts: PeriodCounts | undefined; isWide: boolean }) {
  const [isShown, setShown] = useState(isWide);
  if (counts && total(counts.ratings) < FEWEST_FOR_CHART)
    return isWide ? <p className={styles['few']}>You’ll see a chart once you have five ratings.</p> : null;
  return (
    <>
      {!isWide && (
        <Button variant="default" size="sm" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide trend' : 'Show trend'}
        </Button>
      )}
      {isShown && (
        <div className={styles['chart']}>
          <Later>{counts && <Chart counts={counts} />}</Later>
        </div>
      )}
    </>
  );
}

function Chart({ counts: { query, trend } }: { counts: PeriodCounts }) {
  const { from, to, zone, grain = 'day' } = query;
  return <TrendChart buckets={bucketsOf(trend, { from, to }, { grain, zone })} grain={grain} />;
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

/** The count of each rating, as buttons that filter by it. */
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
