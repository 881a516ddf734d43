import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { writeFeedback } from '../../../data/effects.ts';
import { type FeedQuery, feedQuery, headQuery, PAGE } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import type { FeedList } from './useFeedList.ts';

export interface Unseen {
  readonly count: number;
  /** There are at least this many: a page of nothing but new rows. */
  readonly isAtLeast: boolean;
  /** The server could not be asked. */
  readonly failed: boolean;
  /** Puts them into the list; gives the id of the newest. */
  show(): string | undefined;
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
  const isOldestFirst = query.order === 'oldest';
  const { data: head, isError, refetch } = useQuery({ ...headQuery(source, { ...query, order: 'newest' }), enabled: !isOld, ...seed() });
  const unseen = head && !isOld ? (isOldestFirst ? laterOf(head.feedback, rows, hasMore) : unseenOf(head.feedback, rows, hasMore)) : [];
  const isAtLeast = unseen.length >= PAGE;

  // biome-ignore lint/correctness/useExhaustiveDependencies: follows each answer once
  useEffect(() => {
    if (!head || isOld || head.feedback.length === 0) return;
    if (rows.length === 0) show();
    else writeFeedback({ client, source }, head.feedback);
  }, [head, isOld]);

  return { count: rows.length === 0 ? 0 : unseen.length, isAtLeast, failed: isError, show, retry: () => void refetch() };

  /** The list's own first page was the first answer. */
  function seed() {
    const state = client.getQueryState(listKey);
    const first = client.getQueryData(listKey)?.pages[0];
    return isOld || !first || isOldestFirst ? {} : { initialData: first, initialDataUpdatedAt: state?.dataUpdatedAt ?? 0 };
  }

  function show(): string | undefined {
    if (!head) return undefined;
    if (isOldestFirst) return showBelow();
    client.setQueryData(listKey, (before) =>
      // Between a page of nothing but new rows and those that are shown there may be more.
      before && !isAtLeast && rows.length > 0 ? withUnseen(before, unseen) : { pages: [head], pageParams: [undefined] },
    );
    return unseen[0]?.id;
  }

  /** Where the oldest stand first, what is new comes after the last. */
  function showBelow(): string | undefined {
    if (rows.length === 0) void client.invalidateQueries({ queryKey: listKey });
    else
      client.setQueryData(
        listKey,
        (before) =>
          before && {
            ...before,
            pages: before.pages.map((page, at) =>
              at === before.pages.length - 1 ? { ...page, feedback: [...page.feedback, ...unseen.toReversed()] } : page,
            ),
          },
      );
    return unseen.at(-1)?.id;
  }
}

/** What came after the last row of a list whose oldest stand first; where the list goes on, paging brings it. */
function laterOf<R extends Pick<Feedback, 'id'>>(head: readonly R[], shown: readonly Pick<Feedback, 'id'>[], hasMore: boolean): R[] {
  const last = shown.at(-1)?.id ?? '';
  return hasMore ? [] : head.filter(({ id }) => id > last);
}

/** The list with new rows where they belong: ids sort by time, the newest stand first. */
export function withUnseen<R extends Pick<Feedback, 'id'>, P extends { feedback: R[] }, D extends { pages: P[] }>(
  list: D,
  unseen: readonly R[],
): D {
  const waiting = [...unseen];
  const pages = list.pages.map((page, index) => {
    const last = index === list.pages.length - 1 ? '' : (page.feedback.at(-1)?.id ?? '');
    const here = waiting.splice(0, waiting.filter(({ id }) => id > last).length);
    return here.length === 0 ? page : { ...page, feedback: [...page.feedback, ...here].sort((a, b) => (a.id < b.id ? 1 : -1)) };
  });
  return { ...list, pages };
}

/** The newest rows that are not shown yet. Ids sort by time; below the last shown row there may be more of the same page. */
export function unseenOf<R extends Pick<Feedback, 'id'>>(
  head: readonly R[],
  shown: readonly Pick<Feedback, 'id'>[],
  hasMore: boolean,
): R[] {
  const known = new Set(shown.map(({ id }) => id));
  const last = hasMore ? (shown.at(-1)?.id ?? '') : '';
  return head.filter(({ id }) => !known.has(id) && id > last);
}
