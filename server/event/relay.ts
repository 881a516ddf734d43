import type { FastifyBaseLogger } from 'fastify';
import { ITSELF } from '#contract/event.ts';
import { events as catalogue, type EventName, type RecordedEvent } from '#contract/events.ts';
import { type AccountScope, type Clocked, inAccount, inEveryAccount, narrowTo, type OperatorScope } from '../kernel/access.ts';
import { inSavepoint } from '../kernel/database.ts';
import type { Jobs, Work } from '../kernel/jobs.ts';
import type { EventFeed } from './feed.ts';
import * as store from './store.ts';

/** What follows when something has happened. */
export interface EventSubscriber {
  /** Names it in jobs that try again; a name that was given once is not given to another. */
  readonly name: string;
  readonly eventNames: readonly EventName[];
  /**
   * Runs in a transaction narrowed to the event's account, at least once for each event. Its effects are rows and jobs of
   * that transaction; whatever leaves the database leaves by a job.
   */
  react(scope: AccountScope, event: RecordedEvent): Promise<void>;
}

/** Declares a subscriber; `react` is given events of these names only. */
export function subscriber<Name extends EventName>(
  name: string,
  eventNames: readonly Name[],
  react: (scope: AccountScope, event: RecordedEvent<Name>) => Promise<void>,
): EventSubscriber {
  // The relay hands it events of these names only.
  return { name, eventNames, react: (scope, event) => react(scope, event as RecordedEvent<Name>) };
}

interface RelayOptions {
  readonly kernel: Clocked & { readonly jobs: Jobs; readonly log: Pick<FastifyBaseLogger, 'warn'> };
  readonly feed: EventFeed;
  readonly subscribers: readonly EventSubscriber[];
}

/** Hands events from the record to their subscribers. */
export interface Relay {
  readonly work: Work;
  /** Starts to look for events, in a process that works. */
  start(): void;
  stop(): Promise<void>;
}

const AT_ONCE = 50;
/** How often the record is looked at without a hint (ms). */
const POLL = 1_000;

export function openRelay({ kernel, feed, subscribers }: RelayOptions): Relay {
  const subscribedNames = [...new Set(subscribers.flatMap(({ eventNames }) => eventNames))];
  const unsubscribedNames = (Object.keys(catalogue) as EventName[]).filter((name) => !subscribedNames.includes(name));
  let running: Promise<void> | undefined;
  let isAsked = false;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  return {
    work: {
      'event.react': async ({ data: { accountId, eventId, subscriber: name } }) => {
        const found = subscribers.find((each) => each.name === name);
        await inAccount(kernel, { accountId, actor: ITSELF }, async (scope) => {
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

  /** One look at a time; a hint that comes meanwhile asks for another. */
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
        await inEveryAccount(kernel, (scope) => store.markUnsubscribed(scope, unsubscribedNames));
        while ((await inEveryAccount(kernel, relaySome)) === AT_ONCE);
      }
    } catch (error) {
      kernel.log.warn({ err: error }, 'events could not be relayed; they wait in the record');
    }
  }

  /** Effects and marks commit together, so a process that dies repeats all of them or nothing. */
  async function relaySome(every: OperatorScope): Promise<number> {
    const waiting = await store.takeWaiting(every, subscribedNames, AT_ONCE);
    for (const event of waiting) await narrowTo(every, event.accountId, (scope) => relayOne(scope, event));
    return waiting.length;
  }

  async function relayOne(scope: AccountScope, event: RecordedEvent): Promise<void> {
    for (const each of subscribers) if (each.eventNames.includes(event.name)) await reactAlone(scope, event, each);
    await store.markRelayed(scope, event.id);
  }

  /** A subscriber that fails takes back its own effects only, and is tried again by a job. */
  async function reactAlone(scope: AccountScope, event: RecordedEvent, each: EventSubscriber): Promise<void> {
    try {
      await inSavepoint(scope.db, () => each.react(scope, event));
    } catch (error) {
      kernel.log.warn({ err: error, event: event.name, subscriber: each.name }, 'a subscriber failed and is tried again');
      const { accountId, id: eventId } = event;
      await kernel.jobs.queue(scope.db, 'event.react', { accountId, eventId, subscriber: each.name }, { key: `${eventId} ${each.name}` });
    }
  }
}
