import { IconMessage2, IconMessage2Off } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type Ref, useId, useRef, useState } from 'react';
import type { Conversation } from '#contract/conversation/conversation.ts';
import { phoneLink } from '#contract/core/contact.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { conversationQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useShortcuts } from '../../../frame/chrome/shortcuts.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { t } from '../../../language.ts';
import { exactly } from '../../../ui/format/time.ts';
import { useDelayed } from '../../../ui/hooks.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Rich } from '../../../ui/Rich.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { CloseConversation, ClosedNote } from './ClosedNote.tsx';
import { Messages } from './Messages.tsx';
import styles from './PrivateReplies.module.css';
import { ReplyField } from './ReplyField.tsx';
import { callWords, forecast, obstacle } from './reply-words.ts';
import { SavedReplies } from './SavedReplies.tsx';

interface PrivateRepliesProps {
  readonly item: Feedback;
  readonly now: number;
  /** The property's time zone; undefined uses the browser's. */
  readonly zone: string | undefined;
}

/** The private conversation with the visitor, with a field for a reply. One quiet line if there is none. */
export function PrivateReplies({ item, now, zone }: PrivateRepliesProps) {
  const query = useQuery(conversationQuery(useSource(), item.id));
  const isSlow = useDelayed(query.isPending);
  const { data: conversation } = query;
  if (conversation) {
    const { messages, closed, reported } = conversation;
    const isEmpty = messages.length === 0 && !closed && reported === undefined;
    const why = obstacle(conversation, item.data.contact?.email);
    if (isEmpty && why !== undefined) return <Unreachable why={why} phone={item.data.contact?.phone} />;
    return <Talk item={item} conversation={conversation} now={now} zone={zone} />;
  }
  if (query.isError)
    return (
      <div role="alert" className={styles['line']}>
        <IconMessage2 size={18} aria-hidden />
        <span>{t('We couldn’t load the private messages.')}</span>
        <Button size="compact-sm" variant="default" onClick={() => void query.refetch()}>
          {t('Try again')}
        </Button>
      </div>
    );
  const loading = isSlow && (
    <p role="status" className={styles['quiet']}>
      {t('Loading messages')}
    </p>
  );
  return forecast(item.data) === 'line' ? loading : <TalkFrame isLoaded={false}>{loading}</TalkFrame>;
}

/** Why no reply reaches the visitor, with the number to call if they left one. */
const Unreachable = ({ why, phone }: { why: string; phone: string | undefined }) => (
  <p className={styles['line']}>
    <IconMessage2Off size={18} aria-hidden />
    <span>
      {why}
      {phone !== undefined && (
        <>
          {' '}
          <Rich text={callWords(phone)} parts={{ phone: (number) => <a href={phoneLink(phone)}>{number}</a> }} />
        </>
      )}
    </span>
  </p>
);

interface TalkProps extends PrivateRepliesProps {
  readonly conversation: Conversation;
}

function Talk({ item, conversation, now, zone }: TalkProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isReopening, setIsReopening] = useState(false);
  const readOnly = useReadOnly();
  const { reach, messages, closed, reported } = conversation;
  const why = obstacle(conversation, item.data.contact?.email);
  useShortcuts((command) => {
    if (command.do !== 'reply' || !field.current) return false;
    field.current.focus();
    return true;
  });
  const canClose = readOnly === undefined && (messages.length > 0 || reach.includes('page'));

  function onClosed(): void {
    setIsReopening(false);
    title.current?.focus();
  }

  const close = canClose && <CloseConversation feedbackId={item.id} onClosed={onClosed} />;
  return (
    <TalkFrame ref={title} isLoaded>
      {reported !== undefined && (
        <Notice tone="plain">{t('The visitor reported this conversation on {time}.', { time: exactly(reported, zone) })}</Notice>
      )}
      <Messages conversation={conversation} visitor={item.data.contact?.name} now={now} zone={zone} />
      {closed ? (
        <ClosedNote feedbackId={item.id} closed={closed} zone={zone} onReopening={setIsReopening} />
      ) : readOnly !== undefined ? (
        <Notice tone="plain">{readOnly}</Notice>
      ) : why !== undefined ? (
        <div className={styles['buttons']}>
          <p className={styles['quiet']}>{why}</p>
          {close}
        </div>
      ) : (
        <ReplyField ref={field} feedbackId={item.id} reach={reach} autoFocus={isReopening}>
          <SavedReplies item={item} onInserted={() => field.current?.focus()} />
          {close}
        </ReplyField>
      )}
    </TalkFrame>
  );
}

interface TalkFrameProps {
  readonly ref?: Ref<HTMLHeadingElement>;
  /** Until then, it fills its reserved space. */
  readonly isLoaded: boolean;
  readonly children: ReactNode;
}

function TalkFrame({ ref, isLoaded, children }: TalkFrameProps) {
  const heading = useId();
  return (
    <section className={styles['talk']} aria-labelledby={heading} aria-busy={!isLoaded || undefined} data-loaded={isLoaded || undefined}>
      <h3 id={heading} ref={ref} tabIndex={-1}>
        <IconMessage2 size={18} className={styles['sign']} aria-hidden />
        {t('Reply to the visitor')}
      </h3>
      {children}
    </section>
  );
}
