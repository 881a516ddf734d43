import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { percentOf } from '#contract/core/sentences.ts';
import { RATINGS, type Rating } from '#contract/feedback/rating.ts';
import { type Tally, total } from '#contract/feedback/tally.ts';
import { type Period, periodLabel } from '../../../frame/numbers/period.ts';
import { Sparkline } from '../../../frame/numbers/Sparkline.tsx';
import { bucketsOf, captionOf, FEWEST_FOR_CHART } from '../../../frame/numbers/trend.ts';
import type { PeriodCounts } from '../../../frame/numbers/useCounts.ts';
import { t } from '../../../language.ts';
import { Face } from '../../../ui/Face.tsx';
import { formatCount, percent } from '../../../ui/format/number.ts';
import { ratingWord } from '../../../ui/format/rating.ts';
import { useIsWide } from '../../../ui/hooks.ts';
import { Later, loadedLater } from '../../../ui/page/Later.tsx';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { useFeedCounts, useFilters } from '../contexts.ts';
import { isCounted } from '../scope.ts';
import styles from './Summary.module.css';

const TrendChart = loadedLater(() => import('../../../frame/numbers/TrendChart.tsx'), 'TrendChart');

/** The period in numbers: a strip with a count for each rating and the average, which opens a chart of the days. */
export function Summary() {
  const { shown, isOld, failed, retry } = useFeedCounts();
  const { search, change, period } = useFilters();
  const isWide = useIsWide();
  const [isOpen, setOpen] = useState(false);
  if (failed && !shown) return <NotCounted onRetry={retry} />;
  const sentence = failed ? <Outdated shown={shown?.period} period={period} onRetry={retry} /> : sentenceOf(shown, !isCounted(search));
  return (
    <section className={styles['summary']} aria-label={t('Summary')} aria-busy={(isOld && !failed) || undefined}>
      <div className={styles['strip']}>
        <FaceCounters
          ratings={shown && total(shown.ratings) > 0 ? shown.ratings : undefined}
          chosen={search.rating}
          onChoose={(rating) => change({ rating })}
        />
        {isWide && <p className={styles['sentence']}>{sentence}</p>}
        {isWide && <span className={styles['bars']}>{shown && !isOpen && <Sparkline counts={barsOf(shown)} />}</span>}
        <Button
          variant="subtle"
          className={styles['toggle'] ?? ''}
          aria-label={isOpen ? t('Hide trend') : t('Show trend')}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <IconChevronUp size={18} aria-hidden /> : <IconChevronDown size={18} aria-hidden />}
        </Button>
      </div>
      {!isWide && (isOpen || failed) && <p className={styles['sentence']}>{sentence}</p>}
      {isOpen && <Trend counts={shown} />}
    </section>
  );
}

/** Returns "146 ratings. 4.0 on average, up 0.2 from the month before." */
function sentenceOf(shown: PeriodCounts | undefined, isPartial: boolean): string {
  if (!shown) return '';
  if (isPartial) return t('Counts ignore the filters below.');
  const { ratings, before, period } = shown;
  return total(ratings) === 0
    ? captionOf(ratings, before, period)
    : `${t.count(total(ratings), '{count} rating.', '{count} ratings.')} ${captionOf(ratings, before, period)}`;
}

const barsOf = ({ query: { from, to, zone, grain = 'day' }, trend }: PeriodCounts): readonly number[] =>
  bucketsOf(trend, { from, to }, { grain, zone }).map(({ ratings }) => total(ratings));

interface OutdatedProps {
  /** The period of the shown numbers. */
  readonly shown: Period | undefined;
  readonly period: Period;
  readonly onRetry: () => void;
}

/** States which numbers are shown after the requested ones failed to load. */
const Outdated = ({ shown, period, onRetry }: OutdatedProps) => (
  <>
    {shown === undefined || periodLabel(shown) === periodLabel(period)
      ? t('Couldn’t refresh these numbers.')
      : t('We couldn’t load the ratings for “{requested}”. Still showing “{shown}”.', {
          requested: periodLabel(period),
          shown: periodLabel(shown),
        })}{' '}
    <TextLink onClick={onRetry}>{t('Try again')}</TextLink>
  </>
);

/** The chart loads when it is opened; its space is reserved. */
function Trend({ counts }: { counts: PeriodCounts | undefined }) {
  if (counts && total(counts.ratings) < FEWEST_FOR_CHART)
    return <p className={styles['few']}>{t('You’ll see a chart once you have five ratings.')}</p>;
  return (
    <div className={styles['chart']}>
      <Later>{counts && <Chart counts={counts} />}</Later>
    </div>
  );
}

function Chart({ counts: { query, trend } }: { counts: PeriodCounts }) {
  const { from, to, zone, grain = 'day' } = query;
  return <TrendChart buckets={bucketsOf(trend, { from, to }, { grain, zone })} grain={grain} />;
}

const NotCounted = ({ onRetry }: { onRetry: () => void }) => (
  <section className={styles['failed']} aria-label={t('Summary')}>
    <span>{t('We couldn’t load the ratings.')}</span>
    <Button size="compact-sm" variant="default" onClick={onRetry}>
      {t('Try again')}
    </Button>
  </section>
);

interface FaceCountersProps {
  /** The counts of ratings; undefined while they load, and if there are none. */
  readonly ratings: Tally | undefined;
  readonly chosen: Rating | undefined;
  readonly onChoose: (rating: Rating | undefined) => void;
}

/** The count of each rating, as buttons that filter by it. */
function FaceCounters({ ratings, chosen, onChoose }: FaceCountersProps) {
  return (
    <fieldset className={styles['faces']}>
      <legend className="visually-hidden">{t('Filter by rating')}</legend>
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
            <Face rating={rating} size={24} />
            <strong>{count !== undefined && formatCount(count)}</strong>
            <span>{ratingWord(rating)}</span>
            <small>{ratings && count !== undefined && percent(percentOf(count, ratings))}</small>
          </button>
        );
      })}
    </fieldset>
  );
}
