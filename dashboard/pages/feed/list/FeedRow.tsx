import { IconMessageCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';

import { isWaiting } from '#contract/feedback/work.ts';
import { ROW } from '../../../frame/chrome/shortcuts.ts';
import { propertyName, propertyZone, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Face } from '../../../ui/Face.tsx';
import { Highlighted } from '../../../ui/format/Highlighted.tsx';
import { ratingWord } from '../../../ui/format/rating.ts';
import { ago, exactly, waitedFor } from '../../../ui/format/time.ts';
import type { Scope } from '../scope.ts';
import { focusDetail } from '../selection.ts';
import { WorkMarks } from '../work/WorkMarks.tsx';
import styles from './FeedRow.module.css';

/** The props that all rows of a list share. */
export interface SharedByRows {
  /** The kind of feed. A property's rows don't name it; urgent rows show why and how long a visitor has been waiting. */
  readonly of: Scope['of'];
  /** A row is open beside the list: another one replaces it, in the browser history too. */
  readonly replaces: boolean;
  /** The search text to highlight. */
  readonly words: string | undefined;
  readonly now: number;
  readonly nameOfTool: (toolId: string | undefined) => string | undefined;
}

interface RowPartProps {
  readonly item: Feedback;
  readonly shared: SharedByRows;
}

interface FeedRowProps extends RowPartProps {
  /** The number of comments; undefined if there are none. */
  readonly comments: number | undefined;
  readonly isOpen: boolean;
}

/** One item of feedback in the list: the whole row is one link. */
export const FeedRow = memo(function FeedRow({ item, comments, isOpen, shared }: FeedRowProps) {
  const { id, data } = item;
  return (
    <Link
      to="."
      search={(previous: object) => ({ ...previous, id })}
      replace={shared.replaces}
      state={shared.replaces || { isOpened: true }}
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
      <Words data={data} words={shared.words} />
      <When item={item} shared={shared} />
      <span className={styles['meta']}>
        <Marks item={item} shared={shared} />
        {comments !== undefined && <span>{t.count(comments, '{count} comment', '{count} comments')}</span>}
      </span>
    </Link>
  );
});

const Words = ({ data, words }: Pick<Feedback, 'data'> & Pick<SharedByRows, 'words'>) => (
  <span className={styles['text']}>
    <span className="visually-hidden">
      {data.unread && `${t('Unread.')} `}
      {ratingWord(data.rating)}.{' '}
    </span>
    {data.textFeedback === undefined ? (
      <span className={styles['none']}>{t('No comment')}</span>
    ) : (
      <span dir="auto">
        <Highlighted text={data.textFeedback} words={words} />
      </span>
    )}
  </span>
);

function When({ item: { data }, shared: { of, now } }: RowPartProps) {
  const zone = propertyZone(useTeam(), data.projectId);
  return (
    <time
      className={styles['when']}
      dateTime={new Date(data.created).toISOString()}
      title={exactly(data.created, zone)}
      // A minute may pass between drawing and hydrating.
      suppressHydrationWarning
    >
      {of === 'urgent' ? waitedFor(data.created, now) : ago(data.created, now, zone)}
    </time>
  );
}

/** The feedback's property and placement, and badges such as Urgent. */
function Marks({ item, shared: { of, nameOfTool } }: RowPartProps) {
  const team = useTeam();
  const { gs1sk, data } = item;
  const place = of === 'property' ? undefined : propertyName(team, data.projectId);
  const placement = nameOfTool(data.toolId);
  return (
    <>
      {data.test && <span className={styles['test']}>{t('Test')}</span>}
      {place && <span>{place}</span>}
      {placement && <span>{placement}</span>}
      <WorkMarks item={item} />
      {gs1sk === 'URGENT' && of !== 'urgent' && isWaiting(item) && <span className={styles['urgent']}>{t('Urgent')}</span>}
      {data.kind === 'contact me' ? (
        <span className={styles['contact']} data-waiting={isWaiting(item) || undefined}>
          <IconMessageCircle size={14} aria-hidden />
          {t('Wants contact')}
        </span>
      ) : (
        of === 'urgent' && <span className={styles['urgent']}>{t('Rated {rating}', { rating: ratingWord(data.rating) })}</span>
      )}
      {data.converted !== undefined && <span>{t('Review opened')}</span>}
    </>
  );
}
