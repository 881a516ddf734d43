import type { EventName, RecordedEvent } from '#contract/events.ts';
import type { Transaction } from '../platform/database/database.ts';
import { type PubSub, publishOnCommit } from '../platform/live/pubsub.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';

/** What processes tell each other. */
export type FeedMessage = RecordedEvent | SignedOut | Notified;

/** Sessions of a person ended, one or all, so what they have open is to be checked anew. Not recorded. */
interface SignedOut {
  readonly name: 'signed-out';
  readonly userId: string;
}

/** Behind the bell of somebody in the account something came or was dealt with. Not recorded. */
interface Notified {
  readonly name: 'notified';
  readonly accountId: string;
}

export const publishNotified = ({ db, accountId }: AccountScope): Promise<void> =>
  publishOnCommit(db, { name: 'notified', accountId } satisfies Notified);

/** Says so to every process, if and when the transaction commits. */
export const publishSignedOut = (db: Transaction, userId: string): Promise<void> =>
  publishOnCommit(db, { name: 'signed-out', userId } satisfies SignedOut);

/** Events as they happen, in this process or another of the same database. Hints: some may be missed, and then `onGap` is called. */
export interface EventFeed {
  ofAccount(accountId: string, listener: FeedListener): Unsubscribe;
  /** Events of these names, in any account. */
  named<Name extends EventName>(names: readonly Name[], listener: FeedListener<Name>): Unsubscribe;
  /** Sessions of this person that ended. */
  signedOut(userId: string, onSignedOut: () => void): Unsubscribe;
}

interface FeedListener<Name extends EventName = EventName> {
  onEvent(event: RecordedEvent<Name>): void;
  onGap?(): void;
  /** Only of an account: what stands behind the bell changed. */
  onNotified?(): void;
}

type Unsubscribe = () => void;

export function openEventFeed(pubsub: Pick<PubSub<FeedMessage>, 'subscribe'>): EventFeed {
  const byAccount = new Map<string, Set<FeedListener>>();
  const byName = new Map<EventName, Set<FeedListener>>();
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
      for (const { onEvent } of byName.get(message.name) ?? []) onEvent(message);
    },
    onGap() {
      for (const onGap of gaps) onGap();
    },
  });
  return {
    ofAccount: (accountId, listener) => listen(byAccount, [accountId], listener),
    // Filed under its own names, so it gets events of no other name.
    named: (names, listener) => listen(byName, names, listener as FeedListener),
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
