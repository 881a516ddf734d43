import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useShortcuts } from '../../frame/chrome/shortcuts.ts';
import { adjacentPeriod } from '../../frame/numbers/period.ts';
import { type Counts, useCounts } from '../../frame/numbers/useCounts.ts';
import { useReadOnly } from '../../frame/plan/read-only.ts';
import { useStable } from '../../ui/hooks.ts';
import {
  BulkContext,
  CountsContext,
  type FeedContent,
  FeedContentContext,
  FiltersContext,
  SelectionContext,
  WorkContext,
} from './contexts.ts';
import { type Filters, useFilterState } from './filters/useFilterState.ts';
import { exactly } from './list/total.ts';
import { useFeedList } from './list/useFeedList.ts';
import { useTotal } from './list/useTotal.ts';
import { useUnseen } from './list/useUnseen.ts';
import { isTotalled, type Scope, totalOf } from './scope.ts';
import { type Selection, useSelectionState } from './selection.ts';
import { useBulkState } from './work/useBulkState.ts';
import { useWorkState, type WorkActions } from './work/useWorkState.ts';

interface FeedProviderProps {
  readonly scope: Scope;
  readonly children: ReactNode;
}

/** Provides a feed's subjects to the parts of its page. */
export function FeedProvider({ scope, children }: FeedProviderProps) {
  const filters = useFilterState(scope);
  const { content, counts } = useFeedData(filters);
  const { search, change } = filters;
  const selection = useSelectionState({ list: content.list, openId: search.id, change });
  const work = useWorkState();
  const bulk = useBulkState(content.list.rows);
  useReadOnOpen(selection, work.change);
  useFeedShortcuts(filters, selection, work);
  return (
    <FiltersContext value={filters}>
      <FeedContentContext value={content}>
        <CountsContext value={counts}>
          <SelectionContext value={selection}>
            <WorkContext value={work}>
              <BulkContext value={bulk}>{children}</BulkContext>
            </WorkContext>
          </SelectionContext>
        </CountsContext>
      </FeedContentContext>
    </FiltersContext>
  );
}

/** Loads the rows and the counts. */
function useFeedData({ scope, search, period, query, countsRequest, isNarrowed }: Filters): { content: FeedContent; counts: Counts } {
  const list = useFeedList(query, { period, isHome: scope.of === 'account' && !isNarrowed });
  const unseen = useUnseen(query, list);
  const counts = useCounts(countsRequest, { period, isShown: scope.of !== 'urgent' });
  const summed = counts.isOld ? undefined : totalOf(scope, search, counts.shown);
  const counted = useTotal(query, { isNeeded: list.hasMore && !list.isOld && !isTotalled(scope, search) });
  /** Retries every failed request, whichever button was pressed. */
  const retry = useStable(() => {
    for (const each of [counts, list, unseen]) if (each.failed) each.retry();
  });
  const { shown, isOld, failed } = counts;
  return {
    content: {
      list: { ...list, retry },
      unseen: { ...unseen, retry },
      total: summed === undefined ? counted : exactly(summed),
      isBare: (list.status === 'empty' && !isNarrowed && !list.isOld) || list.status === 'gone',
    },
    counts: useMemo(() => ({ shown, isOld, failed, retry }), [shown, isOld, failed, retry]),
  };
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
function useFeedShortcuts({ period, choosePeriod, change }: Filters, selection: Selection, work: WorkActions): void {
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
      default:
        return false;
    }
  });
}
