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
  /** How many the team wrote; undefined where there is none. */
  readonly comments: number | undefined;
  /** Left out where every row is of the same property. */
  readonly propertyName: string | undefined;
  /** Where its code stands. */
  readonly placement: string | undefined;
  /** Every row is of somebody who waits: it says why, and for how long. */
  readonly isWaitingList: boolean;
  readonly isOpen: boolean;
  /** Another is open beside the list: this one takes its place, in the history too. */
  readonly replaces: boolean;
  /** The words that were searched for. */
  readonly words: string | undefined;
  readonly now: number;
  /** Of the place; undefined: this browser's. */
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
      search={(before: object) => ({ ...before, id })}
      replace={replaces}
      state={replaces || { isOpened: true }}
      resetScroll={false}
      // A click that no pointer made: the keyboard goes on with what it opened.
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
