import { infiniteQueryOptions, keepPreviousData, QueryClient, type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import type { SUBSCRIPTION_FILTERS } from '#contract/billing/billing.ts';
import { MINUTE } from '#contract/core/time.ts';
import type { DeliveryStatus } from '#contract/notification/delivery.ts';
import type { ActionName, ServiceName } from '#contract/services.ts';
import type { FeedbackTopic } from '#contract/topic/topic.ts';
import { readOperations, readPublicConfig } from './client.ts';
import { CallError, NotFound } from './errors.ts';
import type { DataSource, Done, SentTo } from './source.ts';

const MOST_RETRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (failures, error) => failures < MOST_RETRIES && isWorthRetrying(error), networkMode: 'always' },
      // Tried once, also offline, and forgotten afterwards: passwords are among what is sent.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  });
}

/** Returns whether the server didn't respond or asked to wait; every other refusal is final. */
const isWorthRetrying = (error: Error): boolean => error instanceof CallError && [0, 429, 503].includes(error.status);

type OperationName = { [S in ServiceName]: `${S}.${ActionName<S>}` }[ServiceName];

/** The topic of a query: a service, one of its operations, or the first page of the feed. */
export type Topic = ServiceName | OperationName | 'feedback.head';

/** The key that a topic's queries start with, followed by what is sent. */
export const topicKey = (source: Pick<DataSource, 'id'>, topic: Topic, ...rest: readonly unknown[]): readonly unknown[] => [
  ...[source.id, ...topic.split('.')],
  ...rest,
];

/* ── From an operation to its query ── */

/** Calls an operation; throws `NotFound` for a missing record. */
export async function callOrThrow<S extends ServiceName, A extends ActionName<S>>(
  source: DataSource,
  [service, action, input]: readonly [S, A, SentTo<S, A>],
  signal?: AbortSignal,
): Promise<Done<S, A>> {
  const answer = await source.call(service, action, input, signal);
  if ((answer as { status?: string }).status === 'not found') throw new NotFound();
  // The discriminant was just compared.
  return answer as Done<S, A>;
}

/** The name as a topic: the compiler can't join two type parameters. */
const topicOf = (service: ServiceName, action: string): Topic => `${service}.${action}` as Topic;

/** A query of an operation's whole answer. */
const query = <S extends ServiceName, A extends ActionName<S>>(source: DataSource, service: S, action: A, input: SentTo<S, A>) =>
  queryOptions({
    queryKey: topicKey(source, topicOf(service, action), input),
    queryFn: ({ signal }) => callOrThrow(source, [service, action, input], signal),
  });

/** A query of one field of an operation's answer. */
const fieldQuery = <S extends ServiceName, A extends ActionName<S>, F extends keyof Done<S, A>>(
  source: DataSource,
  [service, action, field]: readonly [S, A, F],
  input: SentTo<S, A>,
) =>
  queryOptions({
    queryKey: topicKey(source, topicOf(service, action), input),
    queryFn: async ({ signal }) => (await callOrThrow(source, [service, action, input], signal))[field],
  });

export const PAGE = 25;
const FIRST: string | undefined = undefined;

/** A query of a list, page by page: each answer has the cursor of the next. */
const listQuery = <S extends ServiceName, A extends ActionName<S>>(
  source: DataSource,
  [service, action]: readonly [S, A],
  input: Omit<SentTo<S, A>, 'cursor' | 'limit'>,
) =>
  infiniteQueryOptions({
    queryKey: topicKey(source, topicOf(service, action), input),
    queryFn: ({ pageParam, signal }: QueryFunctionContext<readonly unknown[], string | undefined>) => {
      // Lists accept both fields beside their own.
      const sent = { ...input, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) } as unknown as SentTo<S, A>;
      return callOrThrow(source, [service, action, sent], signal);
    },
    initialPageParam: FIRST,
    // And return a cursor.
    getNextPageParam: (answer) => (answer as unknown as { cursor: string | null }).cursor ?? undefined,
  });

/* ── Teams and people ── */

export const accountQuery = (source: DataSource, accountId: string) => fieldQuery(source, ['account', 'get', 'account'], { accountId });

/** How the account's pages look to visitors. */
export const brandQuery = (source: DataSource, accountId: string) => fieldQuery(source, ['brand', 'get', 'brand'], { accountId });

/** Null for an operator without a team. */
export const userQuery = (source: DataSource, userId: string) =>
  queryOptions({
    queryKey: topicKey(source, 'user.get', { userId }),
    queryFn: async ({ signal }) => {
      const answer = await callOrThrow(source, ['user', 'get', { userId }], signal);
      return answer.status === 'ok' ? answer.user : null;
    },
  });

