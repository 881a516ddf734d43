import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { NotFound } from '../../../data/errors.ts';
import { persistFeedback, usePersisted } from '../../../data/persisted.ts';
import { type FeedQuery, feedQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import type { Period } from '../../../frame/numbers/period.ts';
import { useTeam } from '../../../frame/team.ts';
import { useHeld } from '../../../ui/hooks.ts';

/** How a list stands (docs/rules.md#list-states). */
type ListStatus = 'not fetched' | 'empty' | 'populated' | 'error' | 'gone';

export interface FeedList {
  readonly status: ListStatus;
  readonly rows: readonly Feedback[];
  /** The rows are of an earlier visit or of the filters before, until the new ones are loaded. */
  readonly isOld: boolean;
  /** What is asked for. */
  readonly period: Period;
  /** What the rows were asked for with; undefined where they are of an earlier visit. */
  readonly periodOfRows: Period | undefined;
  readonly failed: boolean;
  /** Why the last request failed. */
  readonly error: Error | null;
  /** The page after those that are shown could not be loaded. */
  readonly isMoreFailed: boolean;
  /** When the rows were loaded (UTC ms). */
  readonly updatedAt: number;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  retry(): void;
}

interface FeedListOptions {
  readonly period: Period;
  /** This is the first page that people see after signing in. */
  readonly isHome: boolean;
}

/**
 * The feed page by page. Rows that are shown stay where they are: what is new is counted by `useUnseen`. The rows of the
 * filters before stay until those of the new ones are there, also when they cannot be loaded.
 */
export function useFeedList(query: FeedQuery, { period, isHome }: FeedListOptions): FeedList {
  const source = useSource();
  const persisted = usePersistedFeedback(isHome);
  const { data, dataUpdatedAt, error, isFetchNextPageError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...feedQuery(source, query),
    staleTime: Number.POSITIVE_INFINITY,
  });
  usePersisting(isHome ? data?.pages[0]?.feedback : undefined);
  const loaded = useHeld(data && { pages: data.pages, period, at: dataUpdatedAt });
  const rows = useMemo(() => loaded?.pages.flatMap((page) => page.feedback) ?? persisted?.items ?? [], [loaded?.pages, persisted?.items]);
  const failed = error !== null && !isFetchNextPageError;
  return {
    status: error instanceof NotFound ? 'gone' : statusOf({ isLoaded: loaded !== undefined, rows, failed }),
    rows,
    isOld: data === undefined,
    period,
    periodOfRows: loaded?.period,
    failed,
    error,
    isMoreFailed: isFetchNextPageError,
    updatedAt: loaded?.at ?? persisted?.at ?? 0,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    retry: () => void refetch(),
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
