import * as v from 'valibot';
import { searchedWords, useListSearch } from '../../ui/list-search.ts';

/** What the list can be sorted by, the first at first. */
export const ORDERS = ['name', 'average', 'urgent', 'answers'] as const;
export type Order = (typeof ORDERS)[number];
const LONGEST_TEXT = 60;

const propertiesSearch = v.object({
  q: searchedWords(LONGEST_TEXT),
  sort: v.fallback(v.optional(v.picklist(ORDERS.slice(1))), undefined),
});

/** The list's part of the address: the words that are looked for in names, and its order. */
export interface PropertiesSearch {
  readonly q: string | undefined;
  readonly sort: Order | undefined;
}

/** Names every key, so that a value that is not understood leaves the address too. */
export function readPropertiesSearch(raw: Record<string, unknown>): PropertiesSearch {
  const { q, sort } = v.parse(propertiesSearch, raw);
  return { q, sort };
}

export const usePropertiesSearch = () => useListSearch(readPropertiesSearch);