/** The account's payments, newest first. They come from the provider; pages show a failure and offer to retry. */
export const paymentsQuery = (source: DataSource) => ({ ...fieldQuery(source, ['account', 'payments', 'payments'], {}), retry: false });

/** The price of another plan, never cached: it changes every minute. */
export const planPreviewQuery = (source: DataSource, choice: SentTo<'account', 'previewPlan'>) => ({
  ...fieldQuery(source, ['account', 'previewPlan', 'preview'], choice),
  ...{ retry: false, staleTime: 0, gcTime: 0 },
});

/** When the account was deleted, and until when it can be restored. */
export const deletionQuery = (source: DataSource) => ({ ...query(source, 'account', 'deletion', {}), gcTime: 0 });

/** An invitation's team, sender and recipient; null for an expired or used key. */
export const invitationQuery = (source: DataSource, key: string) =>
  queryOptions({
    queryKey: topicKey(source, 'user.invitation', { key }),
    queryFn: async ({ signal }) => {
      const answer = await source.call('user', 'invitation', { key }, signal);
      return answer.status === 'ok' ? answer.invitation : null;
    },
    gcTime: 0,
    staleTime: Infinity,
  });

export const usersQuery = (source: DataSource, accountId: string) => fieldQuery(source, ['user', 'list', 'users'], { accountId });
export const sessionsQuery = (source: DataSource) => fieldQuery(source, ['user', 'sessions', 'sessions'], {});

/** A person's two-step sign-in: their own, or for an admin a teammate's. */
export const secondFactorQuery = (source: DataSource, userId: string) =>
  fieldQuery(source, ['user', 'secondFactor', 'secondFactor'], { userId });

/** The same for an operator, with the pending reset. */
export const masterSecondFactorQuery = (source: DataSource, sent: SentTo<'user', 'masterSecondFactor'>) =>
  query(source, 'user', 'masterSecondFactor', sent);

/* ── Properties and forms ── */

export const propertiesQuery = (source: DataSource, accountId: string) =>
  fieldQuery(source, ['property', 'list', 'properties'], { accountId });

/** Every placement of the account: the feed names them, and a property's page shows its own. */
export const toolsQuery = (source: DataSource, accountId: string) => fieldQuery(source, ['tool', 'list', 'tools'], { accountId });

/** Every kiosk of the account, by name. */
export const kiosksQuery = (source: DataSource, accountId: string) => fieldQuery(source, ['kiosk', 'list', 'kiosks'], { accountId });

/** A version of a form with its author, and whether visitors can submit the form now; the newest by default. Earlier ones never change. */
export const formVersionQuery = (source: DataSource, formId: string, version?: number) => ({
  ...query(source, 'form', 'read', version === undefined ? { formId } : { formId, version }),
  staleTime: version === undefined ? 0 : Infinity,
});

/** A form's versions without their wording, up to the newest. */
export const formVersionsQuery = (source: DataSource, formId: string, newest: number) =>
  queryOptions({
    ...query(source, 'form', 'versions', { formId }),
    queryKey: topicKey(source, 'form.versions', { formId, newest }),
    placeholderData: keepPreviousData,
  });

/* ── Feedback ── */

export type FeedQuery = Omit<SentTo<'feedback', 'list'>, 'cursor' | 'limit'>;

export const feedQuery = (source: DataSource, feed: FeedQuery) => listQuery(source, ['feedback', 'list'], feed);

/** The first page alone, refreshed often: it shows what is new without moving the rows in the list. */
export const headQuery = (source: DataSource, feed: FeedQuery) =>
  queryOptions({
    ...query(source, 'feedback', 'list', { ...feed, limit: PAGE }),
    queryKey: topicKey(source, 'feedback.head', feed),
  });

/** How many results a list has, up to one more than `MOST_RESULTS`. A list works without it. */
export const resultsQuery = (source: DataSource, feed: FeedQuery) => ({
  ...fieldQuery(source, ['feedback', 'count', 'count'], feed),
  retry: false,
});

export const itemQuery = (source: DataSource, feedbackId: string) => fieldQuery(source, ['feedback', 'get', 'feedback'], { feedbackId });

/** Feedback that is already on screen, read again: one request for many rows. */
export const someQuery = (source: DataSource, feedbackIds: string[]) => ({
  ...fieldQuery(source, ['feedback', 'some', 'feedback'], { feedbackIds }),
  ...{ staleTime: 0, gcTime: 0 },
});

export const historyQuery = (source: DataSource, feedbackId: string) =>
  fieldQuery(source, ['feedback', 'history', 'history'], { feedbackId });

/** The people that a feedback item alerts, each with the decision. */
export const alertsQuery = (source: DataSource, feedbackId: string) =>
  fieldQuery(source, ['notification', 'alerts', 'alerts'], { feedbackId });

