import { IconCalendarOff, IconMapPinOff, IconSearchOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Account } from '#contract/account/account.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { messageOf } from '../../../data/errors.ts';
import { type Period, periodLabel, rangeOf } from '../../../frame/numbers/period.ts';
import { useToolNames } from '../../../frame/share/tools.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Face } from '../../../ui/Face.tsx';
import { localZone } from '../../../ui/format/time.ts';
import { useDelayed, useIsWide } from '../../../ui/hooks.ts';
import { EmptyState, NotLoaded } from '../../../ui/messages/EmptyState.tsx';
import { Button, Checkbox } from '../../../ui/theme/mantine.ts';
import { useCommentCounts } from '../comments/useCommentCounts.ts';
import { useBulk, useFeedContent, useFilters, useSelection } from '../contexts.ts';
import { FirstUse } from '../first/FirstUse.tsx';
import { useFocusOnArrival } from '../selection.ts';
import { FeedRow, type SharedByRows } from './FeedRow.tsx';
import styles from './FeedRows.module.css';
import { ListHead } from './ListHead.tsx';
import { shownOf } from './total.ts';

/** The list in each of its states (docs/rules.md#list-states). */
export function FeedRows() {
  const { scope, search, isFiltered, clear, choosePeriod, now } = useFilters();
  const { list } = useFeedContent();
  const { account } = useTeam();
  if (list.status === 'not fetched') return <RowSkeletons count={scope.of === 'urgent' ? 4 : 8} />;
  if (list.status === 'gone') return search.tool === undefined ? <PropertyGone /> : <PlacementGone onClear={clear} />;
  if (list.status === 'error')
    return (
      <NotLoaded title={t('We couldn’t load feedback.')} onRetry={list.retry}>
        {messageOf(list.error)}
      </NotLoaded>
    );
  if (list.status === 'populated' || isFiltered) return <Rows />;
  if (scope.of === 'urgent') return <NothingUrgent />;
  if (list.period.name !== 'all' && isOlderThan(list.period, account, now))
    return <NothingInPeriod period={list.period} onWiden={() => choosePeriod({ name: 'all' })} />;
  return <FirstUse scope={scope} />;
}

function Rows() {
  const { list, unseen } = useFeedContent();
  const { clear } = useFilters();
  const { hold } = useSelection();
  const { rows } = list;
  const focusOnArrival = useFocusOnArrival(rows);
  const isLoading = list.isOld && !list.failed;
  const isSlow = useDelayed(list.isOld);

  function showUnseen(): void {
    hold();
    const newest = unseen.show();
    scrollTo({ top: 0 });
    focusOnArrival((arrived) => arrived.find(({ id }) => id === newest));
  }

  function loadMore(): void {
    const last = rows.at(-1)?.id;
    list.loadMore();
    focusOnArrival((arrived) => arrived[arrived.findIndex(({ id }) => id === last) + 1]);
  }

  return (
    <>
      <ListHead isLoading={isLoading && isSlow} onShow={showUnseen} />
      {list.status === 'empty' && <NothingMatches onClear={clear} />}
      <FirstAnswer />
      <ul className={styles['rows']} aria-label={t('Feedback')} aria-busy={isLoading || undefined}>
        <Items rows={rows} />
      </ul>
      {list.hasMore && <More onMore={loadMore} />}
    </>
  );
}

/** A new business's only answer so far, apart from tests, gets a line of its own. */
function FirstAnswer() {
  const { scope, isNarrowed, now } = useFilters();
  const { list } = useFeedContent();
  const { account } = useTeam();
  const [first, ...others] = list.rows.filter(({ data }) => !data.test);
  const isWhole = scope.of === 'account' && !isNarrowed && !isOlderThan(list.period, account, now);
  if (!isWhole || !first || others.length > 0) return null;
  return (
    <p className={styles['first']}>
      <span className={styles['moment']}>
        <Face rating={first.data.rating} size={28} />
      </span>
      <span>
        <strong>{t('Your first answer.')}</strong> {t('New ones appear here within a second.')}
      </span>
    </p>
  );
}

