import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusal } from '#contract/errors.ts';
import { isSeenBy, type RecordedEvent } from '#contract/events.ts';
import { type Authenticator, asPerson, type Clocked, type Person } from '../kernel/access.ts';
import { keepOpen } from '../kernel/sockets.ts';
import type { EventFeed } from './feed.ts';
import { newestId } from './store.ts';

/** How often a stream checks its session and looks for events that it missed (ms). */
const BEAT = 20_000;
const MOST_STREAMS = 1_000;

interface StreamOptions {
  readonly kernel: Clocked;
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
 * `missed` asks the page to read anew. The right to listen is checked again at every beat, so it ends with the session;
 * so is the record, so that a hint that was lost is made up for.
 */
export function addStream(http: FastifyInstance, { kernel, feed, authenticator, beat: every = BEAT }: StreamOptions): void {
  const open = new Set<() => void>();
  http.addHook('preClose', async () => {
    for (const end of open) end();
  });

  http.get('/api/live', async (request, reply) => {
    if (open.size >= MOST_STREAMS) throw refusal('overloaded', { retryAfter: 30 });
    const admitted = await admit(request);
    request.trace = { operation: 'live', accountId: admitted.person.accountId };
    stream(request, reply, admitted);
  });

  function admit({ headers }: FastifyRequest): Promise<Admitted> {
    const caller = { authorization: headers.authorization, access: 'member' } as const;
    return asPerson({ ...kernel, authenticator }, caller, async (person, scope) => ({ person, newest: await newestId(scope) }));
  }

  function stream(request: FastifyRequest, reply: FastifyReply, { person, newest }: Admitted): void {
    let newestReceived = newest;
    /** The newest event id at the check before: by now its notification has come, or is lost. */
    let newestRecorded = newest;
    let listener = person;
    const raw = beginEvents(reply);
    const unsubscribe = feed.ofAccount(person.accountId, {
      onEvent(event) {
        newestReceived = Math.max(newestReceived, event.id);
        if (isSeenBy(event.name, listener)) raw.write(serverSent(event.name, event));
      },
      onGap: () => void raw.write(serverSent('missed', {})),
    });
    const beat = setInterval(() => void check(), every);
    open.add(end);
    raw.once('close', end);

    async function check(): Promise<void> {
      try {
        const now = await admit(request);
        if (now.person.accountId !== person.accountId) return end();
        listener = now.person;
        raw.write(newestRecorded > newestReceived ? serverSent('missed', {}) : ': beat\n\n');
        newestReceived = Math.max(newestReceived, newestRecorded);
        newestRecorded = now.newest;
      } catch {
        end();
      }
    }

    function end(): void {
      clearInterval(beat);
      unsubscribe();
      open.delete(end);
      raw.end();
    }
  }
}

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

const serverSent = (name: string, data: RecordedEvent | object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
