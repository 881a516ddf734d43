import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * Returns an error also while its query is tried again. The query itself forgets it then, and a page would show its skeleton for each
 * attempt.
 */
export function useLastError(
  error: Error | null | undefined,
  queries: readonly Pick<UseQueryResult, 'isFetching' | 'data'>[],
): Error | undefined {
  const last = useRef<Error>(undefined);
  const isLoading = queries.some(({ isFetching, data }) => isFetching && data === undefined);
  if (error || !isLoading) last.current = error ?? undefined;
  return last.current;
}
