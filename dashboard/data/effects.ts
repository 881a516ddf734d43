import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Account } from '#contract/account/account.ts';
import type { Brand } from '#contract/brand/brand.ts';
import type { Comment } from '#contract/comment/comment.ts';
import type { Conversation } from '#contract/conversation/conversation.ts';
import { byDisplayName } from '#contract/core/names.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import type { Form } from '#contract/form/form.ts';
import type { Notification } from '#contract/notification/notification.ts';
import type { Property } from '#contract/property/property.ts';
import type { SavedView } from '#contract/saved-view/saved-view.ts';
import type { ActionName, ServiceName } from '#contract/services.ts';
import type { FeedbackTopic } from '#contract/topic/topic.ts';
import type { User } from '#contract/user/user.ts';
import { isRefused } from './errors.ts';
import {
  accountQuery,
  brandQuery,
  commentsQuery,
  conversationQuery,
  itemQuery,
  propertiesQuery,
  savedViewsQuery,
  someQuery,
  type Topic,
  topicKey,
  topicsQuery,
  userQuery,
  usersQuery,
} from './queries.ts';
import type { DataSource, Done, SentTo } from './source.ts';

/** Query's cache, and the source that its entries came from. */
export interface DataCache {
  readonly client: QueryClient;
  readonly source: DataSource;
}

interface Effect<S extends ServiceName, A extends ActionName<S>> {
  /** Writes the answer where every page reads it. */
  readonly write?: (cache: DataCache, answer: Done<S, A>, sent: SentTo<S, A>) => void;
  /** The topics to refetch on success. */
  readonly stale?: readonly Topic[];
  /** The topics to refetch on failure: someone else was faster, or the response was lost. */
  readonly staleOnFailure?: readonly Topic[];
}

type Effects = { readonly [S in ServiceName]?: { readonly [A in ActionName<S>]?: Effect<S, A> } };

/** The numbers of ratings. */
export const COUNTS: readonly Topic[] = [
  'feedback.summary',
  'feedback.overview',
  'feedback.totals',
  'feedback.placements',
  'insight.overview',
  'insight.reviewFunnel',
  'topic.counts',
];
export const HISTORY: readonly Topic[] = ['feedback.history', 'notification.alerts'];
const SECOND_FACTOR: readonly Topic[] = ['user.secondFactor', 'user.masterSecondFactor'];
/** The lists of the operator's area. */
const OPERATOR: readonly Topic[] = [
  ...(['account.list', 'account.auditLog', 'account.listSubscriptions', 'account.billingProblems'] as const),
  ...(['user.masterList', 'message.list', 'delivery.queue', 'webhook.health'] as const),
];

/** Refetched after a failed sign-up step, to find the step that the account has reached. */
const SIGN_UP: readonly Topic[] = ['user.get', 'account.get', 'user.list', 'property'];

/** A kiosk, and the placement that it belongs to. */
const KIOSK: readonly Topic[] = ['kiosk', 'tool'];

/** Everything that shows a property's name, links or counts. */
const PROPERTY: readonly Topic[] = ['property', 'form', 'feedback.list', 'feedback.head', 'feedback.count', ...COUNTS, 'insight.words'];

