import { useQuery } from '@tanstack/react-query';
import { isRefused, NotFound } from './errors.ts';
import { accountQuery, propertiesQuery, savedViewsQuery, userQuery, usersQuery } from './queries.ts';
import type { DataSource } from './source.ts';
import { useLastError } from './useLastError.ts';

/**
 * Loads what every page needs: the person, then the account, its people, its properties and the saved views in parallel
 * (docs/rules.md#loading-the-team).
 */
export function useLoadedTeam(source: DataSource, userId: string | undefined) {
  const user = useQuery({ ...userQuery(source, userId ?? ''), enabled: userId !== undefined });
  const accountId = user.data?.data.accountId ?? '';
  const enabled = accountId !== '';
  const account = useQuery({ ...accountQuery(source, accountId), enabled });
  const users = useQuery({ ...usersQuery(source, accountId), enabled });
  const properties = useQuery({ ...propertiesQuery(source, accountId), enabled });
  // The navigation lists them, and can do without.
  const views = useQuery({ ...savedViewsQuery(source, accountId), enabled });
  const all = [user, account, users, properties];
  const isUserMissing = user.error instanceof NotFound;
  const isStranger = user.data === null || isRefused(user.error, 'no-account');
  const failure = isUserMissing || isStranger ? undefined : all.find(({ isError, data }) => isError && data === undefined)?.error;
  const error = useLastError(failure, all);
  return {
    user: user.data ?? undefined,
    account: account.data,
    users: users.data,
    properties: properties.data,
    isNavigable: views.isFetched || views.failureCount > 0,
    isUserMissing,
    isStranger,
    /** Why the team can't be shown. */
    error,
    refetchAccount: () => void (enabled && Promise.all([account.refetch(), properties.refetch()])),
    retry: () => Promise.all(all.filter(({ isError }) => isError).map(({ refetch }) => refetch())),
  };
}
