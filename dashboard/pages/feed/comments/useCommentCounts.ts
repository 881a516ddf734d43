import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { commentCountsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';

/** So many are asked for at a time: the server takes no more. */
const AT_ONCE = 100;

/** How many comments the rows of a list have, by the feedback's id; nothing of those that have none. */
export function useCommentCounts(rows: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  const source = useSource();
  const chunks = Array.from({ length: Math.ceil(rows.length / AT_ONCE) }, (_, index) => rows.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
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
