import { useQuery } from '@tanstack/react-query';
import type { SavedReply } from '#contract/saved-reply/saved-reply.ts';
import { savedRepliesQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useTeam } from '../../../frame/team.ts';

const NONE: readonly SavedReply[] = [];

/** Returns the team's saved replies, by name; none until they are loaded. */
export const useSavedReplies = (): readonly SavedReply[] => useQuery(savedRepliesQuery(useSource(), useTeam().account.id)).data ?? NONE;
