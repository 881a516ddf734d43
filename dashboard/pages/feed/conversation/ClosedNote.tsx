import type { Conversation } from '#contract/conversation/conversation.ts';
import { useAction } from '../../../data/useAction.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { exactly } from '../../../ui/format/time.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import styles from './PrivateReplies.module.css';

interface CloseConversationProps {
  readonly feedbackId: string;
  readonly onClosed: () => void;
}

/** Closes the conversation, and offers to undo that. */
export function CloseConversation({ feedbackId, onClosed }: CloseConversationProps) {
  const close = useAction('conversation', 'close');
  const reopen = useAction('conversation', 'reopen');

  function offerUndo(): void {
    onClosed();
    toast(t('Conversation closed.'), { action: { label: t('Undo'), run: () => void undo() } });
  }

  async function undo(): Promise<void> {
    if (!(await reopen.run({ feedbackId }))) toast(t('We couldn’t reopen the conversation.'), { tone: 'failed' });
  }

  return (
    <>
      <Button
        variant="subtle"
        className={styles['close'] ?? ''}
        loading={close.isPending}
        onClick={() => void close.run({ feedbackId }, offerUndo)}
      >
        {t('Close conversation')}
      </Button>
      <Notice tone="bad">{close.failure}</Notice>
    </>
  );
}

interface ClosedNoteProps {
  readonly feedbackId: string;
  readonly closed: NonNullable<Conversation['closed']>;
  readonly zone: string | undefined;
  /** Called at the click, and again with false if it fails. */
  readonly onReopening: (isReopening: boolean) => void;
}

/** Who closed the conversation, with a button to reopen it. */
export function ClosedNote({ feedbackId, closed: { at, by }, zone, onReopening }: ClosedNoteProps) {
  const team = useTeam();
  const isOff = useReadOnly() !== undefined;
  const reopen = useAction('conversation', 'reopen');

  async function run(): Promise<void> {
    onReopening(true);
    if (!(await reopen.run({ feedbackId }))) onReopening(false);
  }

  return (
    <div className={styles['closed']}>
      <p className={styles['quiet']}>
        {t('Closed by {name}, {time}. The visitor can read it, but no longer write.', {
          name: personName(team, by),
          time: exactly(at, zone),
        })}
      </p>
      {!isOff && (
        <Button variant="default" loading={reopen.isPending} onClick={() => void run()}>
          {t('Reopen conversation')}
        </Button>
      )}
      <Notice tone="bad">{reopen.failure}</Notice>
    </div>
  );
}
