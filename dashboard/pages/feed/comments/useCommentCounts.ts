import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { commentCountsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';

/** The most ids the server accepts in one request. */
const CHUNK = 100;

/** Returns the number of comments by feedback id, without feedback that has none. */
export function useCommentCounts(rows: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  const source = useSource();
  const chunks = Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, index) => rows.slice(index * CHUNK, (index + 1) * CHUNK));
  return useQueries({
    queries: chunks.map((chunk) => ({
      ...commentCountsQuery(
        source,
        chunk.map(({ id }) => id),
      ),
      placeholderData: keepPreviousData,
    })),
    combine: (answers) => new Map(answers.flatMap(({ data = [] }) => data.map(({ feedbackId, count }) => [feedbackId, count]))),
  });
}
