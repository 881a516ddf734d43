import * as v from 'valibot';
import { SUBSCRIPTION_FILTERS } from '#contract/billing/billing.ts';
import type { SubscriptionListFilter } from '../../data/queries.ts';
import { searchText, useListSearch } from '../../ui/list-search.ts';

const LONGEST_TEXT = 100;

const subscriptionsSearch = v.object({
  q: searchText(LONGEST_TEXT),
  standing: v.fallback(v.optional(v.picklist(SUBSCRIPTION_FILTERS.slice(1))), undefined),
});

/** The list's part of the address: the search text and the filter; undefined shows all. */
interface SubscriptionsSearch {
  readonly q: string | undefined;
  readonly standing: SubscriptionListFilter | undefined;
}

/** Parses the address. The result has every key, so that the router removes invalid values from the address. */
export function readSubscriptionsSearch(raw: Record<string, unknown>): SubscriptionsSearch {
  const { q, standing } = v.parse(subscriptionsSearch, raw);
  return { q, standing };
}

export const useSubscriptionsSearch = () => useListSearch(readSubscriptionsSearch);
