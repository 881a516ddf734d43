import { total } from '#contract/feedback/tally.ts';
import { beforeLabel } from '../../frame/numbers/period.ts';
import { bucketsOf, FEWEST_FOR_CHART } from '../../frame/numbers/trend.ts';
import { t } from '../../language.ts';
import { Later, loadedLater } from '../../ui/page/Later.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { FaceColors } from './FaceColors.tsx';
import styles from './Overview.module.css';
import { trendSentence } from './sentences.ts';
import { AsTable } from './Table.tsx';
import type { Shown } from './useOverview.ts';

const chart = () => import('../../frame/numbers/TrendChart.tsx');
const TrendChart = loadedLater(chart, 'TrendChart');
const TrendTable = loadedLater(chart, 'TrendTable');

/** Ratings over time as bars, with the previous period as a line. */
export function TrendCard({ shown: { counts } }: { shown: Shown }) {
  const { from, to, zone, grain = 'day' } = counts.query;
  const bars = bucketsOf(counts.trend, { from, to }, { grain, zone });
  const before = counts.trendBefore && barsBefore(counts.trendBefore);
  if (total(counts.ratings) < FEWEST_FOR_CHART)
    return <Card title={t('Over time')} lead={t('A chart appears once there are {fewest} ratings.', { fewest: FEWEST_FOR_CHART })} />;
  const numbers = bars.map((_, index) => before?.[index]);
  const line = before && numbers;
  return (
    <Card title={t('Over time')} lead={trendSentence(bars, grain)}>
      <div className={styles['chart']}>
        <Later>
          <TrendChart buckets={bars} grain={grain} before={line} hasTable />
        </Later>
      </div>
      {line && (
        <p className={styles['key']}>
          <span aria-hidden="true" /> {beforeLabel(counts.period)}
        </p>
      )}
      <FaceColors />
      <AsTable>
        <Later>
          <TrendTable buckets={bars} grain={grain} before={line} />
        </Later>
      </AsTable>
    </Card>
  );
}

function barsBefore({ query, trend }: NonNullable<Shown['counts']['trendBefore']>): number[] {
  const { from, to, zone, grain = 'day' } = query;
  return bucketsOf(trend, { from, to }, { grain, zone }).map(({ ratings }) => total(ratings));
}
