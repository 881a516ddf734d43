import { averageSentence, countSentence, formatCount, percentOf } from '#contract/core/sentences.ts';
import { average, total } from '#contract/feedback/feedback.ts';
import { RATING_WORDS, RATINGS } from '#contract/feedback/rating.ts';
import { beforeLabel } from '../../frame/numbers/period.ts';
import { t } from '../../language.ts';
import { Face } from '../../ui/Face.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { DrawnShare } from './DrawnShare.tsx';
import styles from './Overview.module.css';
import type { Shown } from './useOverview.ts';

/** The average compared with the previous period, and the count of each face. */
export function Ratings({ shown: { counts } }: { shown: Shown }) {
  const { ratings, before, period } = counts;
  const most = Math.max(1, ...ratings);
  return (
    <Card title={t('Average')}>
      <p className={styles['headline']}>
        <strong>{average(ratings)?.toFixed(1) ?? '–'}</strong>
        <span>
          {averageSentence(ratings, before, beforeLabel(period))} {countSentence(ratings, before, beforeLabel(period))}
        </span>
      </p>
      <table className={styles['bars']}>
        <caption className="visually-hidden">{t('Ratings by face')}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('Face')}</th>
            <th scope="col">{t('Share')}</th>
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
                  {RATING_WORDS[rating]}
                </th>
                <td>
                  <DrawnShare length={count / most} rating={rating}>
                    {total(ratings) > 0 ? `${percentOf(count, ratings)}%` : '–'}
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
