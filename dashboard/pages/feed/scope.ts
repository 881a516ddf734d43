import { type Tally, total } from '#contract/feedback.ts';
import type { Property } from '#contract/property.ts';
import { dateRange, type Range, rangeBefore } from '#contract/time.ts';
import type { FeedQuery, SummaryRequest } from '../../data/queries.ts';
import { DEFAULT_RANGE, type FeedSearch, filtersOf } from './search.ts';

/** Which feed a page shows. */
export type Scope = { readonly of: 'account' } | { readonly of: 'urgent' } | { readonly of: 'property'; readonly property: Property };

interface FeedContext {
  readonly accountId: string;
  /** UTC ms, and the browser's time zone. */
  readonly now: number;
  readonly zone: string;
}

/** What the address asks for within a scope: a property's feed has no other property, the urgent feed nothing that is not urgent. */
export function within(scope: Scope, search: FeedSearch): FeedSearch {
  if (scope.of === 'property') return { ...search, property: undefined };
  if (scope.of === 'urgent' && (search.kind === 'regular' || search.kind === 'suspected')) return { ...search, kind: undefined };
  return search;
}

export function feedQueryOf(
  scope: Scope,
  { range = DEFAULT_RANGE, rating, kind, source, q, property }: FeedSearch,
  context: FeedContext,
): FeedQuery {
  return {
    ...whichOf(scope, property, context),
    ...dateRange(range, context.now, context.zone),
    kind: kind ?? (scope.of === 'urgent' ? 'urgent' : 'all'),
    ...(source !== undefined && { source }),
    ...(rating !== undefined && { rating }),
    ...(q !== undefined && { text: q }),
  };
}

/** The counts of the shown period, and those of the period before to compare with. */
export function summaryQueriesOf(
  scope: Scope,
  { range = DEFAULT_RANGE, property }: FeedSearch,
  context: FeedContext,
): [SummaryRequest, SummaryRequest] {
  const ask = (span: Range): SummaryRequest => ({
    ...whichOf(scope, property, context),
    ...span,
    zone: context.zone,
    grain: range === 'today' ? 'hour' : 'day',
  });
  return [ask(dateRange(range, context.now, context.zone)), ask(rangeBefore(range, context.now, context.zone))];
}

function whichOf(scope: Scope, property: string | undefined, { accountId }: FeedContext): { accountId: string } | { propertyId: string } {
  const propertyId = scope.of === 'property' ? scope.property.id : property;
  return propertyId === undefined ? { accountId } : { propertyId };
}

/** Whether the summary counts what the list shows but for the rating: it knows neither words, kinds nor sources. */
export const isCounted = (search: FeedSearch): boolean => filtersOf(search).every((name) => name === 'rating' || name === 'property');

/** The number of rows in all, where the counts count just what the list shows. */
export function totalOf(
  scope: Scope,
  search: FeedSearch,
  counts: { ratings: Tally; urgent: number; suspected: number } | undefined,
): number | undefined {
  const { rating, kind } = search;
  if (counts && kind === 'suspected')
    return filtersOf(search).every((name) => name === 'kind' || name === 'property') ? counts.suspected : undefined;
  if (!counts || !isCounted(search)) return undefined;
  if (scope.of === 'urgent') return rating === undefined ? counts.urgent : undefined;
  return rating === undefined ? total(counts.ratings) : counts.ratings[rating - 1];
}