/** The comments on one feedback item, newest first. */
export const commentsQuery = (source: DataSource, feedbackId: string) => listQuery(source, ['comment', 'list'], { feedbackId });

/** The private conversation with the visitor, which is empty until one of them writes. */
export const conversationQuery = (source: DataSource, feedbackId: string) =>
  fieldQuery(source, ['conversation', 'get', 'conversation'], { feedbackId });

/** How many comments some feedback has, where it has any. */
export const commentCountsQuery = (source: DataSource, feedbackIds: string[]) =>
  fieldQuery(source, ['comment', 'count', 'counts'], { feedbackIds });

/** How many visitors wait, by property, and how much this person hasn't read. */
export const inboxQuery = (source: DataSource, accountId: string) => query(source, 'feedback', 'inbox', { accountId });

export const reviewFunnelQuery = (source: DataSource, propertyId: string) => query(source, 'insight', 'reviewFunnel', { propertyId });

type RequestQuery = Omit<SentTo<'feedbackRequest', 'list'>, 'cursor' | 'limit'>;

/** A property's feedback requests, newest first, with their counts. */
export const feedbackRequestsQuery = (source: DataSource, list: RequestQuery) => listQuery(source, ['feedbackRequest', 'list'], list);

/** The addresses that the account never asks. */
export const suppressionsQuery = (source: DataSource, list: Omit<SentTo<'feedbackRequest', 'suppressions'>, 'cursor' | 'limit'>) =>
  listQuery(source, ['feedbackRequest', 'suppressions'], list);
/** Refetched while existing answers are being counted, because no event is sent when that's done. */
export const topicsQuery = (source: DataSource, accountId: string) => ({
  ...fieldQuery(source, ['topic', 'list', 'topics'], { accountId }),
  refetchInterval: ({ state }: { state: { data?: readonly FeedbackTopic[] | undefined } }) =>
    state.data?.some(({ data }) => !data.isMatched) ? COUNTING : false,
});
/** In ms. */
const COUNTING = 2_000;

export const topicCountsQuery = (source: DataSource, input: SentTo<'topic', 'counts'>) => ({
  ...fieldQuery(source, ['topic', 'counts', 'counts'], input),
  placeholderData: keepPreviousData,
});

export const topicExamplesQuery = (source: DataSource, input: SentTo<'topic', 'examples'>) =>
  fieldQuery(source, ['topic', 'examples', 'feedback'], input);

/** The answers that have any of some phrases. */
export const topicPreviewQuery = (source: DataSource, input: SentTo<'topic', 'preview'>) => ({
  ...query(source, 'topic', 'preview', input),
  placeholderData: keepPreviousData,
});

export const apiKeysQuery = (source: DataSource, accountId: string) => fieldQuery(source, ['apiKey', 'list', 'keys'], { accountId });
export const savedRepliesQuery = (source: DataSource, accountId: string) =>
  fieldQuery(source, ['savedReply', 'list', 'replies'], { accountId });
export const tagsQuery = (source: DataSource, accountId: string) => fieldQuery(source, ['tag', 'list', 'tags'], { accountId });

/** The caller's own views and the team's. */
export const savedViewsQuery = (source: DataSource, accountId: string) => ({
  ...fieldQuery(source, ['savedView', 'list', 'views'], { accountId }),
  staleTime: 5 * MINUTE,
});

/** The caller's own files. */
export const exportsQuery = (source: DataSource) => ({ ...fieldQuery(source, ['export', 'list', 'files'], {}), staleTime: 0 });

/* ── Numbers ── */

export type SummaryRequest = SentTo<'feedback', 'summary'>;
type OverviewQuery = SentTo<'feedback', 'overview'>;
type PlacementsQuery = SentTo<'feedback', 'placements'>;
type InsightQuery = SentTo<'insight', 'overview'>;

export const summaryQuery = (source: DataSource, sent: SummaryRequest) => query(source, 'feedback', 'summary', sent);

/** The counts of all properties at once. */
export const overviewQuery = (source: DataSource, sent: OverviewQuery) => fieldQuery(source, ['feedback', 'overview', 'properties'], sent);

/** How many answers each property has ever had, by its id; a property without any is missing. */
export const totalsQuery = (source: DataSource, accountId: string) => ({
  ...fieldQuery(source, ['feedback', 'totals', 'properties'], { accountId }),
  select: totalsById,
});

const totalsById = (rows: Done<'feedback', 'totals'>['properties']): ReadonlyMap<string, number> =>
  new Map(rows.map(({ propertyId, answers }) => [propertyId, answers]));

export const placementsQuery = (source: DataSource, sent: PlacementsQuery) =>
  fieldQuery(source, ['feedback', 'placements', 'placements'], sent);

