import { useMemo } from 'react';
import type { FeedQuery } from '../../../data/queries.ts';
import type { Period } from '../../../frame/numbers/period.ts';
import { periodOf, searchFor } from '../../../frame/numbers/period-search.ts';
import type { CountsRequest } from '../../../frame/numbers/useCounts.ts';
import { useTeam } from '../../../frame/team.ts';
import { localZone } from '../../../ui/format/time.ts';
import { useNow } from '../../../ui/hooks.ts';
import { feedQueryOf, type Scope, summaryQueriesOf, usualPeriod, within } from '../scope.ts';
import { type ChangeSearch, type FeedSearch, filtersOf, NO_FILTERS, useFeedSearch } from '../search.ts';

/** A feed's filters and period, from its address. */
export interface Filters {
  readonly scope: Scope;
  readonly search: FeedSearch;
  readonly change: ChangeSearch;
  readonly period: Period;
  readonly choosePeriod: (period: Period) => void;
  /** Removes every filter, and returns to the default period. */
  readonly clear: () => void;
  readonly query: FeedQuery;
  readonly countsRequest: CountsRequest;
  /** A filter is active; the period doesn't count as one. */
  readonly isFiltered: boolean;
  /** A filter is active, or the period isn't the default. */
  readonly isNarrowed: boolean;
  /** The time that periods and ages are relative to (UTC ms). */
  readonly now: number;
}

/** Reads a feed's filters from the address. */
export function useFilterState(scope: Scope): Filters {
  const { account } = useTeam();
  const now = useNow();
  const [fromAddress, change] = useFeedSearch();
  return useMemo(() => {
    const search = within(scope, fromAddress);
    const context = { account, now, zone: localZone() };
    const usual = usualPeriod(scope);
    const period = periodOf(search, usual);
    const isFiltered = filtersOf(search).length > 0;
    return {
      ...{ scope, search, change, period, isFiltered, now },
      choosePeriod: (chosen) => change(searchFor(chosen, usual)),
      clear: () => change({ ...NO_FILTERS, ...searchFor({ name: usual }, usual) }),
      query: feedQueryOf(scope, search, context),
      countsRequest: summaryQueriesOf(scope, search, context),
      isNarrowed: isFiltered || period.name !== usual,
    };
  }, [account, scope, fromAddress, change, now]);
}
