import { funnelSentence, shareOf } from '#contract/core/sentences.ts';
import { t } from '../../language.ts';
import { formatCount, percent } from '../../ui/format/number.ts';
import { Card } from '../../ui/page/Page.tsx';
import { DrawnShare } from './DrawnShare.tsx';
import styles from './Overview.module.css';
import type { Shown } from './useOverview.ts';

/** The funnel from opening the form to opening a review link. */
export function FunnelCard({ shown: { insight } }: { shown: Shown }) {
  const { views, ratings, reviews } = insight.funnel;
  const steps = [
    { name: t('Opened the form'), count: views, of: undefined },
    { name: t.in('funnel', 'Rated'), count: ratings, of: views },
    { name: t('Opened a review link'), count: reviews, of: ratings },
  ];
  const most = Math.max(1, views, ratings);
  return (
    <Card title={t('From the form to a review')} lead={funnelSentence(t, insight.funnel)}>
      <table className={`${styles['bars']} ${styles['steps']}`}>
        <caption className="visually-hidden">{t('How many took each step')}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('Step')}</th>
            <th scope="col">{t('Of the previous step')}</th>
            <th scope="col">{t('How many')}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ name, count, of }) => {
            const share = of === undefined ? undefined : shareOf(count, of);
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <DrawnShare length={count / most}>{share === undefined ? '' : percent(share)}</DrawnShare>
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
