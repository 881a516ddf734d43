import { IconArrowDown, IconCheck, IconMail, IconMailOpened, IconRotate, IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { MOST_TAGS } from '#contract/feedback/work.ts';
import { EditArea } from '../../../frame/EditArea.tsx';
import { t } from '../../../language.ts';
import { Button } from '../../../ui/theme/mantine.ts';
import { useSelection, useWork } from '../contexts.ts';
import { AssigneeChoice, StatusChoice } from './Choices.tsx';
import { ADD_TAG, AddTag, Tags } from './Tags.tsx';
import { useTags } from './useTags.ts';
import styles from './WorkBar.module.css';

/** The actions on one piece of feedback: status, assignee, tags and the unread mark. On a phone it stays at the bottom. */
export function WorkBar({ item }: { item: Feedback }) {
  const work = useWork();
  const { status, assignee, unread, tags: tagIds } = item.data;
  const { tags } = useTags();
  return (
    <>
      <EditArea>
        <Tags item={item} />
      </EditArea>
      <section className={styles['bar']} aria-label={t('Actions')}>
        <EditArea isQuiet>
          <div className={styles['row']}>
            <DoneButton item={item} />
            <StatusChoice status={status} onChoose={(chosen) => work.change([item], { status: chosen })} />
            <AssigneeChoice isCompact assignee={assignee ?? null} onChoose={(chosen) => work.change([item], { assignee: chosen })} />
            {tagIds.length < MOST_TAGS && (
              <AddTag
                tags={tags.filter(({ id }) => !tagIds.includes(id))}
                button={
                  <Button {...{ [ADD_TAG]: '' }} variant="subtle" className={styles['quiet'] ?? ''} title={t('Add tag')}>
                    <IconTag size={18} aria-hidden />
                    <span className={styles['word']}>{t('Add tag')}</span>
                  </Button>
                }
                onChoose={(tag) => work.change([item], { addTags: [tag.id] })}
              />
            )}
            <Button
              variant="subtle"
              className={styles['quiet'] ?? ''}
              aria-keyshortcuts="u"
              aria-label={unread ? t('Mark as read') : t('Mark as unread')}
              title={`${unread ? t('Mark as read') : t('Mark as unread')} (U)`}
              onClick={() => work.change([item], { unread: !unread })}
            >
              {unread ? <IconMailOpened size={18} aria-hidden /> : <IconMail size={18} aria-hidden />}
            </Button>
          </div>
        </EditArea>
      </section>
    </>
  );
}

/** Marks the item as done and then offers the next one. An item that was already done can be reopened. */
function DoneButton({ item }: { item: Feedback }) {
  const work = useWork();
  const { hasNext, step } = useSelection();
  const [isJustDone, setJustDone] = useState(false);
  const isDone = item.data.status === 'done';
  const isNext = isDone && isJustDone && hasNext;
  const Icon = !isDone ? IconCheck : isNext ? IconArrowDown : IconRotate;

  function press(): void {
    if (isNext) {
      step(1);
      return;
    }
    setJustDone(!isDone);
    work.change([item], { status: isDone ? 'open' : 'done' });
  }

  return (
    <Button
      variant={isDone && !isNext ? 'default' : 'filled'}
      leftSection={<Icon size={18} aria-hidden />}
      aria-keyshortcuts={isNext ? 'j' : 'e'}
      className={styles['done'] ?? ''}
      onClick={press}
    >
      {!isDone ? t.in('status', 'Done') : isNext ? t('Next') : t('Reopen')}
    </Button>
  );
}