/** The openings, reviews, places and hours of a period. */
export const insightQuery = (source: DataSource, sent: InsightQuery) => query(source, 'insight', 'overview', sent);

/** The words that stand out in a period, refreshed every minute: they change slowly and cost a lot to read. */
export const wordsQuery = (source: DataSource, sent: SentTo<'insight', 'words'>) => ({
  ...query(source, 'insight', 'words', sent),
  ...{ staleTime: MINUTE, refetchInterval: MINUTE },
});

/* ── Notifications, messages and webhooks ── */

/** The caller's notifications, newest first, and how many are unread. */
export const notificationsQuery = (source: DataSource) => listQuery(source, ['notification', 'list'], {});

/** The caller's devices, with this one marked if its address is given, and the key that devices subscribe with. */
export const pushDevicesQuery = (source: DataSource, endpoint: string | undefined) =>
  queryOptions({ ...query(source, 'device', 'list', endpoint === undefined ? {} : { endpoint }), placeholderData: keepPreviousData });

export const webhooksQuery = (source: DataSource, accountId: string) => fieldQuery(source, ['webhook', 'list', 'webhooks'], { accountId });

/** A webhook's deliveries, newest first. */
export const webhookDeliveriesQuery = (source: DataSource, webhookId: string) => ({
  ...listQuery(source, ['webhook', 'deliveries'], { webhookId }),
  staleTime: 0,
});

interface DeliverySearch {
  readonly accountId: string;
  readonly search: string;
  readonly status: DeliveryStatus | undefined;
}

/** How often deliveries on their way are read again (ms). */
const DELIVERY_REFRESH = 3_000;

export const deliveriesQuery = (source: DataSource, sent: DeliverySearch) =>
  infiniteQueryOptions({
    ...listQuery(source, ['delivery', 'list'], sent),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.deliveries.some(({ data }) => data.status === 'queued') ? DELIVERY_REFRESH : false,
  });

/** How long a queued invitation is read again (ms): most leave at once, and few wait for days. */
const INVITATION_REFRESHED = MINUTE;

/** The status of the newest invitation of each person who hasn't joined yet. */
export const sentInvitationsQuery = (source: DataSource, accountId: string) =>
  queryOptions({
    ...fieldQuery(source, ['delivery', 'invitations', 'deliveries'], { accountId }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ data: { status, created } }) => status === 'queued' && Date.now() - created < INVITATION_REFRESHED)
        ? DELIVERY_REFRESH
        : false,
  });

/** How many messages failed recently. */
export const deliveryHealthQuery = (source: DataSource, accountId: string) => ({
  ...fieldQuery(source, ['delivery', 'health', 'failed'], { accountId }),
  staleTime: 5 * MINUTE,
});

/* ── For operators: every account, everyone, and what operators did ── */

export type SubscriptionListFilter = (typeof SUBSCRIPTION_FILTERS)[number];

export const allAccountsQuery = (source: DataSource, search: string) => ({
  ...listQuery(source, ['account', 'list'], { search }),
  placeholderData: keepPreviousData,
});

export const allUsersQuery = (source: DataSource, search: string) => ({
  ...listQuery(source, ['user', 'masterList'], { search }),
  placeholderData: keepPreviousData,
});

export const auditLogQuery = (source: DataSource, search: string) => ({
  ...listQuery(source, ['account', 'auditLog'], { search }),
  placeholderData: keepPreviousData,
});

export const messagesQuery = (source: DataSource, sent: { readonly search: string; readonly which: 'open' | 'all' }) => ({
  ...listQuery(source, ['message', 'list'], sent),
  placeholderData: keepPreviousData,
});

export const screenshotQuery = (source: DataSource, sent: SentTo<'message', 'screenshot'>) => ({
  ...fieldQuery(source, ['message', 'screenshot', 'screenshot'], sent),
  staleTime: Infinity,
});

/** Accounts by the state of their subscription. */
export const subscriptionsQuery = (source: DataSource, sent: { readonly search: string; readonly standing: SubscriptionListFilter }) => ({
  ...listQuery(source, ['account', 'listSubscriptions'], sent),
  placeholderData: keepPreviousData,
});

/** Events of the payment provider that couldn't be applied. */
export const billingProblemsQuery = (source: DataSource) => query(source, 'account', 'billingProblems', {});
export const mailQueueQuery = (source: DataSource) => query(source, 'delivery', 'queue', {});
export const webhookHealthQuery = (source: DataSource) => query(source, 'webhook', 'health', {});

/* ── Without a source ── */

export const configQuery = queryOptions({ queryKey: ['config'], staleTime: Infinity, queryFn: readPublicConfig });
export const operationsQuery = queryOptions({ queryKey: ['operations'], staleTime: Infinity, queryFn: readOperations });