function Items({ rows }: { rows: readonly Feedback[] }) {
  const { isOn, isPicked, toggle } = useBulk();
  const { shownId } = useSelection();
  const comments = useCommentCounts(rows);
  const shared = useShared();
  return rows.map((item) => (
    <li key={item.id} className={styles['item']} data-picking={isOn || undefined}>
      {isOn && (
        <Checkbox className={styles['pick'] ?? ''} checked={isPicked(item.id)} onChange={() => toggle(item.id)} aria-labelledby={item.id} />
      )}
      <FeedRow item={item} comments={comments.get(item.id)} isOpen={item.id === shownId} shared={shared} />
    </li>
  ));
}

/** Returns the props that the rows share, as the same object until one changes. */
function useShared(): SharedByRows {
  const { scope, search, now } = useFilters();
  const { openId } = useSelection();
  const nameOfTool = useToolNames();
  const replaces = useIsWide() && openId !== undefined;
  const { q: words } = search;
  return useMemo(() => ({ of: scope.of, replaces, words, now, nameOfTool }), [scope.of, replaces, words, now, nameOfTool]);
}

/** The button isn't disabled while it loads, so that it keeps the focus. */
function More({ onMore }: { onMore: () => void }) {
  const { list, total } = useFeedContent();
  const { rows, isLoadingMore, isMoreFailed } = list;
  return (
    <div className={styles['more']}>
      <Button
        variant="default"
        className={styles['moreButton'] ?? ''}
        aria-disabled={isLoadingMore || undefined}
        onClick={isLoadingMore ? undefined : onMore}
      >
        {isLoadingMore ? t('Loading…') : t('Load 25 more')}
      </Button>
      <p role="status">{isMoreFailed && !isLoadingMore ? t('We couldn’t load more. Try again.') : shownOf(rows, total)}</p>
    </div>
  );
}

/** Shown if the address names a deleted property. */
export function PropertyGone() {
  const { paths } = useTeam();
  return (
    <EmptyState
      role="alert"
      icon={<IconMapPinOff size={32} stroke={1.5} aria-hidden />}
      title={t('This property no longer exists.')}
      action={
        <Button component={Link} to={paths.feed}>
          {t('All feedback')}
        </Button>
      }
    />
  );
}

const PlacementGone = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    role="alert"
    icon={<IconMapPinOff size={32} stroke={1.5} aria-hidden />}
    title={t('This placement no longer exists.')}
    action={
      <Button variant="default" onClick={onClear}>
        {t('Clear filters')}
      </Button>
    }
  />
);

const NothingMatches = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    icon={<IconSearchOff size={32} stroke={1.5} aria-hidden />}
    title={t('No feedback matches.')}
    action={
      <Button variant="default" onClick={onClear}>
        {t('Clear filters')}
      </Button>
    }
  >
    {t('Try a longer period or fewer filters.')}
  </EmptyState>
);

/** Returns true if the account is older than the period, so that there may be earlier feedback. */
const isOlderThan = (period: Period, { data: { created } }: Account, now: number): boolean =>
  created < (rangeOf(period, now, localZone()).from ?? created);

const NothingInPeriod = ({ period, onWiden }: { period: Period; onWiden: () => void }) => (
  <EmptyState
    icon={<IconCalendarOff size={32} stroke={1.5} aria-hidden />}
    title={t('No feedback in this period: {period}.', { period: periodLabel(period) })}
    action={
      <Button variant="default" onClick={onWiden}>
        {t('Show all time')}
      </Button>
    }
  />
);

const NothingUrgent = () => (
  <EmptyState
    icon={
      <span className={styles['moment']}>
        <Face rating={5} size={64} />
      </span>
    }
    title={t('All caught up')}
  >
    {t('No one is waiting. Urgent feedback appears here within a second.')}
  </EmptyState>
);

/** Placeholders as high as rows. They take up space from the start, and become visible if loading takes long. */
function RowSkeletons({ count }: { count: number }) {
  const isShown = useDelayed(true);
  return (
    <div aria-busy>
      <p role="status" className="visually-hidden">
        {isShown ? t('Loading feedback') : ''}
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
