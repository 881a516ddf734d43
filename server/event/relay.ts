import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { SYSTEM } from '#contract/event/event.ts';
import { type EventName, events as eventCatalog, type RecordedEvent } from '#contract/events.ts';
import type { Config } from '../platform/config/config.ts';
import { inSavepoint } from '../platform/database/database.ts';
import type { Jobs, Work } from '../platform/jobs/jobs.ts';
import { warnSeldom } from '../platform/log/log.ts';
import { openRounds } from '../platform/rounds.ts';
import {
  type AccountScope,
  type DatabaseAndClock,
  inAccount,
  inEveryAccount,
  narrowTo,
  type OperatorScope,
} from '../platform/tenancy/access.ts';
import type { EventFeed } from './feed.ts';
import * as store from './store.ts';

/** A reaction to events of some names, such as a mail. */
export interface EventSubscriber {
  /** Identifies the subscriber in retry jobs, so a name must never be reused for another subscriber. */
  readonly name: string;
  readonly eventNames: readonly EventName[];
  /**
   * Returns the accounts whose events it needs; all by default. Called once for many events, so that frequent ones that concern no account
   * cost nothing.
   */
  readonly accountsConcerned?: AccountsConcerned | undefined;
  /**
   * Runs with events of one account, oldest first, in a transaction limited to it, at least once per event. It may only change rows and
   * queue jobs in that transaction; a job does everything else.
   */
  react(scope: AccountScope, events: readonly RecordedEvent[]): Promise<void>;
}

type AccountsConcerned = (every: OperatorScope, accountIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** Declares a subscriber that reacts to one event after the other, only of these names. */
export function subscriber<Name extends EventName>(
  name: string,
  eventNames: readonly Name[],
  react: (scope: AccountScope, event: RecordedEvent<Name>) => Promise<void>,
  accountsConcerned?: AccountsConcerned,
): EventSubscriber {
  const reactToEach = async (scope: AccountScope, events: readonly RecordedEvent<Name>[]) => {
    for (const event of events) await react(scope, event);
  };
  return batchSubscriber(name, eventNames, reactToEach, accountsConcerned);
}

/** Declares a subscriber to frequent events, which reacts to many at once. */
export function batchSubscriber<Name extends EventName>(
  name: string,
  eventNames: readonly Name[],
  react: (scope: AccountScope, events: readonly RecordedEvent<Name>[]) => Promise<void>,
  accountsConcerned?: AccountsConcerned,
): EventSubscriber {
  // The relay passes only events of these names.
  return { name, eventNames, accountsConcerned, react: (scope, events) => react(scope, events as readonly RecordedEvent<Name>[]) };
}

interface RelayOptions {
  readonly platform: DatabaseAndClock & {
    readonly config: Pick<Config, 'roles'>;
    readonly jobs: Jobs;
    readonly log: Pick<FastifyBaseLogger, 'warn'>;
  };
  readonly feed: EventFeed;
  readonly subscribers: readonly EventSubscriber[];
}

/** Runs the subscribers of recorded events, and marks those events as relayed. */
export interface Relay {
  readonly work: Work;
  /** Starts looking for events. Called in worker processes only. */
  start(): void;
  stop(): Promise<void>;
}

/** A batch has the events of so many accounts at most, and a share of these for each. */
const ACCOUNTS_AT_ONCE = 10;
const EVENTS_AT_ONCE = 200;
/** How often the event table is polled without a notification (ms). */
const POLL = 1_000;

export function openRelay({ platform, feed, subscribers }: RelayOptions): Relay {
  const subscribedNames = [...new Set(subscribers.flatMap(({ eventNames }) => eventNames))];
  const unsubscribedNames = (Object.keys(eventCatalog) as EventName[]).filter((name) => !subscribedNames.includes(name));
  const batch = { platform, subscribers, subscribedNames };
  const servesVisitors = platform.config.roles.includes('web');
  const warn = warnSeldom(platform.log, 'events could not be relayed; they stay queued');
  const rounds = openRounds({
    every: POLL,
    warn,
    async round() {
      await inEveryAccount(platform, (scope) => store.markUnsubscribed(scope, unsubscribedNames));
      for (let isMoreLeft = true; isMoreLeft && !isStopping; ) isMoreLeft = await relayShares();
    },
  });
  let unsubscribe: (() => void) | undefined;
  let isStopping = false;

  return {
    work: {
      'event.react': async ({ data: { accountId, eventId, subscriber: name } }) => {
        const retried = subscribers.find((each) => each.name === name);
        await inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
          const event = await store.byId(scope, eventId);
          if (event) await retried?.react(scope, [event]);
        });
      },
    },
    start() {
      unsubscribe = feed.byName(subscribedNames, { onEvent: rounds.request, onGap: rounds.request });
      rounds.start();
    },
    async stop() {
      isStopping = true;
      unsubscribe?.();
      await rounds.stop();
    },
  };

  /** Relays a share of each account's events, so that none waits for another's flood. Returns whether an account has more. */
  async function relayShares(): Promise<boolean> {
    let isMoreLeft = false;
    for (let after: string | undefined = ''; after !== undefined && !isStopping; ) {
      const started = performance.now();
      const relayed: RelayedBatch = await relayNext(after);
      after = relayed.last;
      isMoreLeft ||= relayed.isMoreLeft;
      // In a flood, visitors get half of this process's time, if it serves them.
      if ((relayed.isMoreLeft || after !== undefined) && servesVisitors) await sleep(performance.now() - started);
    }
    return isMoreLeft;
  }

  /** Relays a share of the next accounts' events together. If that fails, it relays each account alone, so that only one has to wait. */
  async function relayNext(after: string): Promise<RelayedBatch> {
    let accountIds: readonly string[] = [];
    try {
      return await inEveryAccount(platform, async (every) => {
        accountIds = await store.waitingAccounts(every, { after, most: ACCOUNTS_AT_ONCE });
        return relayBatch(every, batch, accountIds);
      });
    } catch (error) {
      if (accountIds.length === 0) throw error;
      warn(error);
      for (const accountId of accountIds) await inEveryAccount(platform, (every) => relayBatch(every, batch, [accountId])).catch(warn);
      return { last: lastOf(accountIds), isMoreLeft: false };
    }
  }
}

