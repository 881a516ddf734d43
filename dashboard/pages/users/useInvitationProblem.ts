import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/user/user.ts';
import { sentInvitationsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../../frame/team.ts';

/** Why the newest invitation to somebody was given up, as the sent messages say it; undefined where it was not. For admins. */
export function useInvitationProblem({ data: { emailAddress, invited } }: User): string | undefined {
  const { account, isDemo } = useTeam();
  const { data } = useQuery({ ...sentInvitationsQuery(useSource(), account.id), enabled: invited === true && !isDemo });
  const newest = data?.find(({ data: { to } }) => to === emailAddress)?.data;
  return newest?.status === 'failed' ? (newest.lastError ?? 'It could not be sent') : undefined;
}
