import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { NotFound } from '../../../data/errors.ts';
import { persistFeedback, usePersisted } from '../../../data/persisted.ts';
import { type FeedQuery, feedQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import type { Period } from '../../../frame/numbers/period.ts';
import { useTeam } from '../../../frame/team.ts';
import { useLastDefined } from '../../../ui/hooks.ts';

/** The state of a list (docs/rules.md#list-states). */
type ListStatus = 'not fetched' | 'empty' | 'populated' | 'error' | 'gone';

export interface FeedList {
  readonly status: ListStatus;
  readonly rows: readonly Feedback[];
  /** The rows are of an earlier visit or of the previous filters, until the new ones are loaded. */
  readonly isOld: boolean;
  /** The requested period. */
  readonly period: Period;
  /** The period of the rows; undefined if they are of an earlier visit. */
  readonly periodOfRows: Period | undefined;
  readonly failed: boolean;
  /** The error of the last request. */
  readonly error: Error | null;
  /** The next page couldn't be loaded. */
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
  /** This is the page that opens after signing in. */
  readonly isHome: boolean;
}

/**
 * Loads the feed page by page. Rows stay in place: `useUnseen` counts what is new. The previous filters' rows stay until the
 * new ones are loaded, and if loading fails.
 */
export function useFeedList(query: FeedQuery, { period, isHome }: FeedListOptions): FeedList {
  const source = useSource();
  const persisted = usePersistedFeedback(isHome);
  const { data, dataUpdatedAt, error, isFetchNextPageError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...feedQuery(source, query),
    staleTime: Number.POSITIVE_INFINITY,
  });
  usePersistRows(isHome ? data?.pages[0]?.feedback : undefined);
  const loaded = useLastDefined(data && { pages: data.pages, period, at: dataUpdatedAt });
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

/** Returns the rows that this person last saw on the home page; undefined in the demo and on other pages. */
function usePersistedFeedback(isHome: boolean) {
  const { user, isDemo } = useTeam();
  const persisted = usePersisted(({ feedback }) => feedback);
  return isHome && !isDemo && persisted?.userId === user.id ? persisted : undefined;
}

function usePersistRows(items: readonly Feedback[] | undefined): void {
  const { user, isDemo } = useTeam();
  useEffect(() => {
    if (items && !isDemo) persistFeedback(user.id, items);
  }, [items, isDemo, user.id]);
}
