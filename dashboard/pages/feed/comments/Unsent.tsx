import { useEffect } from 'react';
import { useAction } from '../../../data/useAction.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { ago } from '../../../ui/format/time.ts';
import { Button, useWindowEvent } from '../../../ui/theme/mantine.ts';
import { CommentText, Entry } from './CommentItem.tsx';
import styles from './Comments.module.css';
import { dropUnsent, setTyped, type UnsentComment, useTyped } from './drafts.ts';
import { withNames } from './mentions.ts';

interface UnsentProps {
  readonly comment: UnsentComment;
  readonly now: number;
  /** Called once the text is in the composer, before what is typed there. */
  readonly onChange: () => void;
}

/** A comment being sent. It appears in the list at once, and keeps its text if sending fails. */
export function Unsent({ comment, now, onChange }: UnsentProps) {
  const { user, users } = useTeam();
  const typed = useTyped(comment.feedbackId) ?? '';
  const save = useAction('comment', 'save');
  const { key, feedbackId, text } = comment;
  const send = () => void save.run({ idempotencyKey: key, payload: { data: { feedbackId, text } } }, () => dropUnsent(key));
  // biome-ignore lint/correctness/useExhaustiveDependencies: sent once on mount; retried by the button or when back online
  useEffect(send, []);
  useWindowEvent('online', send);

  function moveToComposer(): void {
    setTyped(feedbackId, [withNames(text, users), typed.trim()].filter(Boolean).join('\n\n'));
    dropUnsent(key);
    onChange();
  }

  return (
    <Entry author={user} when={ago(now, now)}>
      <div className={styles['unsent']} data-failed={save.failure !== undefined || undefined}>
        <CommentText text={text} />
      </div>
      {save.failure === undefined ? (
        <p className={styles['quiet']}>{t('Sending…')}</p>
      ) : (
        <>
          <p role="alert" className={styles['failed']}>
            {t('Not sent.')} {save.failure}
          </p>
          <div className={styles['buttons']}>
            <Button size="compact-sm" variant="default" onClick={send}>
              {t('Retry')}
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={moveToComposer}>
              {t('Change')}
            </Button>
          </div>
        </>
      )}
    </Entry>
  );
}
