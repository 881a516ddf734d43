import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import { type EventName, isSeenBy, type RecordedEvent } from '#contract/events.ts';
import type { Figures } from '../platform/figures.ts';
import { keepOpen } from '../platform/http/sockets.ts';
import { type Authenticator, asPerson, type Clocked, type Person } from '../platform/tenancy/access.ts';
import type { EventFeed } from './feed.ts';
import { newestId } from './store.ts';

/** How often a stream checks its session and looks for events that it missed (ms). Pages give up on one that is silent for three of these (docs/limits.md#live-silence). */
const BEAT = 20_000;
const MOST_STREAMS = 1_000;
/** A person has a few windows on a few devices. */
const MOST_OF_PERSON = 12;
/** One account leaves room for the others. */
const MOST_OF_ACCOUNT = 200;
/** What a stream holds for a reader that does not read (bytes); then it is closed, and the page reads anew. */
const MOST_UNREAD = 64 * 1024;

export interface StreamOptions {
  readonly platform: Clocked;
  readonly feed: EventFeed;
  readonly authenticator: Authenticator;
  /** Another interval between checks, for tests (ms). */
  readonly beat?: number | undefined;
}

/** Whose stream it is, and the id of the account’s newest event at that moment. */
interface Admitted {
  readonly person: Person;
  readonly newest: number;
}

/**
 * `GET /api/live`: what happens in the signed-in person's account, as far as they may see it, as server-sent events.
 * `missed` asks the page to read anew, `notified` to look behind the bell. The right to listen is checked again at every beat, so it ends with the session;
 * so is the record, so that a hint that was lost is made up for. Gives how many are open.
 */
export function addStream(http: FastifyInstance, { platform, feed, authenticator, beat: every = BEAT }: StreamOptions): Figures {
  const open = new Map<() => void, Person>();
  http.addHook('preClose', async () => {
    for (const end of open.keys()) end();
  });

  // A HEAD would have no end, and nothing to say.
  http.get('/api/live', { exposeHeadRoute: false, config: { sheds: 'team' } }, async (request, reply) => {
    const admitted = await admit(request);
    const { person } = admitted;
    request.trace = { operation: 'live', accountId: person.accountId };
    checkRoom(person);
    // Gone while it was admitted, it would never be closed again.
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
    /** The newest event id at the check before: by now its notification has come, or is lost. */
    let newestRecorded = newest;
    let listener = person;
    let gathered = '';
    const raw = beginEvents(reply);
    const unsubscribe = feed.ofAccount(person.accountId, {
      onEvent(event) {
        newestReceived = Math.max(newestReceived, event.id);
        if (isSeenBy(event.name, listener)) send(textOf(event));
        if (event.name === 'account.deleted') end();
        // One's own only: a whole account that checked at once would take every connection to the database.
        else if (CHANGES_RIGHTS.has(event.name) && event.subject === person.userId) void check();
      },
      onGap: () => send(serverSent('missed', {})),
      onNotified: () => send(serverSent('notified', {})),
    });
    const unsubscribeSignedOut = feed.signedOut(person.userId, () => void check());
    const beat = setInterval(() => void check(), every);
    open.set(end, person);
    raw.once('close', end);

    /** What happens in one go leaves in one piece: where much happens, writing to each reader is what costs. */
    function send(text: string): void {
      if (gathered === '') setImmediate(flush);
      gathered += text;
    }

    function flush(): void {
      const text = gathered;
      gathered = '';
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

/** After these their subject may listen no longer, or to less. */
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

/** Each event as it is sent: written once, for however many readers. */
const texts = new WeakMap<RecordedEvent, string>();

function textOf(event: RecordedEvent): string {
  const text = texts.get(event) ?? serverSent(event.name, event);
  texts.set(event, text);
  return text;
}

const serverSent = (name: string, data: RecordedEvent | object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
