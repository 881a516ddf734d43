import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Account } from '#contract/account/account.ts';
import type { Comment } from '#contract/comment/comment.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import type { Form } from '#contract/form/form.ts';
import type { Notification } from '#contract/notification/notification.ts';
import type { Property } from '#contract/property/property.ts';
import type { SavedView } from '#contract/saved-view/saved-view.ts';
import type { ActionName, ServiceName } from '#contract/services.ts';
import type { User } from '#contract/user/user.ts';
import { isRefused } from './errors.ts';
import {
  accountQuery,
  commentsQuery,
  itemQuery,
  propertiesQuery,
  savedViewsQuery,
  type Topic,
  topicKey,
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
  /** The topics to read anew where it worked. */
  readonly stale?: readonly Topic[];
  /** The topics to read anew where it failed: somebody else was faster, or an answer was lost. */
  readonly staleOnFailure?: readonly Topic[];
}

type Effects = { readonly [S in ServiceName]?: { readonly [A in ActionName<S>]?: Effect<S, A> } };

/** After a step of signing up that failed, the account says which step it really is at. */
const SIGN_UP: readonly Topic[] = ['user', 'account', 'users', 'properties'];

/** A property's name, links and counts stand in all of these. */
const PROPERTY: readonly Topic[] = ['properties', 'form', 'feed', 'head', 'results', 'summary', 'words'];

/** What each action changes in the cache, declared here only. An action without a row changes nothing that is shown. */
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
    // Which the server refuses from now on: the gate says so.
    delete: { stale: ['user'] },
    // It may be the operator’s own.
    invite: { stale: ['operator', 'user'] },
    masterDelete: { stale: ['operator'] },
    masterRestore: { stale: ['operator'] },
    // What was chosen is kept for the checkout.
    checkout: { stale: ['account'], staleOnFailure: ['account'] },
    confirmPayment: { write: writeAccount, stale: ['payments'] },
    changePlan: { write: writeAccount, stale: ['payments'], staleOnFailure: ['account'] },
    changePayment: { staleOnFailure: ['account'] },
    cancelPlan: { write: writeAccount, staleOnFailure: ['account'] },
    keepPlan: { write: writeAccount, stale: ['payments'], staleOnFailure: ['account'] },
    // One's own may be among them.
    extendTrial: { stale: ['operator', 'account'], staleOnFailure: ['operator'] },
    giveBeta: { stale: ['operator', 'account'], staleOnFailure: ['operator'] },
    syncSubscription: { stale: ['operator', 'account'] },
    replayBillingEvent: { stale: ['operator', 'account'], staleOnFailure: ['operator'] },
  },
  feedback: {
    trust: {
      write: (cache, { feedback }) => writeFeedback(cache, feedback),
      stale: ['feed', 'head', 'results', 'summary', 'words', 'inbox'],
    },
    discard: { stale: ['feed', 'head', 'results', 'feedback'] },
    // Where it stands: what no longer fits a list keeps its place (docs/rules.md#rows-stay).
    modify: {
      write(cache, { feedback }) {
        writeFeedback(cache, feedback);
        if (isToldOf(cache, feedback)) invalidate(cache, ['notifications']);
      },
      stale: ['inbox', 'history', 'results'],
    },
    markAllRead: { stale: ['feed', 'head', 'results', 'feedback', 'inbox', 'notifications'] },
  },
  tag: {
    save: { stale: ['tags'] },
    delete: { stale: ['tags'] },
  },
  savedView: {
    save: { write: writeView, staleOnFailure: ['saved-views'] },
    delete: { write: removeView, staleOnFailure: ['saved-views'] },
    restore: { write: writeView, staleOnFailure: ['saved-views'] },
  },
  tool: {
    save: { stale: ['tools'], staleOnFailure: ['tools'] },
    delete: { stale: ['tools'], staleOnFailure: ['tools'] },
  },
  form: {
    save: { stale: ['form', 'properties'], staleOnFailure: ['form'] },
    close: { stale: ['form'], staleOnFailure: ['form'] },
    open: { stale: ['form'], staleOnFailure: ['form'] },
    delete: { stale: ['form'], staleOnFailure: ['form'] },
    create: { write: writeForm, stale: ['properties'], staleOnFailure: ['form', 'properties'] },
  },
  property: {
    save: { write: writeProperty, stale: ['form', 'summary'], staleOnFailure: ['properties'] },
    delete: { stale: PROPERTY, staleOnFailure: PROPERTY },
  },
  comment: {
    save: { write: (cache, { comment }) => writeComment(cache, comment), stale: ['comment-counts'] },
    delete: { write: removeComment, stale: ['comment-counts'], staleOnFailure: ['comments'] },
    restore: { stale: ['comments', 'comment-counts'] },
  },
  export: {
    create: { stale: ['exports'], staleOnFailure: ['exports'] },
    archive: { stale: ['exports'], staleOnFailure: ['exports'] },
    delete: { stale: ['exports'], staleOnFailure: ['exports'] },
    link: { staleOnFailure: ['exports'] },
  },
  delivery: {
    retry: { stale: ['deliveries'], staleOnFailure: ['deliveries'] },
    test: { stale: ['deliveries'] },
  },
  notification: {
    markRead: { write: writeNotificationsRead, staleOnFailure: ['notifications'] },
    markAllRead: { write: writeNotificationsRead, staleOnFailure: ['notifications'] },
  },
  device: {
    save: { stale: ['push-devices'], staleOnFailure: ['push-devices'] },
    delete: { stale: ['push-devices'], staleOnFailure: ['push-devices'] },
  },
  webhook: {
    save: { stale: ['webhooks'], staleOnFailure: ['webhooks'] },
    delete: { stale: ['webhooks'], staleOnFailure: ['webhooks'] },
    restore: { stale: ['webhooks'] },
    rotate: { stale: ['webhooks'] },
    test: { stale: ['webhook-deliveries'], staleOnFailure: ['webhooks'] },
    replay: { stale: ['webhook-deliveries'], staleOnFailure: ['webhooks'] },
  },
  message: {
    handle: { stale: ['operator'], staleOnFailure: ['operator'] },
    delete: { stale: ['operator'], staleOnFailure: ['operator'] },
  },
  user: {
    generate: { write: (cache, { data }) => writeUser(cache, data), stale: ['deliveries'] },
    resend: { stale: ['deliveries'] },
    save: { write: writeUser, staleOnFailure: ['users'] },
    delete: { write: removeUser, staleOnFailure: ['users'] },
    makeBackupCodes: { stale: ['second-factor'] },
    resetSecondFactor: { stale: ['second-factor'], staleOnFailure: ['second-factor'] },
    requestSecondFactorReset: { stale: ['second-factor'], staleOnFailure: ['second-factor'] },
    cancelSecondFactorReset: { stale: ['second-factor'], staleOnFailure: ['second-factor'] },
    endSession: { stale: ['sessions'], staleOnFailure: ['sessions'] },
  },
};