/** The only place that declares how each action changes the cache. An action without an entry changes nothing on screen. */
const EFFECTS: Effects = {
  account: {
    save: { write: writeAccount },
    choosePlan: { write: writeAccount, staleOnFailure: SIGN_UP },
    startTrial: { write: writeAccount, staleOnFailure: SIGN_UP },
    getStarted: {
      write({ client, source }, { account, property }) {
        writeAccount({ client, source }, { account });
        client.setQueryData(propertiesQuery(source, account.id).queryKey, [property]);
      },
      staleOnFailure: SIGN_UP,
    },
    // The server refuses it from now on, and the gate shows that.
    delete: { stale: ['user.get'] },
    // The operator may be the one invited.
    invite: { stale: [...OPERATOR, 'user.get'] },
    masterDelete: { stale: OPERATOR },
    masterRestore: { stale: OPERATOR },
    // The account stores the chosen plan for the checkout.
    checkout: { stale: ['account.get'], staleOnFailure: ['account.get'] },
    confirmPayment: { write: writeAccount, stale: ['account.payments'] },
    changePlan: { write: writeAccount, stale: ['account.payments'], staleOnFailure: ['account.get'] },
    changePayment: { staleOnFailure: ['account.get'] },
    cancelPlan: { write: writeAccount, staleOnFailure: ['account.get'] },
    keepPlan: { write: writeAccount, stale: ['account.payments'], staleOnFailure: ['account.get'] },
    // The account may be the operator's own.
    extendTrial: { stale: [...OPERATOR, 'account.get'], staleOnFailure: OPERATOR },
    giveBeta: { stale: [...OPERATOR, 'account.get'], staleOnFailure: OPERATOR },
    syncSubscription: { stale: [...OPERATOR, 'account.get'] },
    replayBillingEvent: { stale: [...OPERATOR, 'account.get'], staleOnFailure: OPERATOR },
  },
  brand: {
    save: { write: writeBrand, staleOnFailure: ['brand'] },
  },
  feedback: {
    trust: {
      write: (cache, { feedback }) => writeFeedback(cache, feedback),
      stale: ['feedback.list', 'feedback.head', 'feedback.count', ...COUNTS, 'insight.words', 'feedback.inbox'],
    },
    discard: { stale: ['feedback.list', 'feedback.head', 'feedback.count', 'feedback.get'] },
    // Updates rows in place: one that no longer matches a list stays in it (docs/rules.md#rows-stay).
    modify: {
      write(cache, { feedback }) {
        writeFeedback(cache, feedback);
        if (hasUnreadNotification(cache, feedback)) invalidate(cache, ['notification.list']);
      },
      stale: ['feedback.inbox', ...HISTORY, 'feedback.count'],
    },
    markAllRead: { stale: ['feedback.list', 'feedback.head', 'feedback.count', 'feedback.get', 'feedback.inbox', 'notification.list'] },
  },
  tag: {
    save: { stale: ['tag'] },
    delete: { stale: ['tag'] },
  },
  apiKey: {
    create: { stale: ['apiKey'] },
    revoke: { stale: ['apiKey'], staleOnFailure: ['apiKey'] },
  },
  savedReply: {
    save: { stale: ['savedReply'], staleOnFailure: ['savedReply'] },
    delete: { stale: ['savedReply'], staleOnFailure: ['savedReply'] },
  },
  savedView: {
    save: { write: writeView, staleOnFailure: ['savedView'] },
    delete: { write: removeView, staleOnFailure: ['savedView'] },
    restore: { write: writeView, staleOnFailure: ['savedView'] },
  },
  tool: {
    save: { stale: ['tool'], staleOnFailure: ['tool'] },
    addSeries: { stale: ['tool'], staleOnFailure: ['tool'] },
    delete: { stale: KIOSK, staleOnFailure: KIOSK },
  },
  kiosk: {
    save: { stale: KIOSK, staleOnFailure: KIOSK },
    startPairing: { staleOnFailure: KIOSK },
    revoke: { stale: ['kiosk'], staleOnFailure: KIOSK },
  },
  privacy: {
    erase: { stale: ['feedbackRequest', 'feedback.list', 'feedback.head', 'feedback.get', 'feedback.inbox', ...COUNTS] },
  },
  topic: {
    setUp: { stale: ['topic'], staleOnFailure: ['topic'] },
    // Another phrase may be added before the list is fetched again.
    save: { write: writeTopic, stale: ['topic'], staleOnFailure: ['topic'] },
    merge: { stale: ['topic'], staleOnFailure: ['topic'] },
    delete: { stale: ['topic'], staleOnFailure: ['topic'] },
  },
  feedbackRequest: {
    // A dry run changes nothing.
    add: { write: ({ client, source }, { added }) => added.length > 0 && invalidate({ client, source }, ['feedbackRequest.list']) },
    cancel: { stale: ['feedbackRequest.list'], staleOnFailure: ['feedbackRequest.list'] },
    suppress: { stale: ['feedbackRequest.suppressions'] },
    unsuppress: { stale: ['feedbackRequest.suppressions'], staleOnFailure: ['feedbackRequest.suppressions'] },
  },
  form: {
    save: { stale: ['form', 'property'], staleOnFailure: ['form'] },
    close: { stale: ['form'], staleOnFailure: ['form'] },
    open: { stale: ['form'], staleOnFailure: ['form'] },
    delete: { stale: ['form'], staleOnFailure: ['form'] },
    create: { write: writeForm, stale: ['property'], staleOnFailure: ['form', 'property'] },
  },
  property: {
    save: { write: writeProperty, stale: ['form', ...COUNTS], staleOnFailure: ['property'] },
    delete: { stale: PROPERTY, staleOnFailure: PROPERTY },
  },
  comment: {
    save: { write: (cache, { comment }) => writeComment(cache, comment), stale: ['comment.count'] },
    delete: { write: removeComment, stale: ['comment.count'], staleOnFailure: ['comment.list'] },
    restore: { stale: ['comment.list', 'comment.count'] },
  },
  conversation: {
    // Changes the feedback's status, which the answer doesn't include.
    answer: {
      write(cache, { conversation }) {
        writeConversation(cache, conversation);
        void refetchRows(cache, [conversation.feedbackId]);
      },
      stale: ['feedback.inbox', ...HISTORY, 'feedback.count', 'notification.list'],
      staleOnFailure: ['conversation'],
    },
    close: { write: (cache, { conversation }) => writeConversation(cache, conversation), staleOnFailure: ['conversation'] },
    reopen: { write: (cache, { conversation }) => writeConversation(cache, conversation), staleOnFailure: ['conversation'] },
  },
  export: {
    create: { stale: ['export'], staleOnFailure: ['export'] },
    archive: { stale: ['export'], staleOnFailure: ['export'] },
    delete: { stale: ['export'], staleOnFailure: ['export'] },
    link: { staleOnFailure: ['export'] },
  },
  delivery: {
    retry: { stale: ['delivery'], staleOnFailure: ['delivery'] },
    test: { stale: ['delivery'] },
  },
  notification: {
    markRead: { write: writeNotificationsRead, staleOnFailure: ['notification.list'] },
    markAllRead: { write: writeNotificationsRead, staleOnFailure: ['notification.list'] },
  },
  device: {
    save: { stale: ['device'], staleOnFailure: ['device'] },
    delete: { stale: ['device'], staleOnFailure: ['device'] },
  },
  webhook: {
    save: { stale: ['webhook.list'], staleOnFailure: ['webhook.list'] },
    delete: { stale: ['webhook.list'], staleOnFailure: ['webhook.list'] },
    restore: { stale: ['webhook.list'] },
    rotate: { stale: ['webhook.list'] },
    test: { stale: ['webhook.deliveries'], staleOnFailure: ['webhook.list'] },
    replay: { stale: ['webhook.deliveries'], staleOnFailure: ['webhook.list'] },
  },
  message: {
    handle: { stale: OPERATOR, staleOnFailure: OPERATOR },
    delete: { stale: OPERATOR, staleOnFailure: OPERATOR },
  },
  user: {
    generate: { write: (cache, { data }) => writeUser(cache, data), stale: ['delivery'] },
    resend: { stale: ['delivery'] },
    save: { write: writeUser, staleOnFailure: ['user.list'] },
    delete: { write: removeUser, staleOnFailure: ['user.list'] },
    makeBackupCodes: { stale: SECOND_FACTOR },
    resetSecondFactor: { stale: SECOND_FACTOR, staleOnFailure: SECOND_FACTOR },
    requestSecondFactorReset: { stale: SECOND_FACTOR, staleOnFailure: SECOND_FACTOR },
    cancelSecondFactorReset: { stale: SECOND_FACTOR, staleOnFailure: SECOND_FACTOR },
    endSession: { stale: ['user.sessions'], staleOnFailure: ['user.sessions'] },
  },
};

