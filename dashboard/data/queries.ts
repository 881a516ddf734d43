import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import type { Sent } from '#contract/operation.ts';
import type { Services } from '#contract/services.ts';
import { readPublicConfig } from './client.ts';
import { CallError, Failure } from './errors.ts';
import type { Source } from './source.ts';

const MOST_RETRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (failures, error) => failures < MOST_RETRIES && isWorthRetrying(error), networkMode: 'always' },
    },
  });
}

/** Nobody answered, or the server asked for patience; every other no stays a no. */
const isWorthRetrying = (error: Error): boolean => error instanceof CallError && [0, 429, 503].includes(error.status);

/** Thrown where a record that the page is about is not there. */
export class NotFound extends Failure {}

export function present<A extends { status: string }>(answer: A): Exclude<A, { status: 'not found' }> {
  if (answer.status === 'not found') throw new NotFound('This is not there any more.');
  // The discriminant was just compared.
  return answer as Exclude<A, { status: 'not found' }>;
}

export const accountQuery = (source: Source, accountId: string) =>
  queryOptions({
    queryKey: [source.id, 'account', accountId],
    queryFn: async ({ signal }) => present(await source.call('account', 'get', { accountId }, signal)).account,
  });

export const userQuery = (source: Source, userId: string) =>
  queryOptions({
    queryKey: [source.id, 'user', userId],
    queryFn: async ({ signal }) => present(await source.call('user', 'get', { userId }, signal)).user,
  });

export const usersQuery = (source: Source, accountId: string) =>
  queryOptions({
    queryKey: [source.id, 'users', accountId],
    queryFn: async ({ signal }) => present(await source.call('user', 'list', { accountId }, signal)).users,
  });

export const propertiesQuery = (source: Source, accountId: string) =>
  queryOptions({
    queryKey: [source.id, 'properties', accountId],
    queryFn: async ({ signal }) => present(await source.call('property', 'list', { accountId }, signal)).properties,
  });

export type FeedQuery = Omit<Sent<Services['feedback']['list']>, 'cursor' | 'limit'>;
export const PAGE = 25;

export const feedKey = (source: Source) => [source.id, 'feed'] as const;

export const feedQuery = (source: Source, query: FeedQuery) =>
  infiniteQueryOptions({
    queryKey: [...feedKey(source), query],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      present(
        await source.call('feedback', 'list', { ...query, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
      ),
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });

export const headKey = (source: Source) => [source.id, 'head'] as const;

/** The first page alone, asked again and again: what came since, without moving the rows that are shown. */
export const headQuery = (source: Source, query: FeedQuery) =>
  queryOptions({
    queryKey: [...headKey(source), query],
    queryFn: async ({ signal }) => present(await source.call('feedback', 'list', { ...query, limit: PAGE }, signal)),
  });

export const itemKey = (source: Source, feedbackId: string) => [source.id, 'feedback', feedbackId] as const;

export const itemQuery = (source: Source, feedbackId: string) =>
  queryOptions({
    queryKey: itemKey(source, feedbackId),
    queryFn: async ({ signal }) => present(await source.call('feedback', 'get', { feedbackId }, signal)).feedback,
  });

/** A form's questions, to stand beside their answers. They change rarely. */
export const formQuery = (source: Source, formId: string) =>
  queryOptions({
    queryKey: [source.id, 'form', formId],
    staleTime: 10 * 60_000,
    queryFn: async ({ signal }) => present(await source.call('form', 'get', { formId }, signal)).form,
  });

export type SummaryQuery = Sent<Services['feedback']['summary']>;

export const summaryKey = (source: Source) => [source.id, 'summary'] as const;

export const summaryQuery = (source: Source, query: SummaryQuery) =>
  queryOptions({
    queryKey: [...summaryKey(source), query],
    queryFn: async ({ signal }) => present(await source.call('feedback', 'summary', query, signal)),
  });

export type OverviewQuery = Sent<Services['feedback']['overview']>;

/** Of all properties at once: forty of them are one question. */
export const overviewQuery = (source: Source, query: OverviewQuery) =>
  queryOptions({
    queryKey: [...summaryKey(source), 'overview', query],
    queryFn: async ({ signal }) => present(await source.call('feedback', 'overview', query, signal)).properties,
  });

export const sessionsQuery = (source: Source) =>
  queryOptions({
    queryKey: [source.id, 'sessions'],
    queryFn: async ({ signal }) => present(await source.call('user', 'sessions', {}, signal)).sessions,
  });

export const configQuery = queryOptions({ queryKey: ['config'], staleTime: Infinity, queryFn: readPublicConfig });
