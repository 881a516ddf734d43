import { infiniteQueryOptions, keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import type { STANDINGS } from '#contract/billing/subscription.ts';
import type { Sent } from '#contract/core/operation.ts';
import { MINUTE } from '#contract/core/time.ts';
import type { DeliveryStatus } from '#contract/notification/delivery.ts';
import type { Services } from '#contract/services.ts';
import { readOperations, readPublicConfig } from './client.ts';
import { CallError, NotFound } from './errors.ts';
import type { DataSource, SentTo } from './source.ts';

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
  | 'payments'
  | 'plan-preview'
  | 'user'
  | 'users'
  | 'invitation'
  | 'properties'
  | 'tools'
  | 'feed'
  | 'head'
  | 'results'
  | 'feedback'
  | 'some'
  | 'comments'
  | 'comment-counts'
  | 'form'
  | 'summary'
  | 'words'
  | 'inbox'
  | 'history'
  | 'exports'
  | 'notifications'
  | 'push-devices'
  | 'deliveries'
  | 'webhooks'
  | 'webhook-deliveries'
  | 'tags'
  | 'saved-views'
  | 'sessions'
  | 'second-factor'
  | 'screenshot'
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

/** Null for an operator without a team. */
export const userQuery = (source: DataSource, userId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'user', userId),
    queryFn: async ({ signal }) => {
      const answer = foundOrThrow(await source.call('user', 'get', { userId }, signal));
      return answer.status === 'ok' ? answer.user : null;
    },
  });

/** What the account paid, newest first. The provider is asked: a failure is said at once, and tried again by whoever reads it. */
export const paymentsQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'payments', accountId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('account', 'payments', {}, signal)).payments,
    retry: false,
  });

/** What another plan would cost, asked for anew each time: it changes with the minute. */
export const planPreviewQuery = (source: DataSource, choice: SentTo<'account', 'previewPlan'>) =>
  queryOptions({
    queryKey: topicKey(source, 'plan-preview', choice),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('account', 'previewPlan', choice, signal)).preview,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });

/** When the account was deleted, and until when it can come back. */
export const deletionQuery = (source: DataSource) =>
  queryOptions({
    queryKey: topicKey(source, 'account', 'deletion'),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('account', 'deletion', {}, signal)),
    gcTime: 0,
  });

/** Who invited whom to which team; null where the key is over, or was used. */
export const invitationQuery = (source: DataSource, key: string) =>
  queryOptions({
    queryKey: topicKey(source, 'invitation', key),
    queryFn: async ({ signal }) => {
      const answer = await source.call('user', 'invitation', { key }, signal);
      return answer.status === 'ok' ? answer.invitation : null;
    },
    gcTime: 0,
    staleTime: Infinity,
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

/** Every placement of the account: the feed names them, and a property's page shows its own. */
export const toolsQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'tools', accountId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('tool', 'list', { accountId }, signal)).tools,
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

/** How many a list has in all, up to one more than `MOST_RESULTS`. A list does without it where it fails. */
export const resultsQuery = (source: DataSource, query: FeedQuery) =>
  queryOptions({
    queryKey: topicKey(source, 'results', query),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('feedback', 'count', query, signal)).count,
    retry: false,
  });

export const itemQuery = (source: DataSource, feedbackId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'feedback', feedbackId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('feedback', 'get', { feedbackId }, signal)).feedback,
  });

/** Feedback that is shown already, read anew: one request for many rows. */
export const someQuery = (source: DataSource, feedbackIds: string[]) =>
  queryOptions({
    queryKey: topicKey(source, 'some', feedbackIds),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('feedback', 'some', { feedbackIds }, signal)).feedback,
    staleTime: 0,
    gcTime: 0,
  });

/** What the team says about one piece of feedback, newest first. */
export const commentsQuery = (source: DataSource, feedbackId: string) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'comments', feedbackId),
    queryFn: async ({ pageParam, signal }) =>
      foundOrThrow(await source.call('comment', 'list', { feedbackId, ...pageFrom(pageParam) }, signal)),
    ...PAGED,
  });

/** How many comments some feedback has, where it has any. */
export const commentCountsQuery = (source: DataSource, feedbackIds: string[]) =>
  queryOptions({
    queryKey: topicKey(source, 'comment-counts', feedbackIds),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('comment', 'count', { feedbackIds }, signal)).counts,
  });

/** What happened to one piece of feedback. */
export const historyQuery = (source: DataSource, feedbackId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'history', feedbackId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('feedback', 'history', { feedbackId }, signal)).history,
  });

