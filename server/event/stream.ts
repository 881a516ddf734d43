import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import { type EventName, isSeenBy, type RecordedEvent } from '#contract/events.ts';
import type { Figures } from '../platform/figures.ts';
import { keepOpen } from '../platform/http/sockets.ts';
import { type Authenticator, asPerson, type Clocked, type Person } from '../platform/tenancy/access.ts';
import type { EventFeed } from './feed.ts';
import { newestId } from './store.ts';

/** How often a stream checks its session and looks for missed events (ms). Pages reconnect after three silent intervals (docs/limits.md#live-silence). */
const BEAT = 20_000;
const MOST_STREAMS = 1_000;
/** Enough for a few windows on a few devices. */
const MOST_OF_PERSON = 12;
/** Leaves room for other accounts. */
const MOST_OF_ACCOUNT = 200;
/** Data buffered for a client that doesn't read (bytes); beyond this its stream is closed, and the page reloads its data. */
const MOST_UNREAD = 64 * 1024;

export interface StreamOptions {
  readonly platform: Clocked;
  readonly feed: EventFeed;
  readonly authenticator: Authenticator;
  /** The interval between checks, for tests (ms). */
  readonly beat?: number | undefined;
}

/** The person whose stream it is, and the id of the account’s newest event. */
interface Admitted {
  readonly person: Person;
  readonly newest: number;
}

/**
 * Adds `GET /api/live`, which streams the account's events that the signed-in person may see. `missed` makes the page reload its data,
 * `notified` its notifications. Every beat checks that the session is still valid and that no event was missed. Returns the stream's
 * metrics.
 */
export function addStream(http: FastifyInstance, { platform, feed, authenticator, beat: every = BEAT }: StreamOptions): Figures {
  const open = new Map<() => void, Person>();
  http.addHook('preClose', async () => {
    for (const end of open.keys()) end();
  });

  // A HEAD request would never end.
  http.get('/api/live', { exposeHeadRoute: false, config: { sheds: 'team' } }, async (request, reply) => {
    const admitted = await admit(request);
    const { person } = admitted;
    request.trace = { operation: 'live', accountId: person.accountId };
    checkRoom(person);
    // A client that left during `admit` sends no further close event.
    if (reply.raw.destroyed) return reply.hijack();
    stream(request, reply, admitted);
    return undefined;
  });

  return {
    help: {
      afterword_streams: 'Live streams open at this process.',
      afterword_streams_most: 'Maximum live streams at this process.',
    },
    read: async () => ({ afterword_streams: open.size, afterword_streams_most: MOST_STREAMS }),
  };

  function checkRoom({ userId, accountId }: Person): void {
    const count = (isCounted: (person: Person) => boolean) => [...open.values()].filter(isCounted).length;
    if (count((each) => each.userId === userId) >= MOST_OF_PERSON) throw refusal('too-many', { retryAfter: 30 });
    if (open.size >= MOST_STREAMS || count((each) => each.accountId === accountId) >= MOST_OF_ACCOUNT) {
      throw refusal('overloaded', { retryAfter: 30 });
    }
  }

  function admit({ headers }: FastifyRequest): Promise<Admitted> {
    const caller = { authorization: headers.authorization, access: 'member' } as const;
    return asPerson({ ...platform, authenticator }, caller, async (person, scope) => ({ person, newest: await newestId(scope) }));
  }

  function stream(request: FastifyRequest, reply: FastifyReply, { person, newest }: Admitted): void {
    let newestReceived = newest;
    /** The newest event id at the previous check; its notification has arrived by now, or is lost. */
    let newestRecorded = newest;
    let listener = person;
    let pending = '';
    const raw = beginEvents(reply);
    const unsubscribe = feed.ofAccount(person.accountId, {
      onEvent(event) {
        newestReceived = Math.max(newestReceived, event.id);
        if (isSeenBy(event.name, listener)) send(textOf(event));
        if (event.name === 'account.deleted') end();
        // Only this person's: if a whole account checked at once, it would take every connection to the database.
        else if (CHANGES_RIGHTS.has(event.name) && event.subject === person.userId) void check();
      },
      onGap: () => send(serverSent('missed', {})),
      onNotified: () => send(serverSent('notified', {})),
    });
    const unsubscribeSignedOut = feed.signedOut(person.userId, () => void check());
    const beat = setInterval(() => void check(), every);
    open.set(end, person);
    raw.once('close', end);

    /** Sends everything of one turn at once, because writing to each client is the main cost of many events. */
    function send(text: string): void {
      if (pending === '') setImmediate(flush);
      pending += text;
    }

    function flush(): void {
      const text = pending;
      pending = '';
      if (text === '' || raw.writableEnded) return;
      if (raw.writableLength > MOST_UNREAD) raw.destroy();
      else raw.write(text);
    }

    async function check(): Promise<void> {
      try {
        const now = await admit(request);
        if (now.person.accountId !== person.accountId) return end();
        listener = now.person;
        send(newestRecorded > newestReceived ? serverSent('missed', {}) : ': beat\n\n');
        newestReceived = Math.max(newestReceived, newestRecorded);
        newestRecorded = now.newest;
      } catch {
        end();
      }
    }

    function end(): void {
      clearInterval(beat);
      unsubscribe();
      unsubscribeSignedOut();
      open.delete(end);
      flush();
      raw.end();
    }
  }
}

/** Events after which their subject may see less, or nothing. */
const CHANGES_RIGHTS: ReadonlySet<EventName> = new Set(['user.removed', 'user.level-changed']);

function beginEvents(reply: FastifyReply): FastifyReply['raw'] {
  reply.hijack();
  const { raw } = reply;
  keepOpen(raw);
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  raw.write('retry: 2000\n\n');
  return raw;
}

/** Events as text, serialized once for all readers. */
const texts = new WeakMap<RecordedEvent, string>();

function textOf(event: RecordedEvent): string {
  const text = texts.get(event) ?? serverSent(event.name, event);
  texts.set(event, text);
  return text;
}

const serverSent = (name: string, data: RecordedEvent | object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