/** Returns an action's effect as callbacks for a mutation. */
export function effectOf<S extends ServiceName, A extends ActionName<S>>(service: S, action: A, cache: DataCache) {
  // The compiler can't follow two type parameters into the table.
  const { write, stale = [], staleOnFailure = [] }: Effect<S, A> = (EFFECTS[service]?.[action] as Effect<S, A> | undefined) ?? {};
  return {
    onSuccess(answer: Done<S, A>, sent: SentTo<S, A>): void {
      if (write) writeOver(cache, () => write(cache, answer, sent));
      invalidate(cache, stale);
    },
    onError: (error?: unknown) => invalidate(cache, [...staleOnFailure, ...staleBy(error)]),
  };
}

/** Runs `write`, and begins those fetches again that would overwrite what it wrote with older data. */
function writeOver({ client }: DataCache, write: () => void): void {
  const fetching = client.getQueryCache().findAll({ fetchStatus: 'fetching' });
  const before = fetching.map((query) => query.state.data);
  write();
  for (const [index, query] of fetching.entries())
    if (query.state.data !== before[index])
      query.fetch(undefined, { cancelRefetch: true, ...(query.state.fetchMeta && { meta: query.state.fetchMeta }) }).catch(() => undefined);
}

/** Refetches the account when the subscription has ended, so that every page shows it. */
const staleBy = (error: unknown): readonly Topic[] => (isRefused(error, 'subscription-ended') ? ['account.get'] : []);

