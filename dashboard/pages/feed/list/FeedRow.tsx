import { IconMessageCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { RATING_WORDS } from '#contract/feedback/rating.ts';
import { isWaiting } from '#contract/feedback/work.ts';
import { ROW } from '../../../frame/chrome/shortcuts.ts';
import { Face } from '../../../ui/Face.tsx';
import { Highlighted } from '../../../ui/format/Highlighted.tsx';
import { ago, exactly, waitedFor } from '../../../ui/format/time.ts';
import { focusDetail } from '../selection.ts';
import { WorkMarks } from '../work/WorkMarks.tsx';
import styles from './FeedRow.module.css';

interface FeedRowProps {
  readonly item: Feedback;
  /** The number of comments; undefined if there are none. */
  readonly comments: number | undefined;
  /** Undefined if every row is of the same property. */
  readonly propertyName: string | undefined;
  /** The name of the code's placement. */
  readonly placement: string | undefined;
  /** True in the urgent feed, where rows show why and how long a visitor has been waiting. */
  readonly isWaitingList: boolean;
  readonly isOpen: boolean;
  /** Another row is open beside the list: this one replaces it, in the browser history too. */
  readonly replaces: boolean;
  /** The search text to highlight. */
  readonly words: string | undefined;
  readonly now: number;
  /** The property's time zone; undefined uses the browser's. */
  readonly zone: string | undefined;
}

/** One item of feedback in the list: the whole row is one link. */
export const FeedRow = memo(function FeedRow({
  item,
  comments,
  propertyName,
  placement,
  isWaitingList,
  isOpen,
  replaces,
  words,
  now,
  zone,
}: FeedRowProps) {
  const { id, gs1sk, data } = item;
  return (
    <Link
      to="."
      search={(previous: object) => ({ ...previous, id })}
      replace={replaces}
      state={replaces || { isOpened: true }}
      resetScroll={false}
      // Detail 0 means that the keyboard clicked, so the focus moves to the opened feedback.
      onClick={({ detail }) => detail === 0 && focusDetail()}
      id={id}
      className={styles['row']}
      aria-current={isOpen ? 'true' : undefined}
      data-unread={data.unread}
      data-done={data.status === 'done' || undefined}
      {...{ [ROW]: '' }}
    >
      <Face rating={data.rating} />
      <span className={styles['text']}>
        <span className="visually-hidden">
          {data.unread && 'Unread. '}
          {RATING_WORDS[data.rating]}.{' '}
        </span>
        {data.textFeedback === undefined ? (
          <span className={styles['none']}>No comment</span>
        ) : (
          <span dir="auto">
            <Highlighted text={data.textFeedback} words={words} />
          </span>
        )}
      </span>
      <time
        className={styles['when']}
        dateTime={new Date(data.created).toISOString()}
        title={exactly(data.created, zone)}
        // A minute may pass between drawing and hydrating.
        suppressHydrationWarning
      >
        {isWaitingList ? waitedFor(data.created, now) : ago(data.created, now, zone)}
      </time>
      <span className={styles['meta']}>
        {data.test && <span className={styles['test']}>Test</span>}
        {propertyName && <span>{propertyName}</span>}
        {placement && <span>{placement}</span>}
        <WorkMarks item={item} />
        {gs1sk === 'URGENT' && !isWaitingList && isWaiting(item) && <span className={styles['urgent']}>Urgent</span>}
        {data.kind === 'contact me' ? (
          <span className={isWaiting(item) ? styles['contact'] : undefined}>
            <IconMessageCircle size={14} aria-hidden />
            Wants contact
          </span>
        ) : (
          isWaitingList && <span className={styles['urgent']}>Rated {RATING_WORDS[data.rating]}</span>
        )}
        {data.converted !== undefined && <span>Review opened</span>}
        {comments !== undefined && <span>{comments === 1 ? '1 comment' : `${comments} comments`}</span>}
      </span>
    </Link>
  );
});
