import { folded } from '#contract/feedback/search.ts';
import { average, NO_RATINGS, type Tally, total } from '#contract/feedback/tally.ts';
import type { Property } from '#contract/property/property.ts';
import type { Order } from './search.ts';

/** A property's ratings in the period. */
export interface PropertyCounts {
  readonly ratings: Tally;
  readonly trend: readonly { readonly at: number; readonly ratings: Tally }[];
}

export const NO_COUNTS: PropertyCounts = { ratings: NO_RATINGS, trend: [] };

interface PropertyFigures {
  countsOf(propertyId: string): PropertyCounts;
  /** Returns the number of waiting visitors. */
  waitingOf(propertyId: string): number;
}

/** Returns the properties, listed by name, whose name contains all the words, in the given order. Ignores case and accents. */
export function filterAndSort(
  properties: readonly Property[],
  { q = '', sort = 'name' }: { readonly q?: string | undefined; readonly sort?: Order | undefined },
  figures: PropertyFigures,
): Property[] {
  const words = folded(q).split(/\s+/);
  const matches = properties.filter(({ data }) => words.every((word) => folded(data.displayName).includes(word)));
  return sort === 'name' ? matches : matches.toSorted((a, b) => rank(a, sort, figures) - rank(b, sort, figures));
}

/** Returns the sort key: lowest average, most waiting or most answers first; unrated properties come last by average. */
function rank({ id }: Property, sort: Exclude<Order, 'name'>, { countsOf, waitingOf }: PropertyFigures): number {
  if (sort === 'urgent') return -waitingOf(id);
  const { ratings } = countsOf(id);
  return sort === 'average' ? (average(ratings) ?? Number.POSITIVE_INFINITY) : -total(ratings);
}
