import { IconEye, IconSend } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { is } from 'valibot';
import type { Reach } from '#contract/conversation/conversation.ts';
import { writtenText } from '#contract/core/schema.ts';
import { MAX_TEXT } from '#contract/feedback/rating.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Button, Textarea } from '../../../ui/theme/mantine.ts';
import styles from './PrivateReplies.module.css';
import { sendReply, typeReply, useReplyDraft } from './reply-drafts.ts';
import { reachWords } from './reply-words.ts';

/** The field counts down once this many characters are left (UTF-16 units). */
const COUNTDOWN_FROM = 200;

interface ReplyFieldProps {
  readonly ref: Ref<HTMLTextAreaElement>;
  readonly feedbackId: string;
  readonly reach: readonly Reach[];
  readonly autoFocus: boolean;
  /** Further buttons. */
  readonly children: ReactNode;
}

/** The field for a reply. A reply that couldn't be sent stays in it, and a retry sends it once. */
export function ReplyField({ ref, feedbackId, reach, autoFocus, children }: ReplyFieldProps) {
  const { text, status } = useReplyDraft(feedbackId);
  const answer = useAction('conversation', 'answer');
  const left = MAX_TEXT - text.length;
  const isFailed = status === 'failed';
  const mayBeSent = is(writtenText, text);

  async function send(): Promise<void> {
    if (!mayBeSent) return;
    const isSent = await sendReply(feedbackId, ({ key }) => answer.run({ idempotencyKey: key, feedbackId, text }));
    if (isSent) toast(t('Reply sent.'));
  }

  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Textarea
        ref={ref}
        label={t('Reply')}
        labelProps={{ className: 'visually-hidden' }}
        description={
          <span className={styles['reach']}>
            <IconEye size={16} className={styles['sign']} aria-hidden />
            {reachWords(reach)}
          </span>
        }
        value={text}
        readOnly={status === 'sending'}
        autosize
        autoFocus={autoFocus}
        minRows={2}
        maxRows={12}
        autoComplete="off"
        dir="auto"
        aria-keyshortcuts="r"
        error={left < 0 ? t.count(-left, '{count} character over the limit', '{count} characters over the limit') : undefined}
        onChange={({ currentTarget }) => typeReply(feedbackId, currentTarget.value)}
        onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && void send()}
      />
      {left >= 0 && left < COUNTDOWN_FROM && (
        <p className={styles['left']}>{t.count(left, '{count} character left', '{count} characters left')}</p>
      )}
      <Notice tone="bad">{isFailed && `${t('Not sent.')} ${answer.failure ?? ''}`}</Notice>
      <div className={styles['buttons']}>
        <Button
          type="submit"
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={status === 'sending'}
          disabled={!mayBeSent}
        >
          {isFailed ? t('Retry') : t('Send reply')}
        </Button>
        {children}
      </div>
    </form>
  );
}
