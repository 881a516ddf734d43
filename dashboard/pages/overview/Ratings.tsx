import { averageSentence, countSentence, percentOf } from '#contract/core/sentences.ts';
import { RATINGS } from '#contract/feedback/rating.ts';
import { average, total } from '#contract/feedback/tally.ts';
import { beforeLabel } from '../../frame/numbers/period.ts';
import { t } from '../../language.ts';
import { Face } from '../../ui/Face.tsx';
import { decimal, formatCount, percent } from '../../ui/format/number.ts';
import { ratingWord } from '../../ui/format/rating.ts';
import { Card } from '../../ui/page/Page.tsx';
import { DrawnShare } from './DrawnShare.tsx';
import styles from './Overview.module.css';
import type { Shown } from './useOverview.ts';

/** The average compared with the previous period, and the count of each face. */
export function Ratings({ shown: { counts } }: { shown: Shown }) {
  const { ratings, before, period } = counts;
  const most = Math.max(1, ...ratings);
  const mean = average(ratings);
  const compared = { ratings, before, than: beforeLabel(period) };
  return (
    <Card title={t('Average')}>
      <p className={styles['headline']}>
        <strong>{mean === undefined ? '–' : decimal(mean)}</strong>
        <span>
          {averageSentence(t, compared)} {countSentence(t, compared)}
        </span>
      </p>
      <table className={styles['bars']}>
        <caption className="visually-hidden">{t('Ratings by face')}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('Face')}</th>
            <th scope="col">{t.in('column', 'Share')}</th>
            <th scope="col">{t('Ratings')}</th>
          </tr>
        </thead>
        <tbody>
          {RATINGS.toReversed().map((rating) => {
            const count = ratings[rating - 1] ?? 0;
            return (
              <tr key={rating}>
                <th scope="row">
                  <Face rating={rating} size={22} />
                  {ratingWord(rating)}
                </th>
                <td>
                  <DrawnShare length={count / most} rating={rating}>
                    {total(ratings) > 0 ? percent(percentOf(count, ratings)) : '–'}
                  </DrawnShare>
                </td>
                <td>{formatCount(count)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}
