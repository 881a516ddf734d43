import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import * as v from 'valibot';
import { filters, isPeriod, type NamedPeriod } from '#contract/feedback/filters.ts';
import type { Period } from './period.ts';

/** Wraps a schema so that an unknown value falls back to undefined without an error. */
export const quiet = <S extends v.GenericSchema<never, unknown> | v.GenericSchema>(schema: S) =>
  v.optional(v.fallback(v.optional(schema), undefined));

/** The search parameters of a period. */
export const PERIOD_ENTRIES = {
  range: quiet(filters.range),
  from: quiet(filters.from),
  to: quiet(filters.to),
};
const periodSearch = v.object(PERIOD_ENTRIES);
type PeriodSearch = v.InferOutput<typeof periodSearch>;

export const NO_PERIOD = { range: undefined, from: undefined, to: undefined };

/** Reads the search parameters. Returns every key, so that unknown values are removed from the address. */
export const readPeriodSearch = (raw: Record<string, unknown>): PeriodSearch =>
  withWholePeriod(v.parse(periodSearch, { ...NO_PERIOD, ...raw }));

/** Custom dates need both days. */
export const withWholePeriod = <S extends PeriodSearch>(search: S): S =>
  search.from && search.to && isPeriod(search.from, search.to) ? search : { ...search, from: undefined, to: undefined };

/** Returns the address's period, or the page's default. */
export const periodOf = ({ range, from, to }: PeriodSearch, usual: NamedPeriod): Period =>
  from !== undefined && to !== undefined ? { name: 'own', from, to } : { name: range ?? usual };

/** Returns the search parameters for a period. */
export function searchFor(period: Period, usual: NamedPeriod): PeriodSearch {
  if (period.name === 'own') return { range: undefined, from: period.from, to: period.to };
  return { ...NO_PERIOD, range: period.name === usual ? undefined : period.name };
}

/** Reads and changes the period in the address of a page without other search parameters. */
export function usePeriod(usual: NamedPeriod): readonly [Period, (period: Period) => void] {
  const period = periodOf(readPeriodSearch(useSearch({ strict: false })), usual);
  const navigate = useNavigate();
  const choose = useCallback(
    (chosen: Period) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...searchFor(chosen, usual) }), resetScroll: false }),
    [navigate, usual],
  );
  return [period, choose];
}
