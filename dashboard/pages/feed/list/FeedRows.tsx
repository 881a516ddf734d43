import { IconCalendarOff, IconMapPinOff, IconSearchOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Account } from '#contract/account/account.ts';
import { messageOf } from '../../../data/errors.ts';
import { type Period, periodLabel, rangeOf } from '../../../frame/numbers/period.ts';
import { useToolNames } from '../../../frame/share/tools.ts';
import { propertyName, propertyZone, useTeam } from '../../../frame/team.ts';
import { Face } from '../../../ui/Face.tsx';
import { localZone } from '../../../ui/format/time.ts';
import { useDelayed } from '../../../ui/hooks.ts';
import { EmptyState } from '../../../ui/messages/EmptyState.tsx';
import { Button, Checkbox } from '../../../ui/theme/mantine.ts';
import { useCommentCounts } from '../comments/useCommentCounts.ts';
import { FirstUse } from '../first/FirstUse.tsx';
import type { Scope } from '../scope.ts';
import { type Selection, useFocusOnArrival } from '../selection.ts';
import type { Bulk } from '../work/useBulk.ts';
import { FeedRow } from './FeedRow.tsx';
import styles from './FeedRows.module.css';
import { ListHead } from './ListHead.tsx';
import { shownOf, type Total } from './total.ts';
import type { FeedList } from './useFeedList.ts';
import type { Unseen } from './useUnseen.ts';

interface FeedRowsProps {
  readonly scope: Scope;
  readonly list: FeedList;
  readonly unseen: Unseen;
  readonly selection: Selection;
  readonly bulk: Bulk;
  readonly isWide: boolean;
  /** The total number of rows, if known. */
  readonly total: Total | undefined;
  /** A filter is active; the period doesn't count as one. */
  readonly isFiltered: boolean;
  /** The list is filtered by a placement. */
  readonly isOfPlacement: boolean;
  /** The search text to highlight. */
  readonly words: string | undefined;
  readonly onClear: () => void;
  /** Switches to all time. */
  readonly onWiden: () => void;
  readonly now: number;
}

/** The list in each of its states (docs/rules.md#list-states). */
export function FeedRows({
  scope,
  list,
  unseen,
  selection,
  bulk,
  isWide,
  total,
  isFiltered,
  isOfPlacement,
  words,
  onClear,
  onWiden,
  now,
}: FeedRowsProps) {
  const team = useTeam();
  const nameOfTool = useToolNames();
  const { rows } = list;
  const focusOnArrival = useFocusOnArrival(rows);
  const comments = useCommentCounts(rows);
  const isSlow = useDelayed(list.status === 'not fetched' || list.isOld);
  if (list.status === 'not fetched') return <RowSkeletons count={scope.of === 'urgent' ? 4 : 8} isShown={isSlow} />;
  if (list.status === 'gone') return isOfPlacement ? <PlacementGone onClear={onClear} /> : <PropertyGone />;
  if (list.status === 'error') return <NotLoaded error={list.error} onRetry={list.retry} />;
  function showUnseen(): void {
    selection.hold();
    const newest = unseen.show();
    scrollTo({ top: 0 });
    focusOnArrival((arrived) => arrived.find(({ id }) => id === newest));
  }

  function loadMore(): void {
    const last = rows.at(-1)?.id;
    list.loadMore();
    focusOnArrival((arrived) => arrived[arrived.findIndex(({ id }) => id === last) + 1]);
  }

  const isLoading = list.isOld && !list.failed;
  if (list.status === 'empty' && scope.of === 'urgent' && !isFiltered) return <NothingUrgent />;
  if (list.status === 'empty' && !isFiltered && list.period.name !== 'all' && isOlderThan(list.period, team.account, now))
    return <NothingInPeriod period={list.period} onWiden={onWiden} />;
  if (list.status === 'empty' && !isFiltered) return <FirstUse scope={scope} />;
  return (
    <>
      <ListHead
        list={list}
        unseen={unseen}
        total={total}
        isLoading={isLoading && isSlow}
        isSelecting={bulk.isOn}
        isHome={scope.of === 'account'}
        onShow={showUnseen}
      />
      {list.status === 'empty' && <NothingMatches onClear={onClear} />}
      <ul className={styles['rows']} aria-label="Feedback" aria-busy={isLoading || undefined}>
        {rows.map((item) => (
          <li key={item.id} className={styles['item']} data-picking={bulk.isOn || undefined}>
            {bulk.isOn && (
              <Checkbox
                className={styles['pick'] ?? ''}
                checked={bulk.isPicked(item.id)}
                onChange={() => bulk.toggle(item.id)}
                aria-labelledby={item.id}
              />
            )}
            <FeedRow
              item={item}
              comments={comments.get(item.id)}
              propertyName={scope.of === 'property' ? undefined : propertyName(team, item.data.projectId)}
              placement={nameOfTool(item.data.toolId)}
              isWaitingList={scope.of === 'urgent'}
              isOpen={item.id === selection.shownId}
              replaces={isWide && selection.openId !== undefined}
              words={words}
              now={now}
              zone={propertyZone(team, item.data.projectId)}
            />
          </li>
        ))}
      </ul>
      {list.hasMore && <More list={list} total={total} onMore={loadMore} />}
    </>
  );
}

