import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import * as v from 'valibot';
import { KINDS, SOURCES } from '#contract/feedback.ts';
import { feedbackIdSchema, propertyIdSchema } from '#contract/ids.ts';
import { RATINGS } from '#contract/rating.ts';
import { DATE_FILTERS, type DateFilter } from '#contract/time.ts';

export const DEFAULT_RANGE: DateFilter = 'month';
const LONGEST_TEXT = 100;

/** A part of the address that falls back to its default, without an error, where it is not understood. */
const quiet = <S extends v.GenericSchema<never, unknown> | v.GenericSchema>(schema: S) =>
  v.optional(v.fallback(v.optional(schema), undefined));

const word = v.union([v.string(), v.number()]);
const rating = v.pipe(word, v.transform(Number), v.picklist(RATINGS));
const text = v.pipe(
  word,
  v.transform(String),
  v.trim(),
  v.transform((given) => given.slice(0, LONGEST_TEXT)),
  v.nonEmpty(),
);

const feedSearch = v.object({
  range: quiet(
    v.pipe(
      v.picklist(DATE_FILTERS),
      v.check((range) => range !== DEFAULT_RANGE),
    ),
  ),
  rating: quiet(rating),
  property: quiet(propertyIdSchema),
  kind: quiet(v.picklist([...KINDS, 'suspected'])),
  source: quiet(v.picklist(SOURCES)),
  q: quiet(text),
  id: quiet(feedbackIdSchema),
});

/** The feed's part of the address: its filters and what is open. They are stored nowhere else. */
export type FeedSearch = v.InferOutput<typeof feedSearch>;

const NOTHING = {
  range: undefined,
  rating: undefined,
  property: undefined,
  kind: undefined,
  source: undefined,
  q: undefined,
  id: undefined,
};

/** Names every key, so that a value that is not understood leaves the address too. */
export function readFeedSearch(raw: Record<string, unknown>): FeedSearch {
  return v.parse(feedSearch, { ...NOTHING, ...raw });
}

export type Filter = 'rating' | 'property' | 'kind' | 'source' | 'q';
const FILTERS: readonly Filter[] = ['q', 'rating', 'property', 'kind', 'source'];
export const NO_FILTERS = { rating: undefined, property: undefined, kind: undefined, source: undefined, q: undefined };

/** The filters that are set, in the order that they are shown. */
export const filtersOf = (search: FeedSearch): Filter[] => FILTERS.filter((name) => search[name] !== undefined);

/** The period before or after this one in the row of periods; the same at its ends. */
export function adjacentRange(range: DateFilter, by: 1 | -1): DateFilter {
  return DATE_FILTERS[DATE_FILTERS.indexOf(range) + by] ?? range;
}

export type ChangeSearch = (change: Partial<FeedSearch>, options?: { replace?: boolean }) => void;

/** Reads and changes the feed's part of the address. Another filter closes what is open. */
export function useFeedSearch(): readonly [FeedSearch, ChangeSearch] {
  const search = readFeedSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change: ChangeSearch = useCallback(
    (wanted, { replace = false } = {}) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, id: undefined, ...wanted }), replace, resetScroll: false }),
    [navigate],
  );
  return [search, change];
}
