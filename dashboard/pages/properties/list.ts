import { average, type Tally, total } from '#contract/feedback/feedback.ts';
import type { Property } from '#contract/property/property.ts';
import type { Order } from './search.ts';

/** What visitors said of a property in the shown time. */
export interface PropertyCounts {
  readonly ratings: Tally;
  readonly trend: readonly { readonly at: number; readonly ratings: Tally }[];
}

export const NO_COUNTS: PropertyCounts = { ratings: [0, 0, 0, 0, 0], trend: [] };

interface PropertyFigures {
  countsOf(propertyId: string): PropertyCounts;
  /** How many of its visitors wait. */
  waitingOf(propertyId: string): number;
}

/** The properties whose name has all of the words in it, in this order. Those that are equal stay as they were: by name. */
export function listed(
  properties: readonly Property[],
  { q = '', sort = 'name' }: { readonly q?: string | undefined; readonly sort?: Order | undefined },
  known: PropertyFigures,
): Property[] {
  const words = q.toLowerCase().split(/\s+/);
  const found = properties.filter(({ data }) => words.every((word) => data.displayName.toLowerCase().includes(word)));
  if (sort === 'name') return found.toSorted((one, other) => NAMES.compare(one.data.displayName, other.data.displayName));
  return found.toSorted((one, other) => rank(one, sort, known) - rank(other, sort, known));
}

/** "Table 4" before "Table 12". */
const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** What needs somebody comes first: the worst average, most who wait, the most answers; what has no ratings comes last. */
function rank({ id }: Property, sort: Exclude<Order, 'name'>, { countsOf, waitingOf }: PropertyFigures): number {
  if (sort === 'urgent') return -waitingOf(id);
  const { ratings } = countsOf(id);
  return sort === 'average' ? (average(ratings) ?? Number.POSITIVE_INFINITY) : -total(ratings);
}
