import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Account } from '#contract/account.ts';
import type { Comment } from '#contract/comment.ts';
import type { Feedback } from '#contract/feedback.ts';
import type { Form } from '#contract/form.ts';
import type { Notification } from '#contract/notification.ts';
import type { Property } from '#contract/property.ts';
import type { SavedView } from '#contract/saved-view.ts';
import type { ActionName, ServiceName } from '#contract/services.ts';
import type { User } from '#contract/user.ts';
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
import { type DataSource, type Done, type LiveEvent, type SentTo, useSource } from './source.ts';

/** Query's cache, and the source that its entries came from. */
interface DataCache {
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
const PROPERTY: readonly Topic[] = ['properties', 'form', 'feed', 'head', 'summary', 'words'];

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
    trust: { write: (cache, { feedback }) => writeFeedback(cache, feedback), stale: ['feed', 'head', 'summary', 'words', 'inbox'] },
    discard: { stale: ['feed', 'head', 'feedback'] },
    // Where it stands: what no longer fits a list keeps its place (docs/rules.md#rows-stay).
    modify: {
      write(cache, { feedback }) {
        writeFeedback(cache, feedback);
        if (isToldOf(cache, feedback)) invalidate(cache, ['notifications']);
      },
      stale: ['inbox', 'history'],
    },
    markAllRead: { stale: ['feed', 'head', 'feedback', 'inbox', 'notifications'] },
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

type FeedPage = Done<'feedback', 'list'>;

/** The feedback that is shown anywhere, by its id. */
function shownFeedback({ client, source }: Pick<DataCache, 'client'> & { source: Pick<DataSource, 'id'> }): Map<string, Feedback> {
  const lists = client.getQueriesData<InfiniteData<FeedPage>>({ queryKey: topicKey(source, 'feed') });
  const items = client.getQueriesData<Feedback>({ queryKey: topicKey(source, 'feedback') });
  const all = [
    ...lists.flatMap(([, list]) => list?.pages.flatMap(({ feedback }) => feedback) ?? []),
    ...items.flatMap(([, item]) => item ?? []),
  ];
  return new Map(all.map((item) => [item.id, item]));
}

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

/** How long events are gathered before queries are invalidated (ms): many visitors at once cause one refetch. */
const GATHER = 150;
const CHANGES_FEED: ReadonlySet<LiveEvent['name']> = new Set([
  'feedback.submitted',
  'feedback.amended',
  'feedback.suspected',
  'feedback.trusted',
  'feedback.discarded',
  // Hours of the week are those of another clock.
  'property.time-zone-changed',
  'missed',
]);
/** What a colleague or the visitor changed is read anew where it is shown. */
const CHANGES_ITEM: ReadonlySet<LiveEvent['name']> = new Set([
  'feedback.amended',
  'feedback.trusted',
  'feedback.status-changed',
  'feedback.assigned',
  'feedback.tagged',
]);
const CHANGES_INBOX: ReadonlySet<LiveEvent['name']> = new Set([
  'feedback.submitted',
  'feedback.amended',
  'feedback.trusted',
  'feedback.status-changed',
  'property.deleted',
  'missed',
]);
/** What quiets something behind the bell, or brings it there. */
const CHANGES_BELL: ReadonlySet<LiveEvent['name']> = new Set([
  'notified',
  'feedback.status-changed',
  'feedback.assigned',
  'feedback.trusted',
  'comment.deleted',
  'comment.restored',
  'property.deleted',
  'missed',
]);
/** So many are read at once. */
const MOST_READ = 100;

/** Subscribes to events and reads anew what they may have changed: the counts, what came since, what is open, the team. */
export function useLiveUpdates({ isOff }: { isOff: boolean }): void {
  const source = useSource();
  const client = useQueryClient();
  useEffect(() => {
    if (isOff) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let [isFeedOld, isInboxOld, isBellOld] = [false, false, false];
    const changed = new Set<string>();
    const unsubscribe = source.listen((event) => {
      if ('subject' in event && CHANGES_ITEM.has(event.name)) changed.add(event.subject);
      if (event.name.startsWith('tag.')) invalidate({ client, source }, ['tags']);
      if ('data' in event && event.name.startsWith('comment.') && 'feedbackId' in event.data) {
        void client.invalidateQueries({ queryKey: topicKey(source, 'comments', event.data.feedbackId) });
        invalidate({ client, source }, ['comment-counts']);
      }
      if (event.name === 'missed') invalidate({ client, source }, ['comments', 'comment-counts']);
      if (event.name.startsWith('subscription.') || event.name === 'missed') invalidate({ client, source }, ['account', 'payments']);
      if (event.name === 'account.deleted') invalidate({ client, source }, ['user']);
      if (event.name.startsWith('property.') || event.name.startsWith('form.')) invalidate({ client, source }, ['properties', 'form']);
      if (event.name.startsWith('tool.')) invalidate({ client, source }, ['tools']);
      if (event.name.startsWith('webhook.')) invalidate({ client, source }, ['webhooks']);
      if (event.name.startsWith('saved-view.') || event.name === 'missed') invalidate({ client, source }, ['saved-views']);
      if (event.name.startsWith('user.')) invalidate({ client, source }, ['user', 'users']);
      if (CHANGES_FEED.has(event.name)) isFeedOld = true;
      if (CHANGES_INBOX.has(event.name)) isInboxOld = true;
      if (CHANGES_BELL.has(event.name)) isBellOld = true;
      if (isFeedOld || isInboxOld || isBellOld || changed.size > 0) timer ??= setTimeout(lookAgain, GATHER);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };

    function lookAgain(): void {
      timer = undefined;
      if (isFeedOld) invalidate({ client, source }, ['summary', 'head']);
      if (isInboxOld) invalidate({ client, source }, ['inbox']);
      if (isBellOld) invalidate({ client, source }, ['notifications']);
      void readAnew([...changed]);
      [isFeedOld, isInboxOld, isBellOld] = [false, false, false];
      changed.clear();
    }
    /** Where it cannot be read it stays as it is shown: the list is read anew when it is opened again. */
    async function readAnew(ids: readonly string[]): Promise<void> {
      const shown = shownFeedback({ client, source });
      const wanted = ids.filter((id) => shown.has(id));
      for (const id of ids) void client.invalidateQueries({ queryKey: topicKey(source, 'history', id) });
      for (let at = 0; at < wanted.length; at += MOST_READ) {
        const answer = await source.call('feedback', 'some', { feedbackIds: wanted.slice(at, at + MOST_READ) }).catch(() => undefined);
        if (answer?.status === 'ok') writeFeedback({ client, source }, answer.feedback);
      }
    }
  }, [source, client, isOff]);
}
