import type { Sent } from '#contract/operation.ts';
import type { Services } from '#contract/services.ts';
import { useSource } from '../../data/source.ts';
import { useTeamCache } from '../../data/useTeamCache.ts';
import { useTeam } from '../../frame/data.tsx';

type Changes = Omit<Sent<Services['user']['save']>['payload']['data'], 'level'>;

/** Changes one's own record. Throws when the server says no. */
export function useSaveMe(): (changes: Changes) => Promise<void> {
  const source = useSource();
  const { user, account } = useTeam();
  const { putUser } = useTeamCache(account.id);
  return async (changes) => {
    const answer = await source.call('user', 'save', { payload: { id: user.id, data: changes } });
    if (answer.status === 'ok') putUser(answer.user);
  };
}
