import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef } from 'react';
import { summaryQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useShortcuts } from '../../frame/shortcuts.ts';
import { useTeam } from '../../frame/team.ts';
import { useIsWide, useNow } from '../../ui/hooks.ts';
import { localZone } from '../../ui/time.ts';
import { useFeedList } from './list/useFeedList.ts';
import { useUnseen } from './list/useUnseen.ts';
import { feedQueryOf, type Scope, summaryQueriesOf, within } from './scope.ts';
import { adjacentRange, type ChangeSearch, DEFAULT_RANGE, type FeedSearch, filtersOf, useFeedSearch } from './search.ts';
import { type Selection, useSelection } from './selection.ts';

export type Feed = ReturnType<typeof useFeed>;

/** A feed as its page shows it: what the address asks for, the rows, the counts, and what is open. */
export function useFeed(scope: Scope) {
  const { account } = useTeam();
  const now = useNow();
  const isWide = useIsWide();
  const [given, change] = useFeedSearch();
  const search = within(scope, given);
  const context = { accountId: account.id, now, zone: localZone() };
  const isNarrowed = filtersOf(search).length > 0 || search.range !== undefined;
  const query = feedQueryOf(scope, search, context);
  const list = useFeedList(query, { isHome: scope.of === 'account' && !isNarrowed });
  const unseen = useUnseen(query, list);
  const selection = useSelection({ list, openId: search.id, isWide, change });
  const searchBox = useRef<HTMLInputElement>(null);
  useFeedShortcuts({ search, change, selection, searchBox });
  const summaryQueries = summaryQueriesOf(scope, search, context);
  const { data: counts, isError, refetch } = useQuery(summaryQuery(useSource(), summaryQueries[0]));
  return {
    ...{ scope, search, change, searchBox, now, isWide, isNarrowed, unseen, selection, summaryQueries, counts },
    list: { ...list, failed: list.failed || unseen.failed, retry },
  };

  /** Retries whatever failed. */
  function retry(): void {
    if (isError) void refetch();
    if (list.failed) list.retry();
    else unseen.retry();
  }
}

interface FeedShortcuts {
  readonly search: FeedSearch;
  readonly change: ChangeSearch;
  readonly selection: Selection;
  readonly searchBox: RefObject<HTMLInputElement | null>;
}

/** What the feed does for each command. */
function useFeedShortcuts({ search, change, selection, searchBox }: FeedShortcuts): void {
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
      case 'period': {
        const range = adjacentRange(search.range ?? DEFAULT_RANGE, command.by);
        change({ range: range === DEFAULT_RANGE ? undefined : range });
        return true;
      }
      case 'search':
        searchBox.current?.focus();
        return true;
      default:
        return false;
    }
  });
}
