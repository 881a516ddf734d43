import { IconMessageCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Feedback } from '#contract/feedback.ts';
import { RATING_WORDS } from '#contract/rating.ts';
import { ROW } from '../../../frame/shortcuts.ts';
import { Face } from '../../../ui/Face.tsx';
import { ago, exactly } from '../../../ui/time.ts';
import { focusDetail } from '../selection.ts';
import styles from './FeedRow.module.css';

interface FeedRowProps {
  readonly item: Feedback;
  /** Left out where every row is of the same property. */
  readonly propertyName: string | undefined;
  readonly isOpen: boolean;
  readonly now: number;
}

/** One piece of feedback in the list: the whole row is one link. */
export const FeedRow = memo(function FeedRow({ item: { id, gs1sk, data }, propertyName, isOpen, now }: FeedRowProps) {
  return (
    <Link
      to="."
      search={(before: object) => ({ ...before, id })}
      resetScroll={false}
      // A click that no pointer made: the keyboard goes on with what it opened.
      onClick={({ detail }) => detail === 0 && focusDetail()}
      id={id}
      className={styles['row']}
      aria-current={isOpen ? 'true' : undefined}
      {...{ [ROW]: '' }}
    >
      <Face rating={data.rating} />
      <span className={styles['text']}>
        <span className="visually-hidden">{RATING_WORDS[data.rating]}. </span>
        {data.textFeedback ?? <span className={styles['none']}>(no text)</span>}
      </span>
      <time className={styles['when']} dateTime={new Date(data.created).toISOString()} title={exactly(data.created)}>
        {ago(data.created, now)}
      </time>
      <span className={styles['meta']}>
        {propertyName && <span>{propertyName}</span>}
        {gs1sk === 'URGENT' && <span className={styles['urgent']}>Urgent</span>}
        {data.kind === 'contact me' && (
          <span className={styles['contact']}>
            <IconMessageCircle size={14} aria-hidden />
            Wants contact
          </span>
        )}
        {data.converted !== undefined && <span>Review opened</span>}
      </span>
    </Link>
  );
});
