import { useNavigate, useSearch } from '@tanstack/react-router';
import * as v from 'valibot';
import { STANDINGS } from '#contract/subscription.ts';
import type { StandingFilter } from '../../data/queries.ts';

const LONGEST_TEXT = 100;

const subscriptionsSearch = v.object({
  q: v.fallback(
    v.optional(
      v.pipe(
        v.union([v.string(), v.number()]),
        v.transform((given) => String(given).trim().slice(0, LONGEST_TEXT)),
        v.nonEmpty(),
      ),
    ),
    undefined,
  ),
  standing: v.fallback(v.optional(v.picklist(STANDINGS.slice(1))), undefined),
});

/** The list's part of the address: the words that are looked for, and which subscriptions are shown; undefined is all. */
export interface SubscriptionsSearch {
  readonly q: string | undefined;
  readonly standing: StandingFilter | undefined;
}

/** Names every key, so that a value that is not understood leaves the address too. */
export function readSubscriptionsSearch(raw: Record<string, unknown>): SubscriptionsSearch {
  const { q, standing } = v.parse(subscriptionsSearch, raw);
  return { q, standing };
}

export function useSubscriptionsSearch(): readonly [SubscriptionsSearch, (change: Partial<SubscriptionsSearch>) => void] {
  const navigate = useNavigate();
  const change = (wanted: Partial<SubscriptionsSearch>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...wanted }), replace: true, resetScroll: false });
  return [readSubscriptionsSearch(useSearch({ strict: false })), change];
}
