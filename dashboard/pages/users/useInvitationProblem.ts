import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/user/user.ts';
import { sentInvitationsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { mailError } from '../../ui/format/mail-error.ts';

/** Returns why the newest invitation to a person wasn't delivered, if so. For admins. */
export function useInvitationProblem({ data: { emailAddress, invited } }: User): string | undefined {
  const { account, isDemo } = useTeam();
  const { data } = useQuery({ ...sentInvitationsQuery(useSource(), account.id), enabled: invited === true && !isDemo });
  const newest = data?.find(({ data: { to } }) => to === emailAddress)?.data;
  return newest?.status === 'failed'
    ? newest.lastError === undefined
      ? t('We couldn’t send it')
      : mailError(newest.lastError)
    : undefined;
}
