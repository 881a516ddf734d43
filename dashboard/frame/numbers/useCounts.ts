import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Account } from '#contract/account/account.ts';
import { calendarDay, type Range, startOfDay } from '#contract/core/time.ts';
import type { Tally } from '#contract/feedback/tally.ts';
import { NotFound } from '../../data/errors.ts';
import { type SummaryRequest, summaryQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useLastDefined } from '../../ui/hooks.ts';
import { beforeOf, grainOf, type Period, rangeOf } from './period.ts';
import type { TrendBucket } from './trend.ts';

/** The numbers of a period, with their query. */
export interface PeriodCounts {
  readonly query: SummaryRequest;
  readonly period: Period;
  readonly ratings: Tally;
  readonly urgent: number;
  readonly suspected: number;
  readonly trend: readonly TrendBucket[];
  /** The ratings of the previous period, if available. */
  readonly before: Tally | undefined;
  /** The bars of the previous period, with their query. */
  readonly trendBefore: { readonly query: SummaryRequest; readonly trend: readonly TrendBucket[] } | undefined;
}

export interface Counts {
  /** The loaded numbers; those of the last chosen period while the new ones load. */
  readonly shown: PeriodCounts | undefined;
  readonly isOld: boolean;
  readonly failed: boolean;
  retry(): void;
}

export interface CountsRequest {
  readonly now: SummaryRequest;
  /** Undefined without a previous period. */
  readonly before: SummaryRequest | undefined;
}

interface CountsContext {
  readonly account: Account;
  /** UTC ms, and the browser's time zone. */
  readonly now: number;
  readonly zone: string;
}

type CountedPlace = Pick<SummaryRequest, 'accountId' | 'propertyId' | 'toolId'>;

/** Returns the queries for a period and the one before it. All time starts with the account. */
export function countsRequest(scope: CountedPlace, period: Period, { account, now, zone }: CountsContext): CountsRequest {
  const { from = startOfDay(calendarDay(account.data.created, zone), zone), to } = rangeOf(period, now, zone);
  const grain = grainOf({ from, to });
  const request = (span: Range): SummaryRequest => ({ ...scope, ...span, zone, grain });
  const before = beforeOf(period, now, zone);
  return { now: request({ from, to }), before: before && request(before) };
}

/** Loads the numbers of a period and the one before, and returns them together. Loads nothing unless they're shown. */
export function useCounts(
  { now: query, before: queryBefore }: CountsRequest,
  { period, isShown }: { period: Period; isShown: boolean },
): Counts {
  const source = useSource();
  const { data, error, refetch } = useQuery({ ...summaryQuery(source, query), enabled: isShown });
  const before = useQuery({ ...summaryQuery(source, queryBefore ?? query), enabled: isShown && queryBefore !== undefined });
  // A failure of the comparison must not delay the period's numbers.
  const isReady = data !== undefined && (queryBefore === undefined || !before.isPending || before.failureCount > 0);
  const loaded = useMemo(
    () =>
      isReady
        ? {
            ...data,
            ...{ query, period },
            before: queryBefore && before.data?.ratings,
            trendBefore: queryBefore && before.data && { query: queryBefore, trend: before.data.trend },
          }
        : undefined,
    [isReady, data, query, period, queryBefore, before.data],
  );
  const shown = useLastDefined(loaded);
  return {
    shown,
    isOld: !isReady,
    failed: error !== null && !(error instanceof NotFound),
    retry() {
      void refetch();
      if (queryBefore !== undefined && before.isError) void before.refetch();
    },
  };
}
