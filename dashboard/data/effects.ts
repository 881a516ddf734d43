import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Account } from '#contract/account.ts';
import type { ActionName, ServiceName } from '#contract/services.ts';
import type { User } from '#contract/user.ts';
import { accountQuery, itemQuery, propertiesQuery, type Topic, topicKey, userQuery, usersQuery } from './queries.ts';
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
    masterDelete: { stale: ['operator'] },
  },
  feedback: {
    trust: {
      write({ client, source }, { feedback }) {
        for (const item of feedback) client.setQueryData(itemQuery(source, item.id).queryKey, item);
      },
      stale: ['feed', 'head', 'summary'],
    },
  },
  user: {
    generate: { write: (cache, { data }) => writeUser(cache, data) },
    save: { write: writeUser, staleOnFailure: ['users'] },
    delete: { write: removeUser, staleOnFailure: ['users'] },
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
    onError: () => invalidate(cache, staleOnFailure),
  };
}

export function invalidate({ client, source }: { client: QueryClient; source: Pick<DataSource, 'id'> }, topics: readonly Topic[]): void {
  for (const topic of topics) void client.invalidateQueries({ queryKey: topicKey(source, topic) });
}

function writeAccount({ client, source }: DataCache, { account }: { account: Account }): void {
  client.setQueryData(accountQuery(source, account.id).queryKey, account);
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

/** How long events are gathered before queries are invalidated (ms): many visitors at once cause one refetch. */
const GATHER = 150;
const CHANGES_FEED: ReadonlySet<LiveEvent['name']> = new Set([
  'feedback.submitted',
  'feedback.amended',
  'feedback.suspected',
  'feedback.trusted',
  'missed',
]);
const CHANGES_ITEM: ReadonlySet<LiveEvent['name']> = new Set(['feedback.amended', 'feedback.trusted']);

/** Subscribes to events and reads anew what they may have changed: the counts, what came since, what is open, the team. */
export function useLiveUpdates(): void {
  const source = useSource();
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = source.listen((event) => {
      if ('subject' in event && CHANGES_ITEM.has(event.name))
        void client.invalidateQueries({ queryKey: topicKey(source, 'feedback', event.subject) });
      if (event.name.startsWith('user.')) invalidate({ client, source }, ['user', 'users']);
      if (CHANGES_FEED.has(event.name)) timer ??= setTimeout(lookAgain, GATHER);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };

    function lookAgain(): void {
      timer = undefined;
      void client.invalidateQueries({ queryKey: topicKey(source, 'summary') });
      void client.invalidateQueries({ queryKey: topicKey(source, 'head') });
    }
  }, [source, client]);
}
