import { useQuery } from '@tanstack/react-query';
import type { Tag } from '#contract/tag/tag.ts';
import { tagsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';

interface UseTags {
  readonly tags: readonly Tag[];
  /** Returns the tags with these ids, without deleted ones. */
  byIds(ids: readonly string[]): Tag[];
  nameOf(id: string): string;
}

/** Returns the account's tags. */
export function useTags(): UseTags {
  const { account } = useTeam();
  const { data: tags = [] } = useQuery({ ...tagsQuery(useSource(), account.id), staleTime: 5 * 60_000 });
  return {
    tags,
    byIds: (ids) => ids.flatMap((id) => tags.find((tag) => tag.id === id) ?? []),
    nameOf: (id) => tags.find((tag) => tag.id === id)?.data.displayName ?? t('Deleted tag'),
  };
}
