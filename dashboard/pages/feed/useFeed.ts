import { type RefObject, useEffect, useRef } from 'react';
import { useShortcuts } from '../../frame/chrome/shortcuts.ts';
import { adjacentPeriod, type Period } from '../../frame/numbers/period.ts';
import { periodOf, searchFor } from '../../frame/numbers/period-search.ts';
import { useCounts } from '../../frame/numbers/useCounts.ts';
import { useReadOnly } from '../../frame/plan/read-only.ts';
import { useTeam } from '../../frame/team.ts';
import { localZone } from '../../ui/format/time.ts';
import { useIsWide, useNow } from '../../ui/hooks.ts';
import { exactly } from './list/total.ts';
import { useFeedList } from './list/useFeedList.ts';
import { useTotal } from './list/useTotal.ts';
import { useUnseen } from './list/useUnseen.ts';
import { feedQueryOf, isTotalled, type Scope, summaryQueriesOf, totalOf, usualPeriod, within } from './scope.ts';
import { type ChangeSearch, filtersOf, useFeedSearch } from './search.ts';
import { type Selection, useSelection } from './selection.ts';
import { useFeedView } from './views/useFeedView.ts';
import { useBulk } from './work/useBulk.ts';
import { useWork, type WorkActions } from './work/useWork.ts';

export type Feed = ReturnType<typeof useFeed>;

/** Returns everything a feed page shows: the filters of the address, the rows, the counts and the open item. */
export function useFeed(scope: Scope) {
  const { account } = useTeam();
  const now = useNow();
  const isWide = useIsWide();
  const [fromAddress, change] = useFeedSearch();
  const search = within(scope, fromAddress);
  const context = { account, now, zone: localZone() };
  const view = useFeedView(scope, search, change);
  const usual = usualPeriod(scope);
  const period = periodOf(search, usual);
  const choosePeriod = (chosen: Period) => change(searchFor(chosen, usual));
  const isFiltered = filtersOf(search).length > 0;
  const isNarrowed = isFiltered || period.name !== usual;
  const query = feedQueryOf(scope, search, context);
  const list = useFeedList(query, { period, isHome: scope.of === 'account' && !isNarrowed });
  const unseen = useUnseen(query, list);
  const selection = useSelection({ list, openId: search.id, isWide, change });
  const searchBox = useRef<HTMLInputElement>(null);
  const work = useWork();
  useReadOnOpen(selection, work.change);
  useFeedShortcuts({ period, choosePeriod, change, selection, searchBox, work });
  const counts = useCounts(summaryQueriesOf(scope, search, context), { period, isShown: scope.of !== 'urgent' });
  const summed = counts.isOld ? undefined : totalOf(scope, search, counts.shown);
  const counted = useTotal(query, { isNeeded: list.hasMore && !list.isOld && !isTotalled(scope, search) });
  return {
    ...{
      scope,
      search,
      query,
      change,
      view,
      work,
      bulk: useBulk(list.rows),
      period,
      choosePeriod,
      searchBox,
      now,
      isWide,
      isFiltered,
      isNarrowed,
      selection,
    },
    list: { ...list, retry },
    total: summed === undefined ? counted : exactly(summed),
    unseen: { ...unseen, retry },
    counts: { ...counts, retry },
  };

  /** Retries every failed request, whichever button was pressed. */
  function retry(): void {
    for (const each of [counts, list, unseen]) if (each.failed) each.retry();
  }
}

interface FeedShortcuts {
  readonly period: Period;
  readonly choosePeriod: (period: Period) => void;
  readonly change: ChangeSearch;
  readonly selection: Selection;
  readonly searchBox: RefObject<HTMLInputElement | null>;
  readonly work: WorkActions;
}

/** Marks an item as read when it opens, unless the account is read-only. An open item marked as unread stays unread. */
function useReadOnOpen({ openId, shown }: Selection, change: WorkActions['change']): void {
  const isUnread = openId !== undefined && shown?.id === openId && shown.data.unread === true;
  const last = useRef<string>(undefined);
  const isOff = useReadOnly() !== undefined;
  useEffect(() => {
    if (openId === undefined || shown?.id !== openId) return;
    if (isUnread && !isOff && last.current !== openId) change([shown], { unread: false });
    last.current = openId;
  }, [openId, shown, isUnread, isOff, change]);
}

/** Runs the keyboard commands. */
function useFeedShortcuts({ period, choosePeriod, change, selection, searchBox, work }: FeedShortcuts): void {
  useShortcuts((command) => {
    switch (command.do) {
      case 'step':
        selection.step(command.by);
        return true;
      case 'close':
        return selection.close();
      case 'rate':
        change({ rating: command.rating });
        return true;
      case 'period':
        choosePeriod({ name: adjacentPeriod(period, command.by) });
        return true;
      case 'done': {
        const { shown } = selection;
        if (!shown) return false;
        work.change([shown], { status: shown.data.status === 'done' ? 'open' : 'done' });
        if (command.isNext) selection.step(1);
        return true;
      }
      case 'unread':
        if (selection.shown) work.change([selection.shown], { unread: !selection.shown.data.unread });
        return selection.shown !== undefined;
      case 'undo':
        return work.undo();
      case 'search':
        searchBox.current?.focus();
        return true;
      default:
        return false;
    }
  });
}
