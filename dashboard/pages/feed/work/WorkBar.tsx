import { IconCheck, IconMail, IconMailOpened, IconRotate } from '@tabler/icons-react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { EditArea } from '../../../frame/EditArea.tsx';
import { personName, useTeam } from '../../../frame/team.ts';
import { exactly } from '../../../ui/format/time.ts';
import { Button } from '../../../ui/theme/mantine.ts';
import { STATUS_LABELS } from '../labels.ts';
import { useWork } from '../subjects.ts';
import { AssigneeChoice, StatusChoice } from './Choices.tsx';
import { Tags } from './Tags.tsx';
import styles from './WorkBar.module.css';

interface WorkBarProps {
  readonly item: Feedback;
  /** The property's time zone; undefined uses the browser's. */
  readonly zone: string | undefined;
}

/** The status, assignee and tags of one piece of feedback. */
export function WorkBar({ item, zone }: WorkBarProps) {
  const work = useWork();
  const team = useTeam();
  const { status, statusBy, statusAt, assignee, unread } = item.data;
  const isDone = status === 'done';
  return (
    <section className={styles['bar']} aria-label="Work">
      <EditArea>
        <div className={styles['row']}>
          <Button
            variant={isDone ? 'default' : 'filled'}
            leftSection={isDone ? <IconRotate size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />}
            aria-keyshortcuts="e"
            title="E"
            className={styles['done'] ?? ''}
            onClick={() => work.change([item], { status: isDone ? 'open' : 'done' })}
          >
            {isDone ? 'Reopen' : 'Done'}
          </Button>
          <StatusChoice status={status} onChoose={(chosen) => work.change([item], { status: chosen })} />
          <AssigneeChoice assignee={assignee ?? null} onChoose={(chosen) => work.change([item], { assignee: chosen })} />
          <Button
            variant="subtle"
            leftSection={unread ? <IconMailOpened size={16} aria-hidden /> : <IconMail size={16} aria-hidden />}
            aria-keyshortcuts="u"
            title="U"
            onClick={() => work.change([item], { unread: !unread })}
          >
            {unread ? 'Mark as read' : 'Mark as unread'}
          </Button>
        </div>
        <Tags item={item} />
      </EditArea>
      {statusBy !== undefined && statusAt !== undefined && (
        <p className={styles['by']}>
          {STATUS_LABELS[status]} by {personName(team, statusBy)}, {exactly(statusAt, zone)}
        </p>
      )}
    </section>
  );
}
