import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Tally, total } from '#contract/feedback/tally.ts';
import type { FeedbackTopic } from '#contract/topic/topic.ts';
import { topicCountsQuery, topicExamplesQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { propertyZone, useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { Face } from '../../ui/Face.tsx';
import { ratingWord } from '../../ui/format/rating.ts';
import { ago } from '../../ui/format/time.ts';
import { Dialog } from '../../ui/layers/Dialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { LoadFailed } from '../../ui/messages/LoadFailed.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { FailedCard } from './FailedCard.tsx';
import styles from './Overview.module.css';
import { type TopicLine, TopicsTable } from './TopicsTable.tsx';
import type { Overview } from './useOverview.ts';

/** How often visitors talk about each topic, how those rated, and what changed. Each topic opens its newest answers. */
export function Topics({ overview }: { overview: Overview }) {
  const { account, user, paths } = useTeam();
  const source = useSource();
  const { property, from, to, before, topics } = overview;
  const subject = property ? { propertyId: property.id } : { accountId: account.id };
  const options = topicCountsQuery(source, { ...subject, from, to, ...(before !== undefined && { before }) });
  const counts = useQuery({
    ...options,
    // Counted again once a topic's earlier answers are found.
    queryKey: [...options.queryKey, topics.data?.filter(({ data }) => data.isMatched).length],
    enabled: (topics.data?.length ?? 0) > 0,
  });
  const [isOpen, examples] = useLayer('topic-examples');
  const [chosen, setChosen] = useState<FeedbackTopic>();
  const isAdmin = user.data.level === 'admin';
  const edit = isAdmin && (
    <Button variant="default" component={Link} to={paths.topics}>
      {topics.data?.length === 0 ? t('Choose topics') : t('Edit topics')}
    </Button>
  );

  if (topics.isError || counts.isError)
    return (
      <FailedCard title={t('Topics')} lead={t('We couldn’t load the topics.')} onRetry={topics.isError ? topics.refetch : counts.refetch} />
    );
  if (!topics.data) return null;
  if (topics.data.length === 0)
    return isAdmin ? (
      <Card title={t('Topics')} lead={t('See what visitors talk about: staff, waiting time, cleanliness and more.')} action={edit} />
    ) : null;
  if (!counts.data) return <Card title={t('Topics')} lead=" " />;
  const rows = rowsOf(topics.data, counts.data);
  return (
    <Card title={t('Topics')} lead={leadOf(topics.data, rows.length)} action={edit}>
      {rows.length > 0 && (
        <TopicsTable
          rows={rows}
          overview={overview}
          onOpen={(topic) => {
            setChosen(topic);
            examples.open();
          }}
        />
      )}
      <Dialog isOpen={isOpen && chosen !== undefined} onClose={examples.close} title={chosen?.data.displayName ?? ''} size="lg">
        {chosen && <Examples topic={chosen} overview={overview} />}
      </Dialog>
    </Card>
  );
}

/** Returns the topics that have answers, the most first. */
const rowsOf = (
  topics: readonly FeedbackTopic[],
  counts: readonly { topicId: string; ratings: Tally; before?: Tally | undefined }[],
): TopicLine[] =>
  counts
    .flatMap(({ topicId, ratings, before: previous }) => {
      const topic = topics.find(({ id }) => id === topicId);
      return topic && !topic.data.isHidden && total(ratings) > 0 ? [{ topic, ratings, previous }] : [];
    })
    .sort((a, b) => total(b.ratings) - total(a.ratings));

function leadOf(topics: readonly FeedbackTopic[], shown: number): string {
  const counting = topics.filter(({ data }) => !data.isMatched).length;
  const lead = shown === 0 ? t('No answer in this period is about them.') : t('What visitors talk about. An answer may be about several.');
  return counting === 0
    ? lead
    : `${lead} ${t.count(
        counting,
        'Earlier answers are still being counted for {count} topic.',
        'Earlier answers are still being counted for {count} topics.',
      )}`;
}

/** The newest answers about a topic in the period. */
function Examples({ topic, overview: { property, from, to, now } }: { topic: FeedbackTopic; overview: Overview }) {
  const team = useTeam();
  const range = { from, to, ...(property && { propertyId: property.id }) };
  const { data: answers, isError, refetch } = useQuery(topicExamplesQuery(useSource(), { topicId: topic.id, ...range }));
  if (isError) return <LoadFailed onRetry={refetch}>{t('We couldn’t load the answers.')}</LoadFailed>;
  if (!answers) return <p className={styles['key']}>{t('Loading…')}</p>;
  return (
    <ul className={styles['examples']} aria-label={t('Answers about {topic}', { topic: topic.data.displayName })}>
      {answers.map(({ id, data }) => (
        <li key={id}>
          <Face rating={data.rating} size={24} />
          <Link to={team.paths.feed} search={{ id }}>
            <span className="visually-hidden">{t('{rating}:', { rating: ratingWord(data.rating) })} </span>
            <span dir="auto">{data.textFeedback}</span>
          </Link>
          <time dateTime={new Date(data.created).toISOString()}>{ago(data.created, now, propertyZone(team, data.projectId))}</time>
        </li>
      ))}
    </ul>
  );
}
