import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Tool } from '#contract/tool/tool.ts';
import { toolsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../team.ts';

const NONE: readonly Tool[] = [];

/** The placements of all properties, by name; none while they load. */
export function useTools(): readonly Tool[] {
  const { account } = useTeam();
  return useQuery(toolsQuery(useSource(), account.id)).data ?? NONE;
}

/** Names a placement; undefined where it is deleted, not loaded, or none. */
export function useToolNames(): (toolId: string | undefined) => string | undefined {
  const tools = useTools();
  return useCallback((toolId) => tools.find(({ id }) => id === toolId)?.data.displayName, [tools]);
}
