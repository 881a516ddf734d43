import { useQuery } from '@tanstack/react-query';
import { type FeedQuery, resultsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { type Total, totalFrom } from './total.ts';

/** Returns the server's count of a list; undefined until it arrives, and while it isn't needed. */
export function useTotal(query: FeedQuery, { isNeeded }: { readonly isNeeded: boolean }): Total | undefined {
  const { data } = useQuery({ ...resultsQuery(useSource(), query), enabled: isNeeded });
  return isNeeded && data !== undefined ? totalFrom(data) : undefined;
}
