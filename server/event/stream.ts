import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import type { MetricGroup } from '../platform/metrics.ts';
import { type Authenticator, asPerson, type DatabaseAndClock, type Person } from '../platform/tenancy/access.ts';
import { openEventStream } from './event-stream.ts';
import type { EventFeed } from './feed.ts';
import { LiveStream, type StreamAdmission } from './live-stream.ts';
import { newestId } from './store.ts';

/**
 * How often a stream checks its session and looks for missed events (ms). Pages reconnect after three silent intervals
 * (docs/limits.md#live-silence).
 * @limit stream-beat
 */
const CHECK_INTERVAL = 20_000;
/** Open streams of a process: each occupies a connection. @limit streams */
const MOST_STREAMS = 1_000;
/** Of a person: enough for a few windows on a few devices. @limit streams */
const MOST_OF_PERSON = 12;
/** Of an account, so that there is room for others. @limit streams */
const MOST_OF_ACCOUNT = 200;

export interface StreamOptions {
  readonly platform: DatabaseAndClock;
  readonly feed: EventFeed;
  readonly authenticator: Authenticator;
  /** The interval between checks, for tests (ms). */
  readonly beat?: number | undefined;
}

/**
 * Adds `GET /api/live`, which streams the account's events that the signed-in person may see. `missed` makes the page reload its data,
 * `notified` its notifications. Returns the streams' metrics.
 */
export function addStream(
  http: FastifyInstance,
  { platform, feed, authenticator, beat: every = CHECK_INTERVAL }: StreamOptions,
): MetricGroup {
  const open = new Map<LiveStream, Person>();
  http.addHook('preClose', async () => {
    for (const stream of open.keys()) stream.end();
  });

  // A HEAD request would never end.
  http.get('/api/live', { exposeHeadRoute: false, config: { sheds: 'team' } }, async (request, reply) => {
    const admitted = await admit(request);
    const { person } = admitted;
    request.trace = { operation: 'live', accountId: person.accountId };
    checkRoom(person, [...open.values()]);
    // A client that left during `admit` sends no further close event.
    if (reply.raw.destroyed) return reply.hijack();
    const stream: LiveStream = new LiveStream({
      ...admitted,
      out: openEventStream(reply),
      feed,
      every,
      admit: () => admit(request),
      onEnd: () => open.delete(stream),
    });
    open.set(stream, person);
    return undefined;
  });

  return {
    help: {
      afterword_streams: 'Live streams open at this process.',
      afterword_streams_most: 'Maximum live streams at this process.',
    },
    read: async () => ({ afterword_streams: open.size, afterword_streams_most: MOST_STREAMS }),
  };

  function admit({ headers }: FastifyRequest): Promise<StreamAdmission> {
    const caller = { authorization: headers.authorization, access: 'member' } as const;
    return asPerson({ ...platform, authenticator }, caller, async (person, scope) => ({ person, newest: await newestId(scope) }));
  }
}

/** Refuses `too-many` or `overloaded` if another stream of this person doesn't fit. */
function checkRoom({ userId, accountId }: Person, open: readonly Person[]): void {
  const count = (isCounted: (person: Person) => boolean) => open.filter(isCounted).length;
  if (count((each) => each.userId === userId) >= MOST_OF_PERSON) throw refusal('too-many', { retryAfter: 30 });
  if (open.length >= MOST_STREAMS || count((each) => each.accountId === accountId) >= MOST_OF_ACCOUNT)
    throw refusal('overloaded', { retryAfter: 30 });
}
