import { useQuery } from '@tanstack/react-query';
import type { Tag } from '#contract/tag/tag.ts';
import { tagsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useTeam } from '../../../frame/team.ts';

interface UseTags {
  readonly tags: readonly Tag[];
  /** Those of the ids that are still there. A deleted tag is shown nowhere. */
  known(ids: readonly string[]): Tag[];
  nameOf(id: string): string;
}

/** The account's tags. */
export function useTags(): UseTags {
  const { account } = useTeam();
  const { data: tags = [] } = useQuery({ ...tagsQuery(useSource(), account.id), staleTime: 5 * 60_000 });
  return {
    tags,
    known: (ids) => ids.flatMap((id) => tags.find((tag) => tag.id === id) ?? []),
    nameOf: (id) => tags.find((tag) => tag.id === id)?.data.displayName ?? 'Deleted tag',
  };
}