/** The button isn't disabled while it loads, so that it keeps the focus. */
function More({
  list: { rows, isLoadingMore, isMoreFailed },
  total,
  onMore,
}: {
  list: FeedList;
  total: Total | undefined;
  onMore: () => void;
}) {
  return (
    <div className={styles['more']}>
      <Button
        variant="default"
        className={styles['moreButton'] ?? ''}
        aria-disabled={isLoadingMore || undefined}
        onClick={isLoadingMore ? undefined : onMore}
      >
        {isLoadingMore ? 'Loading…' : 'Load 25 more'}
      </Button>
      <p role="status">{isMoreFailed && !isLoadingMore ? 'We couldn’t load more. Try again.' : shownOf(rows, total)}</p>
    </div>
  );
}

const NotLoaded = ({ error, onRetry }: { error: Error | null; onRetry: () => void }) => (
  <EmptyState role="alert" title="We couldn’t load feedback." action={<Button onClick={onRetry}>Try again</Button>}>
    {messageOf(error)}
  </EmptyState>
);

/** Shown if the address names a deleted property. */
export function PropertyGone() {
  const { paths } = useTeam();
  return (
    <EmptyState
      role="alert"
      icon={<IconMapPinOff size={32} stroke={1.5} aria-hidden />}
      title="This property no longer exists."
      action={
        <Button component={Link} to={paths.feed}>
          All feedback
        </Button>
      }
    />
  );
}

const PlacementGone = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    role="alert"
    icon={<IconMapPinOff size={32} stroke={1.5} aria-hidden />}
    title="This placement no longer exists."
    action={
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    }
  />
);

const NothingMatches = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    icon={<IconSearchOff size={32} stroke={1.5} aria-hidden />}
    title="No feedback matches."
    action={
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    }
  >
    Try a longer period or fewer filters.
  </EmptyState>
);

/** Returns true if the account is older than the period, so that there may be earlier feedback. */
const isOlderThan = (period: Period, { data: { created } }: Account, now: number): boolean =>
  created < (rangeOf(period, now, localZone()).from ?? created);

const NothingInPeriod = ({ period, onWiden }: { period: Period; onWiden: () => void }) => (
  <EmptyState
    icon={<IconCalendarOff size={32} stroke={1.5} aria-hidden />}
    title={`No feedback in this period: ${periodLabel(period)}.`}
    action={
      <Button variant="default" onClick={onWiden}>
        Show all time
      </Button>
    }
  />
);

const NothingUrgent = () => (
  <EmptyState icon={<Face rating={5} size={40} />} title="All clear.">
    No one is waiting.
  </EmptyState>
);

/** Placeholders as high as rows. They take up space from the start, and become visible if loading takes long. */
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
