import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { present, topicKey } from './queries.ts';
import type { Source } from './source.ts';

/* The operator's lists: every account, everybody, and what operators did. */

const PAGE = 25;

// A list is asked for page by page; where the next begins, the answer before says.
const paged = (search: string, cursor: string | undefined) => ({ search, limit: PAGE, ...(cursor !== undefined && { cursor }) });
const FIRST: string | undefined = undefined;
const how = {
  initialPageParam: FIRST,
  getNextPageParam: ({ cursor }: { cursor: string | null }) => cursor ?? undefined,
  placeholderData: keepPreviousData,
} as const;

export const allAccountsQuery = (source: Source, search: string) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'operator', 'accounts', search),
    queryFn: async ({ pageParam, signal }) => present(await source.call('account', 'list', paged(search, pageParam), signal)),
    ...how,
  });

export const allUsersQuery = (source: Source, search: string) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'operator', 'users', search),
    queryFn: async ({ pageParam, signal }) => present(await source.call('user', 'masterList', paged(search, pageParam), signal)),
    ...how,
  });

export const auditLogQuery = (source: Source, search: string) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'operator', 'log', search),
    queryFn: async ({ pageParam, signal }) => present(await source.call('account', 'auditLog', paged(search, pageParam), signal)),
    ...how,
  });
