import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type FeedSearch, readFeedSearch } from './search.ts';

export type ChangeSearch = (change: Partial<FeedSearch>, how?: { replace?: boolean }) => void;

/** The feed's part of the address, and the way to change it. Another filter closes what is open. */
export function useFeedSearch(): readonly [FeedSearch, ChangeSearch] {
  const search = readFeedSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change: ChangeSearch = useCallback(
    (wanted, { replace = false } = {}) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, id: undefined, ...wanted }), replace, resetScroll: false }),
    [navigate],
  );
  return [search, change];
}
