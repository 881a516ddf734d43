import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Tool } from '#contract/tool/tool.ts';
import { toolsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../team.ts';

const NONE: readonly Tool[] = [];

/** Returns the placements of all properties, by name; none while they load. */
export function useTools(): readonly Tool[] {
  const { account } = useTeam();
  return useQuery(toolsQuery(useSource(), account.id)).data ?? NONE;
}

/** Returns a function that names a placement; undefined if it's deleted, not loaded or not given. */
export function useToolNames(): (toolId: string | undefined) => string | undefined {
  const tools = useTools();
  return useCallback((toolId) => tools.find(({ id }) => id === toolId)?.data.displayName, [tools]);
}