interface RelayContext extends Pick<RelayOptions, 'subscribers'> {
  readonly platform: Pick<RelayOptions['platform'], 'jobs' | 'log'>;
  readonly subscribedNames: readonly EventName[];
}

interface RelayedBatch {
  /** The last of its accounts, if there may be others after it. */
  readonly last: string | undefined;
  /** Whether one of its accounts has more events. */
  readonly isMoreLeft: boolean;
}

/** Returns the last account of a full batch, which others may follow. */
const lastOf = (accountIds: readonly string[]): string | undefined =>
  accountIds.length === ACCOUNTS_AT_ONCE ? accountIds.at(-1) : undefined;

/** Relays the first events of some accounts. The subscribers’ effects and the marks commit together, so a crash undoes both. */
async function relayBatch(
  every: OperatorScope,
  { platform, subscribers, subscribedNames }: RelayContext,
  accountIds: readonly string[],
): Promise<RelayedBatch> {
  const most = Math.ceil(EVENTS_AT_ONCE / accountIds.length);
  const concerns = await askSubscribers(every, subscribers, accountIds);
  let isMoreLeft = false;
  // In one order, so that the locks of two processes never wait for each other.
  for (const accountId of accountIds) {
    const waiting = await store.takeWaiting(every, { accountId, names: subscribedNames, most });
    const reactions = subscribers
      .filter((each) => concerns(each, accountId))
      .map((each) => ({ subscriber: each, events: waiting.filter(({ name }) => each.eventNames.includes(name)) }))
      .filter(({ events }) => events.length > 0);
    if (reactions.length > 0)
      await narrowTo(every, accountId, async (scope) => {
        for (const reaction of reactions) await reactInSavepoint(scope, reaction, platform);
      });
    await store.markRelayed(
      every,
      accountId,
      waiting.map(({ id }) => id),
    );
    isMoreLeft ||= waiting.length === most;
  }
  return { last: lastOf(accountIds), isMoreLeft };
}

/** Asks each subscriber once which of these accounts it needs, and returns a function that returns whether it needs one. */
async function askSubscribers(every: OperatorScope, subscribers: readonly EventSubscriber[], accountIds: readonly string[]) {
  const concerned = new Map<EventSubscriber, ReadonlySet<string>>();
  if (accountIds.length > 0)
    for (const each of subscribers) if (each.accountsConcerned) concerned.set(each, await each.accountsConcerned(every, accountIds));
  return (each: EventSubscriber, accountId: string): boolean => concerned.get(each)?.has(accountId) ?? true;
}

interface Reaction {
  readonly subscriber: EventSubscriber;
  readonly events: readonly RecordedEvent[];
}

/**
 * Runs one subscriber in a savepoint. If it fails, only its own effects are rolled back, and it runs again for each event alone. If that
 * fails, too, a job retries it.
 */
async function reactInSavepoint(
  scope: AccountScope,
  { subscriber: each, events }: Reaction,
  platform: RelayContext['platform'],
): Promise<void> {
  try {
    await inSavepoint(scope.db, () => each.react(scope, events));
  } catch (error) {
    const [event] = events;
    if (events.length > 1) for (const alone of events) await reactInSavepoint(scope, { subscriber: each, events: [alone] }, platform);
    else if (event) {
      platform.log.warn({ err: error, event: event.name, subscriber: each.name }, 'a subscriber failed and will be retried');
      const { accountId, id: eventId } = event;
      await platform.jobs.queue(scope.db, 'event.react', { accountId, eventId, subscriber: each.name }, { key: `${eventId} ${each.name}` });
    }
  }
}
