import { useQuery } from '@tanstack/react-query';
import { savedRepliesQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useTeam } from '../../../frame/team.ts';

/** The team's saved replies, by name. */
export const useSavedReplies = () => useQuery(savedRepliesQuery(useSource(), useTeam().account.id));
