import * as v from 'valibot';
import { searchText, useListSearch } from '../../ui/list-search.ts';

/** The sort orders; the first is the default. */
export const ORDERS = ['name', 'average', 'urgent', 'answers'] as const;
export type Order = (typeof ORDERS)[number];
const LONGEST_TEXT = 60;

const propertiesSearch = v.object({
  q: searchText(LONGEST_TEXT),
  sort: v.fallback(v.optional(v.picklist(ORDERS.slice(1))), undefined),
});

/** The list's part of the address: the search text and the order. */
interface PropertiesSearch {
  readonly q: string | undefined;
  readonly sort: Order | undefined;
}

/** Parses the address. The result has every key, so that the router removes invalid values from the address. */
export function readPropertiesSearch(raw: Record<string, unknown>): PropertiesSearch {
  const { q, sort } = v.parse(propertiesSearch, raw);
  return { q, sort };
}

export const usePropertiesSearch = () => useListSearch(readPropertiesSearch);
