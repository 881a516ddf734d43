import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import * as v from 'valibot';
import { feedbackIdSchema, savedViewIdSchema } from '#contract/core/ids.ts';
import { filters, LONGEST_SEARCH } from '#contract/feedback/filters.ts';
import { NO_PERIOD, PERIOD_ENTRIES, quiet, withWholePeriod } from '../../frame/numbers/period-search.ts';

const word = v.union([v.string(), v.number()]);
const rating = v.pipe(word, v.transform(Number), filters.rating);
const text = v.pipe(
  word,
  v.transform(String),
  v.trim(),
  v.transform((given) => given.slice(0, LONGEST_SEARCH)),
  v.nonEmpty(),
);

const feedSearch = v.object({
  ...PERIOD_ENTRIES,
  rating: quiet(rating),
  property: quiet(filters.property),
  tool: quiet(filters.tool),
  kind: quiet(filters.kind),
  source: quiet(filters.source),
  status: quiet(filters.status),
  assignee: quiet(filters.assignee),
  tag: quiet(filters.tag),
  language: quiet(filters.language),
  unread: quiet(filters.unread),
  q: quiet(text),
  id: quiet(feedbackIdSchema),
  /** The saved view that the filters came from. */
  view: quiet(savedViewIdSchema),
});
/** The feed's part of the address: its filters and the open item. They are stored nowhere else. */
export type FeedSearch = v.InferOutput<typeof feedSearch>;

/** Every filter, unset. */
export const NO_FILTERS = {
  rating: undefined,
  property: undefined,
  tool: undefined,
  kind: undefined,
  source: undefined,
  status: undefined,
  assignee: undefined,
  tag: undefined,
  language: undefined,
  unread: undefined,
  q: undefined,
};
const NOTHING = { ...NO_PERIOD, ...NO_FILTERS, id: undefined, view: undefined };

/** Parses the address. The result has every key, so that the router removes invalid values from the address. */
export const readFeedSearch = (raw: Record<string, unknown>): FeedSearch => withWholePeriod(v.parse(feedSearch, { ...NOTHING, ...raw }));

export type Filter = keyof typeof NO_FILTERS;
const FILTERS: readonly Filter[] = ['q', 'unread', 'status', 'assignee', 'tag', 'rating', 'property', 'tool', 'kind', 'source', 'language'];

/** Returns the active filters, in display order. */
export const filtersOf = (search: FeedSearch): Filter[] => FILTERS.filter((name) => search[name] !== undefined);

interface ChangeOptions {
  /** Replaces the current entry of the browser history, and keeps its state. */
  readonly replace?: boolean;
  /** Marks the entry as opening a row, so that going back closes it. */
  readonly isOpened?: boolean;
}

export type ChangeSearch = (change: Partial<FeedSearch>, options?: ChangeOptions) => void;

/** Reads and changes the feed's part of the address. Changing a filter closes the open item. */
export function useFeedSearch(): readonly [FeedSearch, ChangeSearch] {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const search = useMemo(() => readFeedSearch(raw), [raw]);
  const navigate = useNavigate();
  const change: ChangeSearch = useCallback(
    (next, { replace = false, isOpened = false } = {}) =>
      void navigate({
        to: '.',
        search: (previous: object) => ({ ...previous, id: undefined, ...next }),
        replace,
        state: replace || { isOpened },
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, change];
}