export function invalidate({ client, source }: { client: QueryClient; source: Pick<DataSource, 'id'> }, topics: readonly Topic[]): void {
  for (const topic of topics) void client.invalidateQueries({ queryKey: topicKey(source, topic) });
}

function writeAccount({ client, source }: DataCache, { account }: { account: Account }): void {
  client.setQueryData(accountQuery(source, account.id).queryKey, account);
}

function writeBrand({ client, source }: DataCache, { brand }: { brand: Brand }): void {
  client.setQueryData(brandQuery(source, brand.id).queryKey, brand);
}

/** Writes feedback wherever it's shown. Lists keep their rows. */
export function writeFeedback({ client, source }: DataCache, items: readonly Feedback[]): void {
  const newer = new Map(items.map((item) => [item.id, item]));
  const replaceRows = <P extends { readonly feedback: Feedback[] }>(page: P): P => ({
    ...page,
    feedback: page.feedback.map((item) => newer.get(item.id) ?? item),
  });
  for (const item of items) client.setQueryData(itemQuery(source, item.id).queryKey, item);
  client.setQueriesData<FeedPage>({ queryKey: topicKey(source, 'feedback.head') }, (before) => before && replaceRows(before));
  client.setQueriesData<InfiniteData<FeedPage>>(
    { queryKey: topicKey(source, 'feedback.list') },
    (before) => before && { ...before, pages: before.pages.map(replaceRows) },
  );
}

export type FeedPage = Done<'feedback', 'list'>;

/** The most rows per request. */
const MAX_ROWS = 100;

/** Refetches rows in place, one request after another. Rows that can't be fetched stay as shown. */
export async function refetchRows({ client, source }: DataCache, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MAX_ROWS) {
    const query = someQuery(source, ids.slice(at, at + MAX_ROWS));
    // A pending request may have been answered before the change.
    await client.cancelQueries(query);
    writeFeedback({ client, source }, await client.query(query).catch(() => []));
  }
}

function writeUser({ client, source }: DataCache, { user }: { user: User }): void {
  client.setQueryData(
    usersQuery(source, user.data.accountId).queryKey,
    (before) => before && [...before.filter(({ id }) => id !== user.id), user].sort(byDisplayName),
  );
  client.setQueryData(userQuery(source, user.id).queryKey, (before) => before && user);
}

function removeUser({ client, source }: DataCache, _answer: unknown, { userId }: { userId: string }): void {
  client.setQueriesData<User[]>({ queryKey: topicKey(source, 'user.list') }, (before) => before?.filter(({ id }) => id !== userId));
}

function writeProperty({ client, source }: DataCache, { property }: { property: Property }): void {
  client.setQueryData(
    propertiesQuery(source, property.data.accountId).queryKey,
    (before) => before && [...before.filter(({ id }) => id !== property.id), property].sort(byDisplayName),
  );
}

/** Points a property to its new form. */
function writeForm({ client, source }: DataCache, { form }: { form: Form }): void {
  client.setQueriesData<Property[]>({ queryKey: topicKey(source, 'property') }, (before) =>
    before?.map((property) => (property.id === form.gs1sk ? { ...property, data: { ...property.data, formId: form.id } } : property)),
  );
}