/** Whom one feedback item alerts, each with the decision. Goes stale with the item's history. */
export const alertsQuery = (source: DataSource, feedbackId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'history', feedbackId, 'alerts'),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('notification', 'alerts', { feedbackId }, signal)).alerts,
  });

/** What this person was told, newest first, and how much of it is unread. */
export const notificationsQuery = (source: DataSource) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'notifications'),
    queryFn: async ({ pageParam, signal }) => foundOrThrow(await source.call('notification', 'list', pageFrom(pageParam), signal)),
    ...PAGED,
  });

/** The browsers on which this person is told, with this one where its address is given, and the key that they subscribe by. */
export const pushDevicesQuery = (source: DataSource, endpoint: string | undefined) =>
  queryOptions({
    queryKey: topicKey(source, 'push-devices', endpoint),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('device', 'list', endpoint === undefined ? {} : { endpoint }, signal)),
    placeholderData: keepPreviousData,
  });

/** One's own files. */
export const exportsQuery = (source: DataSource) =>
  queryOptions({
    queryKey: topicKey(source, 'exports'),
    staleTime: 0,
    queryFn: async ({ signal }) => foundOrThrow(await source.call('export', 'list', {}, signal)).files,
  });

export const webhooksQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'webhooks', accountId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('webhook', 'list', { accountId }, signal)).webhooks,
  });

/** What was sent to a webhook, newest first. */
export const webhookDeliveriesQuery = (source: DataSource, webhookId: string) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'webhook-deliveries', webhookId),
    staleTime: 0,
    queryFn: async ({ pageParam, signal }) =>
      foundOrThrow(await source.call('webhook', 'deliveries', { webhookId, ...pageFrom(pageParam) }, signal)),
    ...PAGED,
  });

/** How many wait, by property, and how much this person has not read. */
export const inboxQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'inbox', accountId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('feedback', 'inbox', { accountId }, signal)),
  });

export const tagsQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'tags', accountId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('tag', 'list', { accountId }, signal)).tags,
  });

/** The caller's own views and the team's. */
export const savedViewsQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'saved-views', accountId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('savedView', 'list', { accountId }, signal)).views,
    staleTime: 5 * 60_000,
  });

/** A version of a form with who saved it, and whether visitors can answer the form now; the newest where none is named. An earlier one never changes. */
export const formVersionQuery = (source: DataSource, formId: string, version?: number) => ({
  queryKey: topicKey(source, 'form', formId, 'version', version ?? 'newest'),
  staleTime: version === undefined ? 0 : Infinity,
  queryFn: async ({ signal }: { readonly signal?: AbortSignal } = {}) => {
    const sent = version === undefined ? { formId } : { formId, version };
    const { form, savedBy, standing } = foundOrThrow(await source.call('form', 'read', sent, signal));
    return { form, savedBy, standing };
  },
});

/** A form's versions without their words, up to the newest. */
export const formVersionsQuery = (source: DataSource, formId: string, newest: number) =>
  queryOptions({
    queryKey: topicKey(source, 'form', formId, 'versions', newest),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('form', 'versions', { formId }, signal)),
    placeholderData: keepPreviousData,
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

/** How many answers each property ever got, by its id; one that is not among them has none yet. */
export const totalsQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'summary', 'totals', accountId),
    queryFn: async ({ signal }) => {
      const { properties } = foundOrThrow(await source.call('feedback', 'totals', { accountId }, signal));
      return new Map(properties.map(({ propertyId, answers }) => [propertyId, answers]));
    },
  });

export type PlacementsQuery = Sent<Services['feedback']['placements']>;

export const placementsQuery = (source: DataSource, query: PlacementsQuery) =>
  queryOptions({
    queryKey: topicKey(source, 'summary', 'placements', query),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('feedback', 'placements', query, signal)).placements,
  });

export type InsightQuery = Sent<Services['insight']['overview']>;

/** What came of a period: openings, reviews, places and hours. Stale with the counts of ratings. */
export const insightQuery = (source: DataSource, query: InsightQuery) =>
  queryOptions({
    queryKey: topicKey(source, 'summary', 'insight', query),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('insight', 'overview', query, signal)),
  });

/** Words change slowly, and are much to read. */
const WORDS_FRESH = 60_000;

/** The words that stand out in a period, looked at again every minute. */
export const wordsQuery = (source: DataSource, query: Sent<Services['insight']['words']>) =>
  queryOptions({
    queryKey: topicKey(source, 'words', query),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('insight', 'words', query, signal)),
    staleTime: WORDS_FRESH,
    refetchInterval: WORDS_FRESH,
  });

