import type { FastifyBaseLogger } from 'fastify';
import { SYSTEM } from '#contract/event/event.ts';
import { events as catalogue, type EventName, type RecordedEvent } from '#contract/events.ts';
import { inSavepoint } from '../platform/database/database.ts';
import type { Jobs, Work } from '../platform/jobs/jobs.ts';
import { warnSeldom } from '../platform/log/log.ts';
import { type AccountScope, type Clocked, inAccount, inEveryAccount, narrowTo, type OperatorScope } from '../platform/tenancy/access.ts';
import type { EventFeed } from './feed.ts';
import * as store from './store.ts';

/** A reaction to events of some names, such as a mail. */
export interface EventSubscriber {
  /** Names the subscriber in jobs that try again, so a name is never given to another subscriber. */
  readonly name: string;
  readonly eventNames: readonly EventName[];
  /**
   * Which of these accounts it may have something to do for; all, where it is left out. Asked once for many events, so that frequent
   * ones that concern nobody cost nothing.
   */
  readonly accountsConcerned?: AccountsConcerned | undefined;
  /**
   * Runs in a transaction narrowed to the event's account, at least once for each event. Its effects are rows and jobs of
   * that transaction; whatever leaves the database leaves by a job.
   */
  react(scope: AccountScope, event: RecordedEvent): Promise<void>;
}

type AccountsConcerned = (every: OperatorScope, accountIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** Declares a subscriber; `react` is given events of these names only. */
export function subscriber<Name extends EventName>(
  name: string,
  eventNames: readonly Name[],
  react: (scope: AccountScope, event: RecordedEvent<Name>) => Promise<void>,
  accountsConcerned?: AccountsConcerned,
): EventSubscriber {
  // The relay hands it events of these names only.
  return { name, eventNames, accountsConcerned, react: (scope, event) => react(scope, event as RecordedEvent<Name>) };
}

interface RelayOptions {
  readonly platform: Clocked & { readonly jobs: Jobs; readonly log: Pick<FastifyBaseLogger, 'warn'> };
  readonly feed: EventFeed;
  readonly subscribers: readonly EventSubscriber[];
}

/** Runs the subscribers of recorded events, and marks those events as relayed. */
export interface Relay {
  readonly work: Work;
  /** Starts to look for events. Called in worker processes only. */
  start(): void;
  stop(): Promise<void>;
}

const AT_ONCE = 50;
/** How often the event table is polled when no notification came (ms). */
const POLL = 1_000;

export function openRelay({ platform, feed, subscribers }: RelayOptions): Relay {
  const subscribedNames = [...new Set(subscribers.flatMap(({ eventNames }) => eventNames))];
  const unsubscribedNames = (Object.keys(catalogue) as EventName[]).filter((name) => !subscribedNames.includes(name));
  const warn = warnSeldom(platform.log, 'events could not be relayed; they stay queued');
  let running: Promise<void> | undefined;
  let isAsked = false;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  return {
    work: {
      'event.react': async ({ data: { accountId, eventId, subscriber: name } }) => {
        const found = subscribers.find((each) => each.name === name);
        await inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
          const event = await store.byId(scope, eventId);
          if (event) await found?.react(scope, event);
        });
      },
    },
    start() {
      unsubscribe = feed.named(subscribedNames, { onEvent: look, onGap: look });
      timer = setInterval(look, POLL);
      look();
    },
    async stop() {
      clearInterval(timer);
      unsubscribe?.();
      await running;
    },
  };

  /** Relays one batch at a time; a notification that comes meanwhile starts another. */
  function look(): void {
    isAsked = true;
    running ??= relayAll().finally(() => {
      running = undefined;
    });
  }

  async function relayAll(): Promise<void> {
    try {
      while (isAsked) {
        isAsked = false;
        await inEveryAccount(platform, (scope) => store.markUnsubscribed(scope, unsubscribedNames));
        while ((await inEveryAccount(platform, relaySome)) === AT_ONCE);
      }
    } catch (error) {
      warn(error);
    }
  }

  /** The subscribers’ effects and the marks commit together: after a crash all of it is repeated, or nothing. */
  async function relaySome(every: OperatorScope): Promise<number> {
    const waiting = await store.takeWaiting(every, subscribedNames, AT_ONCE);
    const reactingTo = await openConcern(every, waiting);
    const heard = waiting.filter((event) => reactingTo(event).length > 0);
    for (const accountId of new Set(heard.map((event) => event.accountId)))
      await narrowTo(every, accountId, async (scope) => {
        for (const event of heard.filter((each) => each.accountId === accountId))
          for (const each of reactingTo(event)) await reactAlone(scope, event, each);
      });
    await store.markRelayed(
      every,
      waiting.map(({ id }) => id),
    );
    return waiting.length;
  }

  /** Looks once which subscribers may have something to do for the accounts of these events. */
  async function openConcern(every: OperatorScope, waiting: readonly RecordedEvent[]) {
    const accountIds = [...new Set(waiting.map(({ accountId }) => accountId))];
    const concerned = new Map<EventSubscriber, ReadonlySet<string>>();
    for (const each of subscribers)
      if (each.accountsConcerned && accountIds.length > 0) concerned.set(each, await each.accountsConcerned(every, accountIds));
    return ({ name, accountId }: RecordedEvent): EventSubscriber[] =>
      subscribers.filter((each) => each.eventNames.includes(name) && (concerned.get(each)?.has(accountId) ?? true));
  }

  /** Runs one subscriber in a savepoint. If it fails, only its own effects are rolled back, and a job tries it again. */
  async function reactAlone(scope: AccountScope, event: RecordedEvent, each: EventSubscriber): Promise<void> {
    try {
      await inSavepoint(scope.db, () => each.react(scope, event));
    } catch (error) {
      platform.log.warn({ err: error, event: event.name, subscriber: each.name }, 'a subscriber failed and is tried again');
      const { accountId, id: eventId } = event;
      await platform.jobs.queue(scope.db, 'event.react', { accountId, eventId, subscriber: each.name }, { key: `${eventId} ${each.name}` });
    }
  }
}
