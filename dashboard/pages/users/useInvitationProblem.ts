import { useInfiniteQuery } from '@tanstack/react-query';
import type { User } from '#contract/user.ts';
import { deliveriesQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../../frame/team.ts';

/** Why the newest invitation to somebody was given up, as the sent messages say it; undefined where it was not. For admins. */
export function useInvitationProblem({ data: { emailAddress, invited } }: User): string | undefined {
  const { account, isDemo } = useTeam();
  const { data } = useInfiniteQuery({
    ...deliveriesQuery(useSource(), { accountId: account.id, search: emailAddress, status: undefined }),
    enabled: invited === true && !isDemo,
  });
  const newest = data?.pages
    .flatMap(({ deliveries }) => deliveries)
    .find(({ data: { reason, to } }) => reason === 'user.invited' && to === emailAddress);
  return newest?.data.status === 'failed' ? (newest.data.lastError ?? 'It could not be sent') : undefined;
}
