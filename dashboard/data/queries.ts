import { infiniteQueryOptions, keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import type { Sent } from '#contract/operation.ts';
import type { Services } from '#contract/services.ts';
import { readPublicConfig } from './client.ts';
import { CallError, NotFound } from './errors.ts';
import type { DataSource } from './source.ts';

const MOST_RETRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (failures, error) => failures < MOST_RETRIES && isWorthRetrying(error), networkMode: 'always' },
      // Tried at once, also offline, and forgotten once done with: passwords are among what is sent.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  });
}

/** The server did not answer, or asked for patience; every other refusal is final. */
const isWorthRetrying = (error: Error): boolean => error instanceof CallError && [0, 429, 503].includes(error.status);

/** What a query is about: the second word of its key. */
export type Topic =
  | 'account'
  | 'user'
  | 'users'
  | 'properties'
  | 'feed'
  | 'head'
  | 'feedback'
  | 'form'
  | 'summary'
  | 'sessions'
  | 'operator';

export const topicKey = <Rest extends readonly unknown[]>(source: Pick<DataSource, 'id'>, topic: Topic, ...rest: Rest) =>
  [source.id, topic, ...rest] as const;

export function foundOrThrow<A extends { status: string }>(answer: A): Exclude<A, { status: 'not found' }> {
  if (answer.status === 'not found') throw new NotFound();
  // The discriminant was just compared.
  return answer as Exclude<A, { status: 'not found' }>;
}

export const accountQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'account', accountId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('account', 'get', { accountId }, signal)).account,
  });

export const userQuery = (source: DataSource, userId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'user', userId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('user', 'get', { userId }, signal)).user,
  });

export const usersQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'users', accountId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('user', 'list', { accountId }, signal)).users,
  });

export const propertiesQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'properties', accountId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('property', 'list', { accountId }, signal)).properties,
  });

export type FeedQuery = Omit<Sent<Services['feedback']['list']>, 'cursor' | 'limit'>;
export const PAGE = 25;

/** A list is asked for page by page; where the next begins, the answer before says. */
const pageFrom = (cursor: string | undefined) => ({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
const FIRST: string | undefined = undefined;
const PAGED = { initialPageParam: FIRST, getNextPageParam: ({ cursor }: { cursor: string | null }) => cursor ?? undefined };

export const feedQuery = (source: DataSource, query: FeedQuery) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'feed', query),
    queryFn: async ({ pageParam, signal }) =>
      foundOrThrow(await source.call('feedback', 'list', { ...query, ...pageFrom(pageParam) }, signal)),
    ...PAGED,
  });

/** The first page alone, asked again and again: what came since, without moving the rows that are shown. */
export const headQuery = (source: DataSource, query: FeedQuery) =>
  queryOptions({
    queryKey: topicKey(source, 'head', query),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('feedback', 'list', { ...query, limit: PAGE }, signal)),
  });

export const itemQuery = (source: DataSource, feedbackId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'feedback', feedbackId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('feedback', 'get', { feedbackId }, signal)).feedback,
  });

/** A form's questions, to stand beside their answers. They change rarely. */
export const formQuery = (source: DataSource, formId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'form', formId),
    staleTime: 10 * 60_000,
    queryFn: async ({ signal }) => foundOrThrow(await source.call('form', 'get', { formId }, signal)).form,
  });

export type SummaryRequest = Sent<Services['feedback']['summary']>;

export const summaryQuery = (source: DataSource, query: SummaryRequest) =>
  queryOptions({
    queryKey: topicKey(source, 'summary', query),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('feedback', 'summary', query, signal)),
  });

export type OverviewQuery = Sent<Services['feedback']['overview']>;

/** The counts of all properties at once: forty of them are one request. */
export const overviewQuery = (source: DataSource, query: OverviewQuery) =>
  queryOptions({
    queryKey: topicKey(source, 'summary', 'overview', query),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('feedback', 'overview', query, signal)).properties,
  });

export const sessionsQuery = (source: DataSource) =>
  queryOptions({
    queryKey: topicKey(source, 'sessions'),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('user', 'sessions', {}, signal)).sessions,
  });

export const configQuery = queryOptions({ queryKey: ['config'], staleTime: Infinity, queryFn: readPublicConfig });

/* The operator's lists: every account, everybody, and what operators did. */

export const allAccountsQuery = (source: DataSource, search: string) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'operator', 'accounts', search),
    queryFn: async ({ pageParam, signal }) =>
      foundOrThrow(await source.call('account', 'list', { search, ...pageFrom(pageParam) }, signal)),
    ...PAGED,
    placeholderData: keepPreviousData,
  });

export const allUsersQuery = (source: DataSource, search: string) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'operator', 'users', search),
    queryFn: async ({ pageParam, signal }) =>
      foundOrThrow(await source.call('user', 'masterList', { search, ...pageFrom(pageParam) }, signal)),
    ...PAGED,
    placeholderData: keepPreviousData,
  });

export const auditLogQuery = (source: DataSource, search: string) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'operator', 'log', search),
    queryFn: async ({ pageParam, signal }) =>
      foundOrThrow(await source.call('account', 'auditLog', { search, ...pageFrom(pageParam) }, signal)),
    ...PAGED,
    placeholderData: keepPreviousData,
  });
