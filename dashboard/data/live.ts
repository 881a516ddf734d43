import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Feedback } from '#contract/feedback.ts';
import { type DataCache, type FeedPage, invalidate, writeFeedback } from './effects.ts';
import { topicKey } from './queries.ts';
import { type LiveEvent, useSource } from './source.ts';

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

/** Reads anew what events may have changed, as long as the page is open. */
export function useLiveUpdates({ isOff }: { isOff: boolean }): void {
  const source = useSource();
  const client = useQueryClient();
  useEffect(() => (isOff ? undefined : followEvents({ client, source })), [source, client, isOff]);
}

/** Subscribes to events and reads anew what they may have changed: the counts, what came since, what is open, the team. Gives what ends it. */
export function followEvents({ client, source }: DataCache): () => void {
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
}

/** The feedback that is shown anywhere, by its id. */
function shownFeedback({ client, source }: DataCache): Map<string, Feedback> {
  const lists = client.getQueriesData<InfiniteData<FeedPage>>({ queryKey: topicKey(source, 'feed') });
  const items = client.getQueriesData<Feedback>({ queryKey: topicKey(source, 'feedback') });
  const all = [
    ...lists.flatMap(([, list]) => list?.pages.flatMap(({ feedback }) => feedback) ?? []),
    ...items.flatMap(([, item]) => item ?? []),
  ];
  return new Map(all.map((item) => [item.id, item]));
}
