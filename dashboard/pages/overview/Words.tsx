import { Link } from '@tanstack/react-router';
import { formatCount, pluralize, readSentence } from '#contract/core/sentences.ts';
import { FEWEST_TEXTS, type StandoutWord } from '#contract/insight/words.ts';
import { searchFor } from '../../frame/numbers/period-search.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { Card } from '../../ui/page/Page.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './Overview.module.css';
import type { Overview } from './useOverview.ts';

/** The words that set bad feedback apart from good, and the reverse. Each word links to the feedback with it. */
export function Words({ overview }: { overview: Overview }) {
  const { data, isError, refetch } = overview.words;
  if (isError && !data)
    return (
      <Card
        title={t('Words that stand out')}
        lead={t('We couldn’t load the words.')}
        action={
          <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
            {t('Try again')}
          </Button>
        }
      />
    );
  if (!data) return <Card title={t('Words that stand out')} lead=" " />;
  const { bad, good } = data.pieces;
  const isEnough = bad >= FEWEST_TEXTS && good >= FEWEST_TEXTS;
  return (
    <Card title={t('Words that stand out')} lead={readSentence(t, data)}>
      {isEnough ? (
        <div className={styles['sides']}>
          <Side title={t('In bad feedback')} side="bad" words={data.bad} pieces={bad} overview={overview} />
          <Side title={t('In good feedback')} side="good" words={data.good} pieces={good} overview={overview} />
        </div>
      ) : (
        <p className={styles['key']}>
          Needs words in {FEWEST_TEXTS} bad and {FEWEST_TEXTS} good ratings. So far: {bad} and {good}.
        </p>
      )}
    </Card>
  );
}

interface SideProps {
  readonly title: string;
  readonly side: 'bad' | 'good';
  readonly words: readonly StandoutWord[];
  readonly pieces: number;
  readonly overview: Overview;
}

function Side({ title, side, words, pieces, overview: { property, period } }: SideProps) {
  const { paths } = useTeam();
  const opposite = side === 'bad' ? 'good' : 'bad';
  return (
    <table className={styles['words']}>
      <caption>
        {title} <span>({pluralize(pieces, 'piece')})</span>
      </caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('Word')}</th>
          <th scope="col">In {side} feedback</th>
          <th scope="col">In {opposite} feedback</th>
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
              >
                {word.words}
              </Link>
            </th>
            <td>
              {formatCount(word[side])} {side}
            </td>
            <td>
              {formatCount(word[opposite])} {opposite}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
