import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type FeedbackTopic, MOST_TOPICS } from '#contract/topic/topic.ts';
import { topicsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { AdminsOnly } from '../../frame/Access.tsx';
import { useReadOnly } from '../../frame/plan/read-only.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { AddButton } from '../../ui/AddButton.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { LoadFailed } from '../../ui/messages/LoadFailed.tsx';
import { LoadingRow } from '../../ui/page/LoadingRow.tsx';
import { Page } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { Suggestions } from './Suggestions.tsx';
import { TopicDialog } from './TopicDialog.tsx';
import styles from './Topics.module.css';
import { TypeChoice } from './TypeChoice.tsx';

export const TopicsPage = () => (
  <AdminsOnly>
    <Topics />
  </AdminsOnly>
);

/** The account's topics, which its admins edit. */
function Topics() {
  const { account } = useTeam();
  const { data: topics, isError, refetch } = useQuery(topicsQuery(useSource(), account.id));
  const [isEditing, editing] = useLayer('topic');
  /** What the dialog edits: a topic, or with `undefined` a new one. A reloaded page has none, and no dialog. */
  const [edited, setEdited] = useState<{ readonly topicId: string | undefined }>();
  const isFull = (topics?.length ?? 0) >= MOST_TOPICS;
  const why =
    useReadOnly() ?? (isFull ? t('You have {most} topics, the maximum. Delete or merge one first.', { most: MOST_TOPICS }) : undefined);

  function edit(topic: FeedbackTopic | undefined): void {
    setEdited({ topicId: topic?.id });
    editing.open();
  }

  return (
    <Page
      title={t('Topics')}
      lead={t('What visitors talk about, counted in the overview. An answer belongs to each topic of which it has a phrase.')}
      actions={
        <AddButton why={why} disabled={topics === undefined} onClick={() => edit(undefined)}>
          {t('Add topic')}
        </AddButton>
      }
    >
      {isError && (
        <LoadFailed onRetry={refetch}>
          {topics ? t('We couldn’t load the topics; this list may be old.') : t('We couldn’t load the topics.')}
        </LoadFailed>
      )}
      {topics === undefined && !isError && (
        <div className={rowStyles['rows']} aria-busy>
          <LoadingRow />
        </div>
      )}
      {topics?.length === 0 && (
        <div className={styles['type']}>
          <TypeChoice />
        </div>
      )}
      {topics !== undefined && topics.length > 0 && (
        <>
          <div className={rowStyles['rows']}>
            <ul aria-label={t('Topics')}>
              {topics.map((topic) => (
                <li key={topic.id}>
                  <TopicRow topic={topic} onEdit={() => edit(topic)} />
                </li>
              ))}
            </ul>
          </div>
          <Suggestions topics={topics} />
        </>
      )}
      <TopicDialog
        key={edited?.topicId ?? 'new'}
        isOpen={isEditing && edited !== undefined}
        onClose={editing.close}
        topic={topics?.find(({ id }) => id === edited?.topicId)}
        topics={topics ?? []}
      />
    </Page>
  );
}

/** The phrases shown in a row. */
const SHOWN = 6;

function TopicRow({ topic: { data }, onEdit }: { topic: FeedbackTopic; onEdit: () => void }) {
  const { displayName, phrases, isHidden, isMatched } = data;
  const more = phrases.length - SHOWN;
  const shown = phrases.slice(0, SHOWN).join(', ');
  return (
    <div className={`${rowStyles['row']} ${styles['row']}`}>
      <button type="button" className={rowStyles['open']} onClick={onEdit}>
        <IconMessages size={18} aria-hidden />
        <bdi>{displayName}</bdi>
      </button>
      <p className={styles['phrases']} dir="auto">
        {phrases.length === 0
          ? t('No phrases yet')
          : more > 0
            ? t.count(more, '{phrases} and {count} other', '{phrases} and {count} others', { phrases: shown })
            : shown}
      </p>
      <span className={rowStyles['above']}>
        {isHidden && <span className={rowStyles['badge']}>{t('Hidden')}</span>}
        {!isMatched && (
          <span className={rowStyles['badge']} data-tone="accent">
            {t('Counting…')}
          </span>
        )}
      </span>
    </div>
  );
}
