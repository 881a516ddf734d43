import { IconArrowDown, IconCheck, IconMail, IconMailOpened, IconRotate, IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { MOST_TAGS } from '#contract/feedback/work.ts';
import { EditArea } from '../../../frame/EditArea.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { AssigneeChoice, StatusChoice } from './Choices.tsx';
import { ADD_TAG, AddTag, Tags } from './Tags.tsx';
import { useTags } from './useTags.ts';
import type { WorkActions } from './useWork.ts';
import styles from './WorkBar.module.css';

interface WorkBarProps {
  readonly item: Feedback;
  readonly work: WorkActions;
  /** Opens the next feedback in the list, if there is one. */
  readonly onNext: (() => void) | undefined;
}

/** The actions on one piece of feedback: status, assignee, tags and the unread mark. On a phone it stays at the bottom. */
export function WorkBar({ item, work, onNext }: WorkBarProps) {
  const { status, assignee, unread, tags: tagIds } = item.data;
  const { tags } = useTags();
  return (
    <>
      <EditArea>
        <Tags item={item} work={work} />
      </EditArea>
      <section className={styles['bar']} aria-label="Work">
        <EditArea isQuiet>
          <div className={styles['row']}>
            <DoneButton item={item} work={work} onNext={onNext} />
            <StatusChoice status={status} onChoose={(chosen) => work.change([item], { status: chosen })} />
            <AssigneeChoice isCompact assignee={assignee ?? null} onChoose={(chosen) => work.change([item], { assignee: chosen })} />
            {tagIds.length < MOST_TAGS && (
              <AddTag
                tags={tags.filter(({ id }) => !tagIds.includes(id))}
                button={
                  <Button id={ADD_TAG} variant="subtle" className={styles['quiet'] ?? ''} title="Add tag">
                    <IconTag size={18} aria-hidden />
                    <span className={styles['word']}>Add tag</span>
                  </Button>
                }
                onChoose={(tag) => work.change([item], { addTags: [tag.id] })}
              />
            )}
            <Button
              variant="subtle"
              className={styles['quiet'] ?? ''}
              aria-keyshortcuts="u"
              aria-label={unread ? 'Mark as read' : 'Mark as unread'}
              title={`${unread ? 'Mark as read' : 'Mark as unread'} (U)`}
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
function DoneButton({ item, work, onNext }: WorkBarProps) {
  const [isJustDone, setJustDone] = useState(false);
  const isDone = item.data.status === 'done';
  const [label, Icon] = !isDone
    ? (['Done', IconCheck] as const)
    : isJustDone && onNext
      ? (['Next', IconArrowDown] as const)
      : (['Reopen', IconRotate] as const);

  function press(): void {
    if (isDone && isJustDone && onNext) {
      onNext();
      return;
    }
    setJustDone(!isDone);
    work.change([item], { status: isDone ? 'open' : 'done' });
  }

  return (
    <Button
      variant={label === 'Reopen' ? 'default' : 'filled'}
      leftSection={<Icon size={18} aria-hidden />}
      aria-keyshortcuts={label === 'Next' ? 'j' : 'e'}
      className={styles['done'] ?? ''}
      onClick={press}
    >
      {label}
    </Button>
  );
}
