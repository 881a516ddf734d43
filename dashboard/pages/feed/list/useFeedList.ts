import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Feedback } from '#contract/feedback.ts';
import { persistFeedback, usePersisted } from '../../../data/persisted.ts';
import { type FeedQuery, feedQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useTeam } from '../../../frame/team.ts';

/** How a list stands (docs/rules.md#list-states). */
export type ListStatus = 'not fetched' | 'empty' | 'populated' | 'error';

export interface FeedList {
  readonly status: ListStatus;
  readonly rows: readonly Feedback[];
  /** The rows are of an earlier visit or of the filters before, until the new ones are loaded. */
  readonly isOld: boolean;
  readonly failed: boolean;
  /** When the rows were loaded (UTC ms). */
  readonly updatedAt: number;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  retry(): void;
}

/** The feed page by page. Rows that are shown stay where they are: what is new is counted by `useUnseen`. */
export function useFeedList(query: FeedQuery, { isHome }: { isHome: boolean }): FeedList {
  const source = useSource();
  const persisted = usePersistedFeedback(isHome);
  const { data, dataUpdatedAt, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...feedQuery(source, query),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  usePersisting(isHome && !isPlaceholderData ? data?.pages[0]?.feedback : undefined);
  const loaded = data?.pages.flatMap((page) => page.feedback);
  const rows = loaded ?? persisted?.items ?? [];
  return {
    status: statusOf({ isLoaded: loaded !== undefined, rows, failed: error !== null }),
    rows,
    isOld: isPlaceholderData || loaded === undefined,
    failed: error !== null,
    updatedAt: loaded ? dataUpdatedAt : (persisted?.at ?? 0),
    hasMore: hasNextPage && !isPlaceholderData,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    retry: () => void (loaded && error ? fetchNextPage() : refetch()),
  };
}

function statusOf({ isLoaded, rows, failed }: { isLoaded: boolean; rows: readonly Feedback[]; failed: boolean }): ListStatus {
  if (rows.length > 0) return 'populated';
  if (failed) return 'error';
  return isLoaded ? 'empty' : 'not fetched';
}

/** The rows that this person saw last on the first page, unless this is the demo or another page. */
function usePersistedFeedback(isHome: boolean) {
  const { user, isDemo } = useTeam();
  const persisted = usePersisted(({ feedback }) => feedback);
  return isHome && !isDemo && persisted?.userId === user.id ? persisted : undefined;
}

function usePersisting(items: readonly Feedback[] | undefined): void {
  const { user, isDemo } = useTeam();
  useEffect(() => {
    if (items && !isDemo) persistFeedback(user.id, items);
  }, [items, isDemo, user.id]);
}
