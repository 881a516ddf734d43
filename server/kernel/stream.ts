import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusal } from '#contract/errors.ts';
import { asPerson, type Doorkeeper } from './access.ts';
import type { Kernel } from './context.ts';
import type { LiveMessage } from './live.ts';

const BEAT = 20_000;
const MOST_STREAMS = 1_000;

interface StreamOptions {
  readonly kernel: Pick<Kernel, 'database' | 'live'>;
  readonly doorkeeper: Doorkeeper;
}

/**
 * `GET /api/live`: what happens in the signed-in person's account, as server-sent events. `missed` asks the page to
 * read anew. The right to listen is checked again at every beat, so it ends with the session.
 */
export function addStream(http: FastifyInstance, { kernel, doorkeeper }: StreamOptions): void {
  const open = new Set<() => void>();
  http.addHook('preClose', async () => {
    for (const end of open) end();
  });

  http.get('/api/live', async (request, reply) => {
    if (open.size >= MOST_STREAMS) throw refusal('overloaded', { retryAfter: 30 });
    const accountId = await listenerOf(request);
    request.trace = { operation: 'live', accountId };
    stream(request, reply, accountId);
  });

  function listenerOf({ headers }: FastifyRequest): Promise<string> {
    const caller = { authorization: headers.authorization, access: 'member' } as const;
    return asPerson({ database: kernel.database, doorkeeper }, caller, async ({ accountId }) => accountId);
  }

  function stream(request: FastifyRequest, reply: FastifyReply, accountId: string): void {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    raw.write('retry: 2000\n\n');
    const send = (event: string, message: LiveMessage) => raw.write(`event: ${event}\ndata: ${JSON.stringify(message)}\n\n`);
    const silence = kernel.live.listen(accountId, {
      hear: (message) => void send('feedback', message),
      missed: () => void send('missed', {}),
    });
    const beat = setInterval(() => void stillMay(), BEAT);
    open.add(end);
    raw.once('close', end);

    async function stillMay(): Promise<void> {
      try {
        if ((await listenerOf(request)) !== accountId) return end();
        raw.write(': beat\n\n');
      } catch {
        end();
      }
    }

    function end(): void {
      clearInterval(beat);
      silence();
      open.delete(end);
      raw.end();
    }
  }
}
