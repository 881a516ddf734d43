import { Link } from '@tanstack/react-router';
import { readSentence } from '#contract/core/sentences.ts';
import { FEWEST_TEXTS, type StandoutWord } from '#contract/insight/words.ts';
import { translatable } from '#contract/language/translate.ts';
import { searchFor } from '../../frame/numbers/period-search.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { Card } from '../../ui/page/Page.tsx';
import { FailedCard } from './FailedCard.tsx';
import styles from './Overview.module.css';
import type { Overview } from './useOverview.ts';

/** The words that set bad feedback apart from good, and the reverse. Each word links to the feedback with it. */
export function Words({ overview }: { overview: Overview }) {
  const { data, isError, refetch } = overview.words;
  if (isError && !data) return <FailedCard title={t('Words that stand out')} lead={t('We couldn’t load the words.')} onRetry={refetch} />;
  if (!data) return <Card title={t('Words that stand out')} lead=" " />;
  const { bad, good } = data.pieces;
  const isEnough = bad >= FEWEST_TEXTS && good >= FEWEST_TEXTS;
  return (
    <Card title={t('Words that stand out')} lead={readSentence(t, data)}>
      {isEnough ? (
        <div className={styles['sides']}>
          <Side side="bad" words={data.bad} pieces={bad} overview={overview} />
          <Side side="good" words={data.good} pieces={good} overview={overview} />
        </div>
      ) : (
        <p className={styles['key']}>
          {t('Needs words in {fewest} bad and {fewest} good ratings. So far: {bad} and {good}.', { fewest: FEWEST_TEXTS, bad, good })}
        </p>
      )}
    </Card>
  );
}

const SIDES = translatable({
  bad: { heading: 'In bad feedback', count: '{count} bad' },
  good: { heading: 'In good feedback', count: '{count} good' },
});

interface SideProps {
  readonly side: 'bad' | 'good';
  readonly words: readonly StandoutWord[];
  readonly pieces: number;
  readonly overview: Overview;
}

function Side({ side, words, pieces, overview: { property, period } }: SideProps) {
  const { paths } = useTeam();
  const opposite = side === 'bad' ? 'good' : 'bad';
  return (
    <table className={styles['words']}>
      <caption>
        {t(SIDES[side].heading)} <span>({t.count(pieces, '{count} piece', '{count} pieces')})</span>
      </caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('Word')}</th>
          <th scope="col">{t(SIDES[side].heading)}</th>
          <th scope="col">{t(SIDES[opposite].heading)}</th>
        </tr>
      </thead>
      <tbody>
        {words.length === 0 && (
          <tr>
            <td colSpan={3}>{t('No word stands out.')}</td>
          </tr>
        )}
        {words.map((word) => (
          <tr key={word.words}>
            <th scope="row">
              <Link
                to={property ? paths.propertyFeedback(property.id) : paths.feed}
                search={{ ...searchFor(period, 'month'), q: `"${word.words}"` }}
                className="touch-link"
              >
                {word.words}
              </Link>
            </th>
            <td>{t(SIDES[side].count, { count: word[side] })}</td>
            <td>{t(SIDES[opposite].count, { count: word[opposite] })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
