import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
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
  unread: quiet(filters.unread),
  q: quiet(text),
  id: quiet(feedbackIdSchema),
  /** The saved view that these are the filters of, or were. */
  view: quiet(savedViewIdSchema),
});
/** The feed's part of the address: its filters and what is open. They are stored nowhere else. */
export type FeedSearch = v.InferOutput<typeof feedSearch>;

/** Every filter, not set. */
export const NO_FILTERS = {
  rating: undefined,
  property: undefined,
  tool: undefined,
  kind: undefined,
  source: undefined,
  status: undefined,
  assignee: undefined,
  tag: undefined,
  unread: undefined,
  q: undefined,
};
const NOTHING = { ...NO_PERIOD, ...NO_FILTERS, id: undefined, view: undefined };

/** Names every key, so that a value that is not understood leaves the address too. */
export const readFeedSearch = (raw: Record<string, unknown>): FeedSearch => withWholePeriod(v.parse(feedSearch, { ...NOTHING, ...raw }));

export type Filter = keyof typeof NO_FILTERS;
const FILTERS: readonly Filter[] = ['q', 'unread', 'status', 'assignee', 'tag', 'rating', 'property', 'tool', 'kind', 'source'];

/** The filters that are set, in the order that they are shown. */
export const filtersOf = (search: FeedSearch): Filter[] => FILTERS.filter((name) => search[name] !== undefined);

interface ChangeOptions {
  /** Changes the entry of the history that is there, which keeps how it came about. */
  readonly replace?: boolean;
  /** Opens a row: going back closes it. */
  readonly isOpened?: boolean;
}

export type ChangeSearch = (change: Partial<FeedSearch>, options?: ChangeOptions) => void;

/** Reads and changes the feed's part of the address. Another filter closes what is open. */
export function useFeedSearch(): readonly [FeedSearch, ChangeSearch] {
  const search = readFeedSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change: ChangeSearch = useCallback(
    (wanted, { replace = false, isOpened = false } = {}) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, id: undefined, ...wanted }),
        replace,
        state: replace || { isOpened },
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, change];
}
