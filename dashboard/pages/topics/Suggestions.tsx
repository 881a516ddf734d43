import { useQuery } from '@tanstack/react-query';
import { DAY } from '#contract/core/time.ts';
import { hasPhrase } from '#contract/topic/matching.ts';
import type { FeedbackTopic } from '#contract/topic/topic.ts';
import { wordsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { useNow } from '../../ui/hooks.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { NativeSelect } from '../../ui/theme/mantine.ts';
import styles from './Topics.module.css';

/** How far back the words are read (ms). */
const SPAN = 91 * DAY;

/** Words that stand out and belong to no topic, to add to one. */
export function Suggestions({ topics }: { topics: readonly FeedbackTopic[] }) {
  const { account } = useTeam();
  // The day is enough, so that the query stays the same.
  const to = Math.ceil(useNow() / DAY) * DAY;
  const { data } = useQuery(wordsQuery(useSource(), { accountId: account.id, from: to - SPAN, to }));
  const save = useAction('topic', 'save');
  const phrases = topics.flatMap((topic) => topic.data.phrases);
  const words = [...(data?.bad ?? []), ...(data?.good ?? [])].filter((each) => !hasPhrase(each.words, phrases));
  if (words.length === 0) return null;

  function add(phrase: string, topicId: string): void {
    const topic = topics.find(({ id }) => id === topicId);
    if (!topic) return;
    const { displayName } = topic.data;
    void save.run({ payload: { id: topicId, data: { phrases: [...topic.data.phrases, phrase] } } }, () =>
      toast(t('“{phrase}” added to {topic}.', { phrase, topic: displayName })),
    );
  }

  return (
    <Card title={t('Not in any topic')} lead={t('Words that stand out in your feedback of the last three months.')}>
      <ul className={styles['suggestions']}>
        {words.map(({ words: phrase, bad, good }) => (
          <li key={phrase}>
            <span>
              <strong dir="auto">{phrase}</strong>
              <span className={styles['quiet']}>
                {t('{bad}, {good}', {
                  bad: t.count(bad, '{count} bad answer', '{count} bad answers'),
                  good: t.count(good, '{count} good one', '{count} good ones'),
                })}
              </span>
            </span>
            <NativeSelect
              aria-label={t('Add “{phrase}” to a topic', { phrase })}
              value=""
              disabled={save.isPending}
              onChange={({ currentTarget }) => add(phrase, currentTarget.value)}
              data={[{ value: '', label: t('Add to…') }, ...topics.map(({ id, data: each }) => ({ value: id, label: each.displayName }))]}
            />
          </li>
        ))}
      </ul>
      <Notice tone="bad">{save.failure}</Notice>
    </Card>
  );
}
