import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Feedback } from '#contract/feedback.ts';
import { type FeedQuery, feedQuery, headQuery, PAGE } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import type { FeedList } from './useFeedList.ts';

export interface Unseen {
  readonly count: number;
  /** There are at least this many: a page of nothing but new rows. */
  readonly isAtLeast: boolean;
  /** The server could not be asked. */
  readonly failed: boolean;
  show(): void;
  retry(): void;
}

/**
 * What came since the rows were loaded. The first page is asked anew whenever something happens; rows that are shown are
 * changed where they stand, new ones wait until they are asked for (docs/rules.md#rows-stay).
 */
export function useUnseen(query: FeedQuery, { rows, hasMore, isOld }: FeedList): Unseen {
  const source = useSource();
  const client = useQueryClient();
  const { queryKey: listKey } = feedQuery(source, query);
  const { data: head, isError, refetch } = useQuery({ ...headQuery(source, query), enabled: !isOld, ...seed() });
  const count = head && !isOld ? countUnseen(head.feedback, rows, hasMore) : 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: follows each answer once
  useEffect(() => {
    if (!head || isOld || head.feedback.length === 0) return;
    if (rows.length === 0) show();
    else client.setQueryData(listKey, (before) => before && amended(before, head.feedback));
  }, [head, isOld]);

  return { count: rows.length === 0 ? 0 : count, isAtLeast: count >= PAGE, failed: isError, show, retry: () => void refetch() };

  /** The list's own first page was the first answer. */
  function seed() {
    const state = client.getQueryState(listKey);
    const first = client.getQueryData(listKey)?.pages[0];
    return isOld || !first ? {} : { initialData: first, initialDataUpdatedAt: state?.dataUpdatedAt ?? 0 };
  }

  function show(): void {
    if (head) client.setQueryData(listKey, { pages: [head], pageParams: [undefined] });
  }
}

/** The list with those of its rows that changed. */
function amended<P extends { feedback: Feedback[] }, D extends { pages: P[] }>(list: D, news: readonly Feedback[]): D {
  const newer = new Map(news.map((item) => [item.id, item]));
  return { ...list, pages: list.pages.map((page) => ({ ...page, feedback: page.feedback.map((item) => newer.get(item.id) ?? item) })) };
}

/** How many of the newest rows are not shown yet. Ids sort by time; below the last shown row there may be more of the same page. */
export function countUnseen(head: readonly Pick<Feedback, 'id'>[], shown: readonly Pick<Feedback, 'id'>[], hasMore: boolean): number {
  const known = new Set(shown.map(({ id }) => id));
  const last = hasMore ? (shown.at(-1)?.id ?? '') : '';
  return head.filter(({ id }) => !known.has(id) && id > last).length;
}
