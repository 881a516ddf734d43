import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { COUNTS, type DataCache, type FeedPage, HISTORY, invalidate, writeFeedback } from './effects.ts';
import { someQuery, type Topic, topicKey } from './queries.ts';
import { type LiveEvent, useSource } from './source.ts';

/** How long events are gathered before queries are invalidated (ms): many visitors at once cause one refetch. */
const GATHER = 150;
/** Within so long (ms) each page reads anew after a gap, at a moment of its own: when a process ends, all have one at once. */
const SPREAD = 2_000;
/** So many are read at once. */
const MOST_READ = 100;

/** What an event makes old wherever it is shown, by the first word of its name. */
const MAKES_OLD: Readonly<Record<string, readonly Topic[]>> = {
  comment: ['comment.count'],
  form: ['property', 'form'],
  property: ['property', 'form'],
  'saved-view': ['savedView'],
  subscription: ['account.get', 'account.payments'],
  tag: ['tag'],
  tool: ['tool'],
  user: ['user.get', 'user.list'],
  webhook: ['webhook.list'],
};
const CHANGES_FEED: ReadonlySet<LiveEvent['name']> = new Set([
  'feedback.submitted',
  'feedback.amended',
  'feedback.suspected',
  'feedback.trusted',
  'feedback.discarded',
  // Hours of the week are those of another clock.
  'property.time-zone-changed',
]);
/** What a teammate or the visitor changed is read anew where it is shown. */
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
]);
/** All that any event makes old: what a page may have missed. The rows of lists stay, and are read by themselves. */
const OLD_AFTER_GAP: readonly Topic[] = [
  ...new Set([
    ...Object.values(MAKES_OLD).flat(),
    ...COUNTS,
    ...HISTORY,
    ...(['feedback.head', 'feedback.count', 'feedback.inbox', 'notification.list', 'feedback.get', 'comment.list'] as const),
  ]),
];

/** Reads anew what events may have changed, as long as the page is open. */
export function useLiveUpdates({ isOff }: { isOff: boolean }): void {
  const source = useSource();
  const client = useQueryClient();
  useEffect(() => (isOff ? undefined : followEvents({ client, source })), [source, client, isOff]);
}

/** Subscribes to events and reads anew what they may have changed: the counts, what came since, what is open, the team. Gives what ends it. */
export function followEvents({ client, source }: DataCache): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let gapTimer: ReturnType<typeof setTimeout> | undefined;
  let [isFeedOld, isInboxOld, isBellOld] = [false, false, false];
  const changed = new Set<string>();
  const unsubscribe = source.listen((event) => {
    if (event.name === 'missed') {
      gapTimer ??= setTimeout(readAllAnew, Math.random() * SPREAD);
      return;
    }
    const [kind = ''] = event.name.split('.');
    invalidate({ client, source }, MAKES_OLD[kind] ?? []);
    if ('subject' in event && CHANGES_ITEM.has(event.name)) changed.add(event.subject);
    if ('data' in event && kind === 'comment' && 'feedbackId' in event.data)
      void client.invalidateQueries({ queryKey: topicKey(source, 'comment.list', { feedbackId: event.data.feedbackId }) });
    if (event.name === 'account.deleted') invalidate({ client, source }, ['user.get']);
    if (CHANGES_FEED.has(event.name)) isFeedOld = true;
    if (CHANGES_INBOX.has(event.name)) isInboxOld = true;
    if (CHANGES_BELL.has(event.name)) isBellOld = true;
    if (isFeedOld || isInboxOld || isBellOld || changed.size > 0) timer ??= setTimeout(lookAgain, GATHER);
  });
  return () => {
    clearTimeout(timer);
    clearTimeout(gapTimer);
    unsubscribe();
  };

  function lookAgain(): void {
    timer = undefined;
    if (isFeedOld) invalidate({ client, source }, [...COUNTS, 'feedback.head']);
    if (isInboxOld) invalidate({ client, source }, ['feedback.inbox']);
    if (isFeedOld || isInboxOld) invalidate({ client, source }, ['feedback.count']);
    if (isBellOld) invalidate({ client, source }, ['notification.list']);
    const shown = idsShown({ client, source });
    for (const id of changed)
      for (const topic of HISTORY) void client.invalidateQueries({ queryKey: topicKey(source, topic, { feedbackId: id }) });
    void readAnew([...changed].filter((id) => shown.has(id)));
    [isFeedOld, isInboxOld, isBellOld] = [false, false, false];
    changed.clear();
  }

  /** After a gap nobody knows what happened in it. What is on screen is read anew, the rest when it is opened. */
  function readAllAnew(): void {
    gapTimer = undefined;
    // Lists are else read once (docs/rules.md#rows-stay), and a row that is written counts as one that was read.
    for (const topic of ['feedback.list', 'feedback.head'] as const)
      client.removeQueries({ queryKey: topicKey(source, topic), type: 'inactive' });
    invalidate({ client, source }, OLD_AFTER_GAP);
    void readAnew([...idsShown({ client, source }, 'lists')]);
  }

  /** Writes rows as they are now where they stand, one request after the other. Those that cannot be read stay as they are shown. */
  async function readAnew(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += MOST_READ) {
      const query = someQuery(source, ids.slice(at, at + MOST_READ));
      // One that is under way may have been read before the change.
      await client.cancelQueries(query);
      writeFeedback({ client, source }, await client.query(query).catch(() => []));
    }
  }
}

/** The feedback that is shown in a list, or anywhere. */
function idsShown({ client, source }: DataCache, where: 'lists' | 'anywhere' = 'anywhere'): Set<string> {
  const lists = client.getQueriesData<InfiniteData<FeedPage>>({ queryKey: topicKey(source, 'feedback.list') });
  const items = where === 'lists' ? [] : client.getQueriesData<Feedback>({ queryKey: topicKey(source, 'feedback.get') });
  const rows = lists.flatMap(([, list]) => list?.pages.flatMap(({ feedback }) => feedback) ?? []);
  return new Set([...rows, ...items.flatMap(([, item]) => item ?? [])].map(({ id }) => id));
}
