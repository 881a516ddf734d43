import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { COUNTS, type DataCache, type FeedPage, HISTORY, invalidate, refetchRows } from './effects.ts';
import { type Topic, topicKey } from './queries.ts';
import { type LiveEvent, useSource } from './source.ts';

/** How long events are collected before queries are invalidated (ms): many visitors at once cause one refetch. */
const GATHER = 150;
/** Each page refetches at a random moment within this time (ms) after a gap: when a process ends, all pages have one at once. */
const SPREAD = 2_000;

/** The topics that an event makes stale, by the first word of its name. */
const STALE_TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  'api-key': ['apiKey'],
  brand: ['brand'],
  comment: ['comment.count'],
  delivery: ['delivery'],
  // Not the check of a list that is being added.
  'feedback-request': ['feedbackRequest.list', 'feedbackRequest.suppressions'],
  form: ['property', 'form'],
  kiosk: ['kiosk'],
  property: ['property', 'form'],
  'saved-reply': ['savedReply'],
  'saved-view': ['savedView'],
  subscription: ['account.get', 'account.payments'],
  tag: ['tag'],
  // A kiosk has its placement's name.
  tool: ['tool', 'kiosk'],
  topic: ['topic'],
  user: ['user.get', 'user.list'],
  webhook: ['webhook.list'],
};
const CHANGES_FEED: ReadonlySet<LiveEvent['name']> = new Set([
  'feedback.submitted',
  'feedback.amended',
  'feedback.suspected',
  'feedback.trusted',
  'feedback.discarded',
  'feedback.erased',
  // These make feedback urgent.
  'conversation.opened',
  'conversation.received',
  // The hours of the week shift.
  'property.time-zone-changed',
]);
/** Events after which an item on screen is refetched. */
const CHANGES_ITEM: ReadonlySet<LiveEvent['name']> = new Set([
  'feedback.amended',
  'feedback.erased',
  'feedback.trusted',
  'feedback.status-changed',
  'feedback.assigned',
  'feedback.tagged',
  'conversation.opened',
  'conversation.received',
  'conversation.answered',
]);
const CHANGES_INBOX: ReadonlySet<LiveEvent['name']> = new Set([
  'feedback.submitted',
  'feedback.amended',
  'feedback.trusted',
  'feedback.status-changed',
  'conversation.opened',
  'conversation.received',
  'conversation.answered',
  'property.deleted',
]);
/** Events that add a notification or mark one as read. */
const CHANGES_BELL: ReadonlySet<LiveEvent['name']> = new Set([
  'notified',
  'feedback.status-changed',
  'feedback.assigned',
  'feedback.trusted',
  'conversation.opened',
  'conversation.received',
  'conversation.answered',
  'comment.deleted',
  'comment.restored',
  'property.deleted',
]);
/** Everything that any event makes stale. The rows of lists stay and are refetched separately. */
const STALE_AFTER_GAP: readonly Topic[] = [
  ...new Set([
    ...Object.values(STALE_TOPICS).flat(),
    ...COUNTS,
    ...HISTORY,
    ...([
      'feedback.head',
      'feedback.count',
      'feedback.inbox',
      'notification.list',
      'feedback.get',
      'comment.list',
      'conversation',
    ] as const),
  ]),
];

/** Refetches what events may have changed while the page is open. */
export function useLiveUpdates({ isOff }: { isOff: boolean }): void {
  const source = useSource();
  const client = useQueryClient();
  useEffect(() => (isOff ? undefined : followEvents({ client, source })), [source, client, isOff]);
}

/** Subscribes to events and refetches what they may have changed. Returns a function that unsubscribes. */
export function followEvents({ client, source }: DataCache): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let gapTimer: ReturnType<typeof setTimeout> | undefined;
  let [isFeedStale, isInboxStale, isBellStale] = [false, false, false];
  const changed = new Set<string>();
  const unsubscribe = source.listen((event) => {
    if (event.name === 'missed') {
      gapTimer ??= setTimeout(refetchAll, Math.random() * SPREAD);
      return;
    }
    const [kind = ''] = event.name.split('.');
    invalidate({ client, source }, STALE_TOPICS[kind] ?? []);
    if ('subject' in event && CHANGES_ITEM.has(event.name)) changed.add(event.subject);
    if ('data' in event && kind === 'comment' && 'feedbackId' in event.data)
      void client.invalidateQueries({ queryKey: topicKey(source, 'comment.list', { feedbackId: event.data.feedbackId }) });
    if ('subject' in event && (kind === 'conversation' || event.name === 'feedback.erased'))
      void client.invalidateQueries({ queryKey: topicKey(source, 'conversation.get', { feedbackId: event.subject }) });
    if (event.name === 'account.deleted') invalidate({ client, source }, ['user.get']);
    if (CHANGES_FEED.has(event.name)) isFeedStale = true;
    if (CHANGES_INBOX.has(event.name)) isInboxStale = true;
    if (CHANGES_BELL.has(event.name)) isBellStale = true;
    if (isFeedStale || isInboxStale || isBellStale || changed.size > 0) timer ??= setTimeout(refetchChanged, GATHER);
  });
  return () => {
    clearTimeout(timer);
    clearTimeout(gapTimer);
    unsubscribe();
  };

  function refetchChanged(): void {
    timer = undefined;
    if (isFeedStale) invalidate({ client, source }, [...COUNTS, 'feedback.head']);
    if (isInboxStale) invalidate({ client, source }, ['feedback.inbox']);
    if (isFeedStale || isInboxStale) invalidate({ client, source }, ['feedback.count']);
    if (isBellStale) invalidate({ client, source }, ['notification.list']);
    const shown = cachedIds({ client, source });
    for (const id of changed)
      for (const topic of HISTORY) void client.invalidateQueries({ queryKey: topicKey(source, topic, { feedbackId: id }) });
    void refetchRows(
      { client, source },
      [...changed].filter((id) => shown.has(id)),
    );
    [isFeedStale, isInboxStale, isBellStale] = [false, false, false];
    changed.clear();
  }

  /** Refetches what is on screen after a gap, and the rest when it's opened. */
  function refetchAll(): void {
    gapTimer = undefined;
    // Lists are otherwise fetched once (docs/rules.md#rows-stay), and writing a row makes its list look fresh.
    for (const topic of ['feedback.list', 'feedback.head'] as const)
      client.removeQueries({ queryKey: topicKey(source, topic), type: 'inactive' });
    invalidate({ client, source }, STALE_AFTER_GAP);
    void refetchRows({ client, source }, [...cachedIds({ client, source }, 'lists')]);
  }
}

/** Returns the ids of the feedback shown in lists, or anywhere. */
function cachedIds({ client, source }: DataCache, where: 'lists' | 'anywhere' = 'anywhere'): Set<string> {
  const lists = client.getQueriesData<InfiniteData<FeedPage>>({ queryKey: topicKey(source, 'feedback.list') });
  const items = where === 'lists' ? [] : client.getQueriesData<Feedback>({ queryKey: topicKey(source, 'feedback.get') });
  const rows = lists.flatMap(([, list]) => list?.pages.flatMap(({ feedback }) => feedback) ?? []);
  return new Set([...rows, ...items.flatMap(([, item]) => item ?? [])].map(({ id }) => id));
}
