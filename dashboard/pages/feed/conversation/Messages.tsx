import { IconChecks, IconMessage2Off } from '@tabler/icons-react';
import { useState } from 'react';
import type { Conversation, ConversationMessage } from '#contract/conversation/conversation.ts';
import { isSeen } from '#contract/conversation/messages.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { ago, exactly } from '../../../ui/format/time.ts';
import { Button } from '../../../ui/theme/mantine.ts';
import styles from './PrivateReplies.module.css';

/** How many messages are shown at first. */
const SHOWN = 6;

interface ConversationMessagesProps {
  readonly conversation: Conversation;
  /** The visitor's name, if they left one. */
  readonly visitor: string | undefined;
  readonly now: number;
  readonly zone: string | undefined;
}

/** The messages, oldest first, with a mark under the last answer that the visitor has read. */
export function Messages({ conversation, visitor = t('Visitor'), now, zone }: ConversationMessagesProps) {
  const team = useTeam();
  const [areAllShown, setAllShown] = useState(false);
  const { messages, seen } = conversation;
  const shown = areAllShown ? messages : messages.slice(-SHOWN);
  const hidden = messages.length - shown.length;
  const lastRead = messages.findLast((message) => message.author !== undefined && isSeen(conversation, message));
  if (messages.length === 0) return null;
  return (
    <>
      {hidden > 0 && (
        <Button size="compact-sm" variant="subtle" className={styles['earlier'] ?? ''} onClick={() => setAllShown(true)}>
          {t.count(hidden, 'Show {count} earlier message', 'Show {count} earlier messages')}
        </Button>
      )}
      <ul className={styles['messages']} aria-label={t('Messages, oldest first')}>
        {shown.map((message) => (
          <li key={message.id} className={styles['message']} data-by={message.author === undefined ? 'visitor' : 'team'}>
            <p className={styles['who']}>
              <strong dir="auto">{message.author === undefined ? visitor : personName(team, message.author)}</strong>{' '}
              <SentAt message={message} now={now} zone={zone} />
            </p>
            <p className={styles['text']} dir="auto">
              {message.text}
            </p>
            {message.undelivered && (
              <p className={styles['read']} data-tone="bad">
                <IconMessage2Off size={14} aria-hidden />
                {t('Email not delivered')}
              </p>
            )}
            {message === lastRead && (
              <p className={styles['read']} title={seen === undefined ? undefined : exactly(seen, zone)}>
                <IconChecks size={14} aria-hidden />
                {t.in('message', 'Read')}
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const SentAt = ({ message: { sent }, now, zone }: { message: ConversationMessage; now: number; zone: string | undefined }) => (
  <time dateTime={new Date(sent).toISOString()} title={exactly(sent, zone)}>
    {ago(sent, now, zone)}
  </time>
);
