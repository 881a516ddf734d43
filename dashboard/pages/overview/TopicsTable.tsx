import { signed } from '#contract/core/sentences.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import { average, type Tally, total } from '#contract/feedback/tally.ts';
import type { FeedbackTopic } from '#contract/topic/topic.ts';
import { beforeLabel } from '../../frame/numbers/period.ts';
import { t } from '../../language.ts';
import { decimal, formatCount } from '../../ui/format/number.ts';
import { TextLink } from '../../ui/page/TextLink.tsx';
import { DrawnShare } from './DrawnShare.tsx';
import styles from './Overview.module.css';
import type { Overview } from './useOverview.ts';

export interface TopicLine {
  readonly topic: FeedbackTopic;
  readonly ratings: Tally;
  readonly previous: Tally | undefined;
}

interface TopicsTableProps {
  readonly rows: readonly TopicLine[];
  readonly overview: Overview;
  readonly onOpen: (topic: FeedbackTopic) => void;
}

/** The topics with their answers and averages, and the change from the previous period if there is one. */
export function TopicsTable({ rows, overview: { period, before }, onOpen }: TopicsTableProps) {
  const most = Math.max(1, ...rows.map(({ ratings }) => total(ratings)));
  return (
    <>
      <table className={`${styles['bars']} ${styles['topics']}`}>
        <caption className="visually-hidden">{t('Topics by number of answers')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Topic')}</th>
            <th scope="col">{t('Answers')}</th>
            <th scope="col">{t('Average')}</th>
            {before !== undefined && <th scope="col">{t.in('column', 'Change')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ topic, ratings, previous }) => (
            <tr key={topic.id}>
              <th scope="row">
                <TextLink onClick={() => onOpen(topic)}>{topic.data.displayName}</TextLink>
              </th>
              <td>
                <DrawnShare length={total(ratings) / most} rating={faceOf(ratings)}>
                  {formatCount(total(ratings))}
                </DrawnShare>
              </td>
              <td>{decimal(average(ratings) ?? 0)}</td>
              {before !== undefined && <td>{changeOf(ratings, previous)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {before !== undefined && <p className={styles['key']}>{t('Change of the average from {than}.', { than: beforeLabel(period) })}</p>}
    </>
  );
}

const faceOf = (ratings: Tally): Rating => Math.round(average(ratings) ?? 3) as Rating;

function changeOf(ratings: Tally, previous: Tally | undefined): string {
  const [mean, before] = [average(ratings), previous && average(previous)];
  return mean === undefined || before === undefined ? '–' : signed(t, mean - before);
}