/** An action's row of the table, as Query's mutation takes it. */
export function effectOf<S extends ServiceName, A extends ActionName<S>>(service: S, action: A, cache: DataCache) {
  // The table is typed row by row; the compiler cannot follow two type parameters into it.
  const { write, stale = [], staleOnFailure = [] }: Effect<S, A> = (EFFECTS[service]?.[action] as Effect<S, A> | undefined) ?? {};
  return {
    onSuccess(answer: Done<S, A>, sent: SentTo<S, A>): void {
      write?.(cache, answer, sent);
      invalidate(cache, stale);
    },
    onError: (error?: unknown) => invalidate(cache, [...staleOnFailure, ...staleBy(error)]),
  };
}

/** A subscription that ended meanwhile: every page says so from now on. */
const staleBy = (error: unknown): readonly Topic[] => (isRefused(error, 'subscription-ended') ? ['account'] : []);

export function invalidate({ client, source }: { client: QueryClient; source: Pick<DataSource, 'id'> }, topics: readonly Topic[]): void {
  for (const topic of topics) void client.invalidateQueries({ queryKey: topicKey(source, topic) });
}

function writeAccount({ client, source }: DataCache, { account }: { account: Account }): void {
  client.setQueryData(accountQuery(source, account.id).queryKey, account);
}

/** Writes feedback wherever it is shown. A list keeps its rows. */
export function writeFeedback({ client, source }: DataCache, items: readonly Feedback[]): void {
  const newer = new Map(items.map((item) => [item.id, item]));
  const renew = <P extends { readonly feedback: Feedback[] }>(page: P): P => ({
    ...page,
    feedback: page.feedback.map((item) => newer.get(item.id) ?? item),
  });
  for (const item of items) client.setQueryData(itemQuery(source, item.id).queryKey, item);
  client.setQueriesData<FeedPage>({ queryKey: topicKey(source, 'head') }, (before) => before && renew(before));
  client.setQueriesData<InfiniteData<FeedPage>>(
    { queryKey: topicKey(source, 'feed') },
    (before) => before && { ...before, pages: before.pages.map(renew) },
  );
}

export type FeedPage = Done<'feedback', 'list'>;

function writeUser({ client, source }: DataCache, { user }: { user: User }): void {
  const byName = (a: User, b: User) => a.data.displayName.localeCompare(b.data.displayName);
  client.setQueryData(
    usersQuery(source, user.data.accountId).queryKey,
    (before) => before && [...before.filter(({ id }) => id !== user.id), user].sort(byName),
  );
  client.setQueryData(userQuery(source, user.id).queryKey, (before) => before && user);
}