function writeTopic({ client, source }: DataCache, { topic }: { topic: FeedbackTopic }): void {
  client.setQueryData<FeedbackTopic[]>(topicsQuery(source, topic.gs1sk).queryKey, (before) => withNamed(before, topic));
}

function writeView({ client, source }: DataCache, { view }: { view: SavedView }): void {
  client.setQueryData(savedViewsQuery(source, view.gs1sk).queryKey, (before) => withNamed(before, view));
}

/** Returns records by name with this one added or replaced. */
const withNamed = <Named extends FeedbackTopic | SavedView>(before: readonly Named[] | undefined, record: Named): Named[] | undefined =>
  before && [...before.filter(({ id }) => id !== record.id), record].sort(byDisplayName);

function removeView({ client, source }: DataCache, _answer: unknown, { savedViewId }: { savedViewId: string }): void {
  client.setQueriesData<SavedView[]>({ queryKey: topicKey(source, 'savedView') }, (before) =>
    before?.filter(({ id }) => id !== savedViewId),
  );
}

type CommentPages = InfiniteData<Done<'comment', 'list'>, unknown>;

/** Adds a new comment at the top; updates an existing one in place. */
function writeComment({ client, source }: DataCache, comment: Comment): void {
  client.setQueryData(commentsQuery(source, comment.data.feedbackId).queryKey, (before) => {
    const isListed = before?.pages.some(({ comments }) => comments.some(({ id }) => id === comment.id));
    return isListed
      ? onEachPage(before, (comments) => comments.map((each) => (each.id === comment.id ? comment : each)))
      : onEachPage(before, (comments, index) => (index === 0 ? [comment, ...comments] : comments), 1);
  });
}

function removeComment({ client, source }: DataCache, _answer: unknown, { commentId }: { commentId: string }): void {
  client.setQueriesData<CommentPages>({ queryKey: topicKey(source, 'comment.list') }, (before) =>
    before?.pages.some(({ comments }) => comments.some(({ id }) => id === commentId))
      ? onEachPage(before, (comments) => comments.filter(({ id }) => id !== commentId), -1)
      : before,
  );
}

/** Changes the comments of each page and adds `more` to the total. */
function onEachPage(
  data: CommentPages | undefined,
  change: (comments: Comment[], place: number) => Comment[],
  more = 0,
): CommentPages | undefined {
  return (
    data && {
      ...data,
      pages: data.pages.map((page, index) => ({ ...page, comments: change(page.comments, index), count: page.count + more })),
    }
  );
}

function writeConversation({ client, source }: DataCache, conversation: Conversation): void {
  client.setQueryData(conversationQuery(source, conversation.feedbackId).queryKey, conversation);
}

type NotificationPages = InfiniteData<Done<'notification', 'list'>>;

/** Returns whether any of these items has an unread notification. */
const hasUnreadNotification = ({ client, source }: DataCache, items: readonly Feedback[]): boolean =>
  client
    .getQueriesData<NotificationPages>({ queryKey: topicKey(source, 'notification.list') })
    .some(([, list]) =>
      list?.pages.some(({ notifications }) =>
        notifications.some(({ data }) => data.unread && items.some(({ id }) => id === data.feedback?.id)),
      ),
    );

/** Marks the given notifications, or those about the given feedback, as read; without either, all of them. */
function writeNotificationsRead(
  { client, source }: DataCache,
  { unread }: { unread: number },
  sent: { notificationIds?: string[]; feedbackId?: string },
): void {
  const isMatch = ({ id, data }: Notification): boolean =>
    (sent.notificationIds?.includes(id) ?? true) && (sent.feedbackId === undefined || sent.feedbackId === data.feedback?.id);
  const read = ({ data: { unread: _unread, ...data }, ...rest }: Notification): Notification => ({ ...rest, data });
  client.setQueriesData<NotificationPages>(
    { queryKey: topicKey(source, 'notification.list') },
    (before) =>
      before && {
        ...before,
        pages: before.pages.map((page) => ({
          ...page,
          unread,
          notifications: page.notifications.map((each) => (isMatch(each) ? read(each) : each)),
        })),
      },
  );
}
