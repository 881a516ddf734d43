import { useQueryClient } from '@tanstack/react-query';
import type { Account } from '#contract/account.ts';
import type { User } from '#contract/user.ts';
import { accountQuery, userQuery, usersQuery } from './queries.ts';
import { useSource } from './source.ts';

/** Puts what the server answered where every page reads it. */
export function useTeamCache(accountId: string) {
  const source = useSource();
  const client = useQueryClient();
  const people = usersQuery(source, accountId).queryKey;
  const byName = (a: User, b: User) => a.data.displayName.localeCompare(b.data.displayName);
  return {
    putUser(user: User): void {
      client.setQueryData(people, (before) => before && [...before.filter(({ id }) => id !== user.id), user].sort(byName));
      const own = userQuery(source, user.id).queryKey;
      client.setQueryData(own, (before) => before && user);
    },
    dropUser(userId: string): void {
      client.setQueryData(people, (before) => before?.filter(({ id }) => id !== userId));
    },
    putAccount(account: Account): void {
      client.setQueryData(accountQuery(source, accountId).queryKey, account);
    },
    /** Somebody else changed it meanwhile. */
    refetchUsers: () => client.invalidateQueries({ queryKey: people }),
    refetchUser: (userId: string) => client.invalidateQueries({ queryKey: userQuery(source, userId).queryKey }),
  };
}
