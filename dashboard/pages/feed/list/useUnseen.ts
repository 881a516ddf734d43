import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { writeFeedback } from '../../../data/effects.ts';
import { type FeedQuery, feedQuery, headQuery, PAGE } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import type { FeedList } from './useFeedList.ts';

export interface Unseen {
  readonly count: number;
  /** There may be more: the whole first page is new. */
  readonly isAtLeast: boolean;
  /** The request failed. */
  readonly failed: boolean;
  /** Adds them to the list and returns the id of the newest. */
  show(): string | undefined;
  retry(): void;
}

/**
 * Returns the rows that arrived since the list was loaded. The first page is requested again on every event; shown rows are
 * updated in place, and new ones wait until `show` is called (docs/rules.md#rows-stay).
 */
export function useUnseen(query: FeedQuery, { rows, hasMore, isOld }: FeedList): Unseen {
  const source = useSource();
  const client = useQueryClient();
  const { queryKey: listKey } = feedQuery(source, query);
  const isOldestFirst = query.order === 'oldest';
  const { data: head, isError, refetch } = useQuery({ ...headQuery(source, { ...query, order: 'newest' }), enabled: !isOld, ...seed() });
  const unseen = head && !isOld ? unseenOf(head.feedback, rows, { hasMore, order: query.order }) : [];
  const isAtLeast = unseen.length >= PAGE;

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per response
  useEffect(() => {
    if (!head || isOld || head.feedback.length === 0) return;
    if (rows.length === 0) show();
    else writeFeedback({ client, source }, head.feedback);
  }, [head, isOld]);

  return { count: rows.length === 0 ? 0 : unseen.length, isAtLeast, failed: isError, show, retry: () => void refetch() };

  /** Uses the list's own first page as the first response. */
  function seed() {
    const state = client.getQueryState(listKey);
    const first = client.getQueryData(listKey)?.pages[0];
    return isOld || !first || isOldestFirst ? {} : { initialData: first, initialDataUpdatedAt: state?.dataUpdatedAt ?? 0 };
  }

  function show(): string | undefined {
    if (!head) return undefined;
    if (isOldestFirst) return showInOrder();
    client.setQueryData(listKey, (previous) =>
      // If the whole page is new, rows may be missing between it and the list.
      previous && !isAtLeast && rows.length > 0 ? withUnseen(previous, unseen, query.order) : { pages: [head], pageParams: [undefined] },
    );
    return unseen[0]?.id;
  }

  /** Inserts new rows into a list with the oldest first. */
  function showInOrder(): string | undefined {
    if (rows.length === 0) void client.invalidateQueries({ queryKey: listKey });
    else client.setQueryData(listKey, (previous) => previous && withUnseen(previous, unseen, query.order));
    return unseen.at(-1)?.id;
  }
}

/** Returns the list with new rows inserted in order. */
export function withUnseen<R extends Pick<Feedback, 'id'>, P extends { feedback: R[] }, D extends { pages: P[] }>(
  list: D,
  unseen: readonly R[],
  order: FeedQuery['order'],
): D {
  const waiting = new Set(unseen);
  const pages = list.pages.map((page, index) => {
    const last = index === list.pages.length - 1 ? undefined : page.feedback.at(-1)?.id;
    const here = [...waiting].filter(({ id }) => last === undefined || isBefore(id, last, order));
    for (const row of here) waiting.delete(row);
    return here.length === 0
      ? page
      : { ...page, feedback: [...page.feedback, ...here].sort((a, b) => (isBefore(a.id, b.id, order) ? -1 : 1)) };
  });
  return { ...list, pages };
}

/**
 * Returns the rows of the head that aren't shown yet: new ones, and those that joined the list again, such as feedback whose visitor
 * wrote. Those after the last row belong to the next page, if there is one.
 */
export function unseenOf<R extends Pick<Feedback, 'id'>>(
  head: readonly R[],
  shown: readonly Pick<Feedback, 'id'>[],
  { hasMore, order }: { readonly hasMore: boolean; readonly order: FeedQuery['order'] },
): R[] {
  const shownIds = new Set(shown.map(({ id }) => id));
  const last = hasMore ? shown.at(-1)?.id : undefined;
  return head.filter(({ id }) => !shownIds.has(id) && (last === undefined || isBefore(id, last, order)));
}

/** Ids sort by time; a list without an order has the newest first. */
const isBefore = (a: string, b: string, order: FeedQuery['order']): boolean => (order === 'oldest' ? a < b : a > b);
