import type { EventName, RecordedEvent } from '#contract/events.ts';
import type { Transaction } from '../platform/database/database.ts';
import { type PubSub, publishOnCommit } from '../platform/live/pubsub.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';

/** Messages between processes. */
export type FeedMessage = RecordedEvent | SignedOut | NotificationsChanged;

/** One or all sessions of a person ended, so their open streams must be checked again. Not recorded. */
interface SignedOut {
  readonly name: 'signed-out';
  readonly userId: string;
}

/** Someone's notifications in the account changed. Not recorded. */
interface NotificationsChanged {
  readonly name: 'notified';
  readonly accountId: string;
}

export const publishNotified = ({ db, accountId }: AccountScope): Promise<void> =>
  publishOnCommit(db, { name: 'notified', accountId } satisfies NotificationsChanged);

/** Notifies every process of ended sessions when the transaction commits. */
export const publishSignedOut = (db: Transaction, userId: string): Promise<void> =>
  publishOnCommit(db, { name: 'signed-out', userId } satisfies SignedOut);

/** Publishes events of all processes as they happen. Some may be missed; then `onGap` is called. */
export interface EventFeed {
  ofAccount(accountId: string, listener: FeedListener): Unsubscribe;
  /** Events of these names, in any account. */
  byName<Name extends EventName>(names: readonly Name[], listener: FeedListener<Name>): Unsubscribe;
  /** Calls back when sessions of this person end. */
  signedOut(userId: string, onSignedOut: () => void): Unsubscribe;
}

interface FeedListener<Name extends EventName = EventName> {
  onEvent(event: RecordedEvent<Name>): void;
  onGap?(): void;
  /** Called when someone's notifications changed; only by `ofAccount`. */
  onNotified?(): void;
}

type Unsubscribe = () => void;

export function openEventFeed(pubsub: Pick<PubSub<FeedMessage>, 'subscribe'>): EventFeed {
  const byAccount = new Map<string, Set<FeedListener>>();
  const listenersByName = new Map<EventName, Set<FeedListener>>();
  const byPerson = new Map<string, Set<() => void>>();
  const gaps = new Set<() => void>();
  pubsub.subscribe({
    onMessage(message) {
      if (message.name === 'signed-out') {
        for (const onSignedOut of byPerson.get(message.userId) ?? []) onSignedOut();
        return;
      }
      if (message.name === 'notified') {
        for (const { onNotified } of byAccount.get(message.accountId) ?? []) onNotified?.();
        return;
      }
      for (const { onEvent } of byAccount.get(message.accountId) ?? []) onEvent(message);
      for (const { onEvent } of listenersByName.get(message.name) ?? []) onEvent(message);
    },
    onGap() {
      for (const onGap of gaps) onGap();
    },
  });
  return {
    ofAccount: (accountId, listener) => listen(byAccount, [accountId], listener),
    // A listener only receives events of the names it's stored under.
    byName: (names, listener) => listen(listenersByName, names, listener as FeedListener),
    signedOut: (userId, onSignedOut) => add(byPerson, userId, onSignedOut),
  };

  function listen<Key>(listeners: Map<Key, Set<FeedListener>>, keys: readonly Key[], listener: FeedListener): Unsubscribe {
    const onGap = () => listener.onGap?.();
    gaps.add(onGap);
    const removals = keys.map((key) => add(listeners, key, listener));
    return () => {
      gaps.delete(onGap);
      for (const remove of removals) remove();
    };
  }
}

function add<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): Unsubscribe {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
  return () => {
    set.delete(value);
    if (set.size === 0 && sets.get(key) === set) sets.delete(key);
  };
}
