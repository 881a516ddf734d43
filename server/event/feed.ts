import type { EventName, RecordedEvent } from '#contract/events.ts';
import type { PubSub } from '../kernel/pubsub.ts';

/** Events as they happen, in this process or another of the same database. Hints: some may be missed, and then `onGap` is called. */
export interface EventFeed {
  ofAccount(accountId: string, listener: FeedListener): Unsubscribe;
  /** Events of these names, in any account. */
  named<Name extends EventName>(names: readonly Name[], listener: FeedListener<Name>): Unsubscribe;
}

export interface FeedListener<Name extends EventName = EventName> {
  onEvent(event: RecordedEvent<Name>): void;
  onGap?(): void;
}

type Unsubscribe = () => void;

export function openEventFeed(pubsub: Pick<PubSub<RecordedEvent>, 'subscribe'>): EventFeed {
  const byAccount = new Map<string, Set<FeedListener>>();
  const byName = new Map<EventName, Set<FeedListener>>();
  const gaps = new Set<() => void>();
  pubsub.subscribe({
    onMessage(event) {
      for (const { onEvent } of byAccount.get(event.accountId) ?? []) onEvent(event);
      for (const { onEvent } of byName.get(event.name) ?? []) onEvent(event);
    },
    onGap() {
      for (const onGap of gaps) onGap();
    },
  });
  return {
    ofAccount: (accountId, listener) => listen(byAccount, [accountId], listener),
    // Filed under its own names, so it gets events of no other name.
    named: (names, listener) => listen(byName, names, listener as FeedListener),
  };

  function listen<Key>(listeners: Map<Key, Set<FeedListener>>, keys: readonly Key[], listener: FeedListener): Unsubscribe {
    const onGap = () => listener.onGap?.();
    gaps.add(onGap);
    for (const key of keys) listeners.set(key, (listeners.get(key) ?? new Set()).add(listener));
    return () => {
      gaps.delete(onGap);
      for (const key of keys) {
        listeners.get(key)?.delete(listener);
        if (listeners.get(key)?.size === 0) listeners.delete(key);
      }
    };
  }
}