function removeUser({ client, source }: DataCache, _answer: unknown, { userId }: { userId: string }): void {
  client.setQueriesData<User[]>({ queryKey: topicKey(source, 'users') }, (before) => before?.filter(({ id }) => id !== userId));
}

function writeProperty({ client, source }: DataCache, { property }: { property: Property }): void {
  const byName = (one: Property, other: Property) => (one.data.displayName < other.data.displayName ? -1 : 1);
  client.setQueryData(
    propertiesQuery(source, property.data.accountId).queryKey,
    (before) => before && [...before.filter(({ id }) => id !== property.id), property].sort(byName),
  );
}

/** A property's form is another one. */
function writeForm({ client, source }: DataCache, { form }: { form: Form }): void {
  client.setQueriesData<Property[]>({ queryKey: topicKey(source, 'properties') }, (before) =>
    before?.map((property) => (property.id === form.gs1sk ? { ...property, data: { ...property.data, formId: form.id } } : property)),
  );
}

function writeView({ client, source }: DataCache, { view }: { view: SavedView }): void {
  const byName = (one: SavedView, other: SavedView) => (one.data.displayName < other.data.displayName ? -1 : 1);
  client.setQueryData(
    savedViewsQuery(source, view.gs1sk).queryKey,
    (before) => before && [...before.filter(({ id }) => id !== view.id), view].sort(byName),
  );
}

function removeView({ client, source }: DataCache, _answer: unknown, { savedViewId }: { savedViewId: string }): void {
  client.setQueriesData<SavedView[]>({ queryKey: topicKey(source, 'saved-views') }, (before) =>
    before?.filter(({ id }) => id !== savedViewId),
  );
}

type CommentPages = InfiniteData<Done<'comment', 'list'>, unknown>;

/** A new one stands first; one that was changed stays in its place. */
function writeComment({ client, source }: DataCache, comment: Comment): void {
  client.setQueryData(commentsQuery(source, comment.data.feedbackId).queryKey, (before) => {
    const isKnown = before?.pages.some(({ comments }) => comments.some(({ id }) => id === comment.id));
    return isKnown
      ? onEachPage(before, (comments) => comments.map((each) => (each.id === comment.id ? comment : each)))
      : onEachPage(before, (comments, place) => (place === 0 ? [comment, ...comments] : comments), 1);
  });
}

function removeComment({ client, source }: DataCache, _answer: unknown, { commentId }: { commentId: string }): void {
  client.setQueriesData<CommentPages>({ queryKey: topicKey(source, 'comments') }, (before) =>
    before?.pages.some(({ comments }) => comments.some(({ id }) => id === commentId))
      ? onEachPage(before, (comments) => comments.filter(({ id }) => id !== commentId), -1)
      : before,
  );
}

/** The pages with their comments changed, and so many more of them in all. */
function onEachPage(
  data: CommentPages | undefined,
  change: (comments: Comment[], place: number) => Comment[],
  more = 0,
): CommentPages | undefined {
  return (
    data && {
      ...data,
      pages: data.pages.map((page, place) => ({ ...page, comments: change(page.comments, place), count: page.count + more })),
    }
  );
}

type NotificationPages = InfiniteData<Done<'notification', 'list'>>;

/** Whether some of this stands unread behind the bell. */
const isToldOf = ({ client, source }: DataCache, items: readonly Feedback[]): boolean =>
  client
    .getQueriesData<NotificationPages>({ queryKey: topicKey(source, 'notifications') })
    .some(([, list]) =>
      list?.pages.some(({ notifications }) =>
        notifications.some(({ data }) => data.unread && items.some(({ id }) => id === data.feedback?.id)),
      ),
    );

/** Those that were named are read; without a name, all. */
function writeNotificationsRead(
  { client, source }: DataCache,
  { unread }: { unread: number },
  sent: { notificationIds?: string[]; feedbackId?: string },
): void {
  const isNamed = ({ id, data }: Notification): boolean =>
    (sent.notificationIds?.includes(id) ?? true) && (sent.feedbackId === undefined || sent.feedbackId === data.feedback?.id);
  const read = ({ data: { unread: _unread, ...data }, ...rest }: Notification): Notification => ({ ...rest, data });
  client.setQueriesData<NotificationPages>(
    { queryKey: topicKey(source, 'notifications') },
    (before) =>
      before && {
        ...before,
        pages: before.pages.map((page) => ({
          ...page,
          unread,
          notifications: page.notifications.map((each) => (isNamed(each) ? read(each) : each)),
        })),
      },
  );
}
