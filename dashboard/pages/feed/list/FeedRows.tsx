import { IconArrowUp, IconMoodHappy, IconQrcode, IconSearchOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { propertyName, useTeam } from '../../../frame/team.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { useDelayed } from '../../../ui/hooks.ts';
import { Button } from '../../../ui/mantine.ts';
import { clock } from '../../../ui/time.ts';
import type { Scope } from '../scope.ts';
import { FeedRow } from './FeedRow.tsx';
import styles from './FeedRows.module.css';
import type { FeedList } from './useFeedList.ts';
import type { Unseen } from './useUnseen.ts';

interface FeedRowsProps {
  readonly scope: Scope;
  readonly list: FeedList;
  readonly openId: string | undefined;
  /** The number of rows in all, where it is known. */
  readonly total: number | undefined;
  readonly isNarrowed: boolean;
  readonly onClear: () => void;
  readonly now: number;
}

/** The list in each of its states (docs/rules.md#list-states). */
export function FeedRows({ scope, list, openId, total, isNarrowed, onClear, now }: FeedRowsProps) {
  const team = useTeam();
  const isSlow = useDelayed(list.status === 'not fetched' || list.isOld);
  if (list.status === 'not fetched') return <RowSkeletons count={scope.of === 'urgent' ? 4 : 8} isShown={isSlow} />;
  if (list.status === 'error') return <NotLoaded onRetry={list.retry} />;
  if (list.status === 'empty') return isNarrowed ? <NothingMatches onClear={onClear} /> : <NothingYet scope={scope} />;
  return (
    <>
      {list.failed ? <Old list={list} /> : <p className={styles['progress']} data-shown={(list.isOld && isSlow) || undefined} />}
      <ul aria-label="Feedback" aria-busy={list.isOld || undefined}>
        {list.rows.map((item) => (
          <li key={item.id} className={styles['item']}>
            <FeedRow
              item={item}
              propertyName={scope.of === 'property' ? undefined : propertyName(team, item.data.projectId)}
              isOpen={item.id === openId}
              now={now}
            />
          </li>
        ))}
      </ul>
      <More list={list} total={total} />
    </>
  );
}

function More({ list: { rows, hasMore, isLoadingMore, loadMore }, total }: { list: FeedList; total: number | undefined }) {
  return (
    <div className={styles['more']}>
      {hasMore && (
        <Button variant="default" onClick={loadMore} loading={isLoadingMore}>
          Load 25 more
        </Button>
      )}
      <p>
        {total !== undefined && total >= rows.length ? `${rows.length} of ${total}` : `${rows.length}${hasMore ? ' shown' : ' in all'}`}
      </p>
    </div>
  );
}

/** The notice above rows that could not be brought up to date. */
function Old({ list: { updatedAt, retry } }: { list: FeedList }) {
  return (
    <div className={styles['notice']} role="status">
      <span>We couldn’t load feedback. {updatedAt > 0 && `Last updated ${clock(updatedAt)}`}</span>
      <Button size="compact-sm" variant="default" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}

const NotLoaded = ({ onRetry }: { onRetry: () => void }) => (
  <EmptyState role="alert" title="We couldn’t load feedback." action={<Button onClick={onRetry}>Try again</Button>}>
    Check your connection, then try again.
  </EmptyState>
);

const NothingMatches = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    icon={<IconSearchOff size={32} stroke={1.5} aria-hidden />}
    title="Nothing matches."
    action={
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    }
  />
);

function NothingYet({ scope }: { scope: Scope }): ReactNode {
  if (scope.of !== 'urgent') return <FirstUse scope={scope} />;
  return (
    <EmptyState icon={<IconMoodHappy size={40} stroke={1.5} aria-hidden />} title="All clear.">
      Nobody is waiting.
    </EmptyState>
  );
}

/** There is no feedback, and no filter is the reason: how to get some. */
function FirstUse({ scope }: { scope: Scope }) {
  const { paths } = useTeam();
  return (
    <EmptyState
      icon={<IconQrcode size={32} stroke={1.5} aria-hidden />}
      title={scope.of === 'property' ? `No feedback for ${scope.property.data.displayName} yet.` : 'No feedback yet.'}
      action={
        <Button component={Link} to={paths.properties} variant="default">
          Get your form’s address
        </Button>
      }
    >
      Put your form’s address where visitors pay. One tap is enough for them to answer.
    </EmptyState>
  );
}

/** Skeletons as high as rows. Their room is reserved from the start; they are drawn when loading takes longer. */
function RowSkeletons({ count, isShown }: { count: number; isShown: boolean }) {
  return (
    <div aria-busy>
      <p role="status" className="visually-hidden">
        {isShown ? 'Loading feedback' : ''}
      </p>
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <div key={index} className={styles['skeleton']} data-shown={isShown || undefined} aria-hidden>
          <span className={styles['skeletonFace']} />
          <span className={styles['skeletonText']} />
          <span className={styles['skeletonMeta']} />
        </div>
      ))}
    </div>
  );
}

/** Announces how many rows a filter left, for people who do not see the list change. */
export function Results({ list: { status, rows, hasMore, isOld }, isNarrowed }: { list: FeedList; isNarrowed: boolean }) {
  const isThere = isNarrowed && !isOld && (status === 'populated' || status === 'empty');
  return (
    <p role="status" className="visually-hidden">
      {isThere ? `${rows.length}${hasMore ? ' or more' : ''} ${rows.length === 1 ? 'result' : 'results'}` : ''}
    </p>
  );
}

/** "3 new": shows them on demand, so that no row moves under the pointer. */
export function NewPill({ unseen: { count, isAtLeast, show } }: { unseen: Unseen }) {
  return (
    <div role="status" className={styles['pillSlot']}>
      {count > 0 && (
        <button type="button" className={styles['newPill']} onClick={show}>
          <IconArrowUp size={16} aria-hidden />
          {count}
          {isAtLeast ? '+' : ''} new
          <span className="visually-hidden"> – show</span>
        </button>
      )}
    </div>
  );
}
