import { useQuery } from '@tanstack/react-query';
import type { Account } from '#contract/account/account.ts';
import { calendarDay, type Range, startOfDay } from '#contract/core/time.ts';
import type { Tally } from '#contract/feedback/feedback.ts';
import { NotFound } from '../../data/errors.ts';
import { type SummaryRequest, summaryQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useLastDefined } from '../../ui/hooks.ts';
import { beforeOf, grainOf, type Period, rangeOf } from './period.ts';
import type { TrendBucket } from './trend.ts';

/** The numbers of a period, with what they were asked for. */
export interface PeriodCounts {
  readonly query: SummaryRequest;
  readonly period: Period;
  readonly ratings: Tally;
  readonly urgent: number;
  readonly suspected: number;
  readonly trend: readonly TrendBucket[];
  /** The ratings of the period before, where they are known. */
  readonly before: Tally | undefined;
  /** The same as bars, with what they were asked for. */
  readonly trendBefore: { readonly query: SummaryRequest; readonly trend: readonly TrendBucket[] } | undefined;
}

export interface Counts {
  /** The numbers that are known; of the period before, until those of the chosen one are. */
  readonly shown: PeriodCounts | undefined;
  readonly isOld: boolean;
  readonly failed: boolean;
  retry(): void;
}

export interface CountsRequest {
  readonly now: SummaryRequest;
  /** Left out where nothing came before. */
  readonly before: SummaryRequest | undefined;
}

interface CountsContext {
  readonly account: Account;
  /** UTC ms, and the browser's time zone. */
  readonly now: number;
  readonly zone: string;
}

type CountedPlace = Pick<SummaryRequest, 'accountId' | 'propertyId' | 'toolId'>;

/** The counts of a period, and those of the one before to compare with. What has no beginning begins with the account. */
export function countsRequest(named: CountedPlace, period: Period, { account, now, zone }: CountsContext): CountsRequest {
  const { from = startOfDay(calendarDay(account.data.created, zone), zone), to } = rangeOf(period, now, zone);
  const grain = grainOf({ from, to });
  const ask = (span: Range): SummaryRequest => ({ ...named, ...span, zone, grain });
  const before = beforeOf(period, now, zone);
  return { now: ask({ from, to }), before: before && ask(before) };
}

/** The numbers of a period and of the one before, drawn together so that they come in one piece. Not asked for where nothing shows them. */
export function useCounts(
  { now: query, before: queryBefore }: CountsRequest,
  { period, isShown }: { period: Period; isShown: boolean },
): Counts {
  const source = useSource();
  const { data, error, refetch } = useQuery({ ...summaryQuery(source, query), enabled: isShown });
  const before = useQuery({ ...summaryQuery(source, queryBefore ?? query), enabled: isShown && queryBefore !== undefined });
  // What is only compared with holds nothing up once it has failed.
  const isThere = data !== undefined && (queryBefore === undefined || !before.isPending || before.failureCount > 0);
  const beforeOfCounts = {
    before: queryBefore && before.data?.ratings,
    trendBefore: queryBefore && before.data && { query: queryBefore, trend: before.data.trend },
  };
  const shown = useLastDefined(isThere ? { ...data, query, period, ...beforeOfCounts } : undefined);
  return {
    shown,
    isOld: !isThere,
    failed: error !== null && !(error instanceof NotFound),
    retry() {
      void refetch();
      if (queryBefore !== undefined && before.isError) void before.refetch();
    },
  };
}
