import type { Account } from '#contract/account/account.ts';
import type { NamedPeriod } from '#contract/feedback/filters.ts';
import { type Tally, total } from '#contract/feedback/tally.ts';
import type { Property } from '#contract/property/property.ts';
import type { FeedQuery } from '../../data/queries.ts';
import { rangeOf } from '../../frame/numbers/period.ts';
import { periodOf } from '../../frame/numbers/period-search.ts';
import { type CountsRequest, countsRequest } from '../../frame/numbers/useCounts.ts';
import { type FeedSearch, filtersOf } from './search.ts';

/** The feed that a page shows. */
export type Scope = { readonly of: 'account' } | { readonly of: 'urgent' } | { readonly of: 'property'; readonly property: Property };

interface FeedContext {
  readonly account: Account;
  /** UTC ms. */
  readonly now: number;
  /** The browser's time zone. */
  readonly zone: string;
}

/** Returns a feed's default period. The urgent feed shows waiting visitors of all time. */
export const usualPeriod = ({ of }: Scope): NamedPeriod => (of === 'urgent' ? 'all' : 'month');

/** Drops filters that don't apply in the scope: the property in a property's feed, and the status and regular kinds in the urgent feed. */
export function within(scope: Scope, search: FeedSearch): FeedSearch {
  if (scope.of === 'property') return { ...search, property: undefined };
  if (scope.of === 'urgent')
    return { ...search, status: undefined, kind: search.kind === 'regular' || search.kind === 'suspected' ? undefined : search.kind };
  return search;
}

export function feedQueryOf(scope: Scope, search: FeedSearch, context: FeedContext): FeedQuery {
  const { rating, kind = 'all', source, q, property, tool, status, assignee, tag, language, unread } = search;
  return {
    ...whichOf(scope, property, context),
    ...rangeOf(periodOf(search, usualPeriod(scope)), context.now, context.zone),
    kind,
    ...(scope.of === 'urgent' && { waiting: true, order: 'oldest' }),
    ...(tool !== undefined && { toolId: tool }),
    ...(source !== undefined && { source }),
    ...(rating !== undefined && { rating }),
    ...(status !== undefined && { status }),
    ...(assignee !== undefined && { assignee }),
    ...(tag !== undefined && { tag }),
    ...(language !== undefined && { language }),
    ...(unread !== undefined && { unread: true }),
    ...(q !== undefined && { text: q }),
  };
}

/** Returns the request for the period's counts, and the previous period's for comparison. */
export function summaryQueriesOf(scope: Scope, search: FeedSearch, context: FeedContext): CountsRequest {
  const { property, tool } = search;
  const subject = { ...whichOf(scope, property, context), ...(tool !== undefined && { toolId: tool }) };
  return countsRequest(subject, periodOf(search, usualPeriod(scope)), context);
}

function whichOf(
  scope: Scope,
  property: string | undefined,
  { account: { id: accountId } }: FeedContext,
): { accountId: string } | { propertyId: string } {
  const propertyId = scope.of === 'property' ? scope.property.id : property;
  return propertyId === undefined ? { accountId } : { propertyId };
}

/** Returns true if the summary's counts match the list, apart from the rating. It can't filter by words, kinds or sources. */
export const isCounted = (search: FeedSearch): boolean =>
  filtersOf(search).every((name) => name === 'rating' || name === 'property' || name === 'tool');

/** Returns true if the counts include the list's total. */
export function isTotalled(scope: Scope, search: FeedSearch): boolean {
  if (search.kind === 'suspected') return filtersOf(search).every((name) => name === 'kind' || name === 'property' || name === 'tool');
  return scope.of !== 'urgent' && isCounted(search);
}

/** Returns the list's total from the counts; undefined if they don't match the list. */
export function totalOf(
  scope: Scope,
  search: FeedSearch,
  counts: { ratings: Tally; urgent: number; suspected: number } | undefined,
): number | undefined {
  const { rating, kind } = search;
  if (!counts || !isTotalled(scope, search)) return undefined;
  if (kind === 'suspected') return counts.suspected;
  return rating === undefined ? total(counts.ratings) : counts.ratings[rating - 1];
}
