import * as v from 'valibot';
import { SUBSCRIPTION_FILTERS } from '#contract/billing/subscription.ts';
import type { StandingFilter } from '../../data/queries.ts';
import { searchedWords, useListSearch } from '../../ui/list-search.ts';

const LONGEST_TEXT = 100;

const subscriptionsSearch = v.object({
  q: searchedWords(LONGEST_TEXT),
  standing: v.fallback(v.optional(v.picklist(SUBSCRIPTION_FILTERS.slice(1))), undefined),
});

/** The list's part of the address: the words that are looked for, and which subscriptions are shown; undefined is all. */
export interface SubscriptionsSearch {
  readonly q: string | undefined;
  readonly standing: StandingFilter | undefined;
}

/** Names every key, so that a value that is not understood leaves the address too. */
export function readSubscriptionsSearch(raw: Record<string, unknown>): SubscriptionsSearch {
  const { q, standing } = v.parse(subscriptionsSearch, raw);
  return { q, standing };
}

export const useSubscriptionsSearch = () => useListSearch(readSubscriptionsSearch);