export const sessionsQuery = (source: DataSource) =>
  queryOptions({
    queryKey: topicKey(source, 'sessions'),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('user', 'sessions', {}, signal)).sessions,
  });

/** How the second step of somebody's sign-in stands: one's own, or for an admin that of a teammate. */
export const secondFactorQuery = (source: DataSource, userId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'second-factor', userId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('user', 'secondFactor', { userId }, signal)).secondFactor,
  });

/** The same for an operator, with the reset that waits. */
export const masterSecondFactorQuery = (source: DataSource, about: { readonly accountId: string; readonly userId: string }) =>
  queryOptions({
    queryKey: topicKey(source, 'second-factor', 'operator', about.userId),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('user', 'masterSecondFactor', about, signal)),
  });

export const configQuery = queryOptions({ queryKey: ['config'], staleTime: Infinity, queryFn: readPublicConfig });

export const operationsQuery = queryOptions({ queryKey: ['operations'], staleTime: Infinity, queryFn: readOperations });

export type StandingFilter = (typeof STANDINGS)[number];

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

export const messagesQuery = (source: DataSource, query: { readonly search: string; readonly which: 'open' | 'all' }) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'operator', 'messages', query),
    queryFn: async ({ pageParam, signal }) =>
      foundOrThrow(await source.call('message', 'list', { ...query, ...pageFrom(pageParam) }, signal)),
    ...PAGED,
    placeholderData: keepPreviousData,
  });

export const deliveriesQuery = (
  source: DataSource,
  { accountId, ...query }: { readonly accountId: string; readonly search: string; readonly status: DeliveryStatus | undefined },
) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'deliveries', accountId, query),
    queryFn: async ({ pageParam, signal }) =>
      foundOrThrow(await source.call('delivery', 'list', { accountId, ...query, ...pageFrom(pageParam) }, signal)),
    ...PAGED,
    placeholderData: keepPreviousData,
    // What waits goes out by itself.
    refetchInterval: ({ state }) => (state.data?.pages[0]?.deliveries.some(({ data }) => data.status === 'queued') ? LOOKS_AGAIN : false),
  });

/** How long what was just sent is looked at (ms): most mails go out at once, and few wait for days. */
const LOOKED_AT_FOR = MINUTE;

/** What became of the newest invitation to each person who has not come yet. */
export const sentInvitationsQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'deliveries', accountId, 'invitations'),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('delivery', 'invitations', { accountId }, signal)).deliveries,
    refetchInterval: ({ state }) =>
      state.data?.some(({ data: { status, created } }) => status === 'queued' && Date.now() - created < LOOKED_AT_FOR)
        ? LOOKS_AGAIN
        : false,
  });

/** Between two looks at what is on its way (ms). */
const LOOKS_AGAIN = 3_000;

/** After so long (ms). */
const COUNTED_ANEW = 5 * 60_000;

/** How many messages were given up lately. */
export const deliveryHealthQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'deliveries', accountId, 'health'),
    staleTime: COUNTED_ANEW,
    queryFn: async ({ signal }) => foundOrThrow(await source.call('delivery', 'health', { accountId }, signal)).failed,
  });

export const mailQueueQuery = (source: DataSource) =>
  queryOptions({
    queryKey: topicKey(source, 'operator', 'mails'),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('delivery', 'queue', {}, signal)),
  });

export const webhookHealthQuery = (source: DataSource) =>
  queryOptions({
    queryKey: topicKey(source, 'operator', 'webhooks'),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('webhook', 'health', {}, signal)),
  });

/** Who pays what: accounts whose subscription stands so. */
export const subscriptionsQuery = (source: DataSource, query: { readonly search: string; readonly standing: StandingFilter }) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, 'operator', 'subscriptions', query),
    queryFn: async ({ pageParam, signal }) =>
      foundOrThrow(await source.call('account', 'listSubscriptions', { ...query, ...pageFrom(pageParam) }, signal)),
    ...PAGED,
    placeholderData: keepPreviousData,
  });

/** What the payment provider said that could not be used. */
export const billingProblemsQuery = (source: DataSource) =>
  queryOptions({
    queryKey: topicKey(source, 'operator', 'billing-problems'),
    queryFn: async ({ signal }) => foundOrThrow(await source.call('account', 'billingProblems', {}, signal)),
  });

export const screenshotQuery = (source: DataSource, about: { readonly accountId: string; readonly messageId: string }) =>
  queryOptions({
    queryKey: topicKey(source, 'screenshot', about.messageId),
    staleTime: Infinity,
    queryFn: async ({ signal }) => foundOrThrow(await source.call('message', 'screenshot', about, signal)).screenshot,
  });
