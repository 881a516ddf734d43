import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Database } from './database.ts';

/** Tells every process that shares the database what happened, within the second. Hints only: nothing depends on their arrival. */
export interface Live {
  /** Sends after at most `GATHER` ms, together with what else is told to the channel meanwhile. */
  tell(channel: string, message: LiveMessage): void;
  /** Calls `hear` for each message of the channel; and `missed` when some may have been lost. Gives back the way to stop. */
  listen(channel: string, listener: LiveListener): () => void;
  stop(): Promise<void>;
}

/** Short, and never personal data: at most a few ids. */
export type LiveMessage = Readonly<Record<string, string | number | boolean>>;

export interface LiveListener {
  hear(message: LiveMessage): void;
  missed?(): void;
}

const CHANNEL = 'afterword';
const GATHER = 50;
/** PostgreSQL takes less than 8,000 bytes a notice. */
const MOST_BYTES = 7_000;
const RETRY = 500;

interface Envelope {
  readonly c: string;
  readonly m: LiveMessage;
}

export function openLive({ database, log }: { database: Database; log: Pick<FastifyBaseLogger, 'warn'> }): Live {
  const listeners = new Map<string, Set<LiveListener>>();
  let outbox: Envelope[] = [];
  let timer: NodeJS.Timeout | undefined;
  let client: pg.Client | undefined;
  let stopped = false;
  void stayConnected();

  return {
    tell(channel, message) {
      if (stopped) return;
      outbox.push({ c: channel, m: message });
      timer ??= setTimeout(() => void send(), GATHER);
    },
    listen(channel, listener) {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(channel) === set) listeners.delete(channel);
      };
    },
    async stop() {
      await send();
      stopped = true;
      await client?.end().catch(() => undefined);
    },
  };

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const envelopes = outbox;
    outbox = [];
    if (envelopes.length === 0) return;
    try {
      await client?.query({ text: 'select pg_notify($1, notice) from unnest($2::text[]) as notice', values: [CHANNEL, packed(envelopes)] });
    } catch (error) {
      log.warn({ err: error }, 'live notices were not sent');
    }
  }

  async function stayConnected(): Promise<void> {
    while (!stopped && !client) {
      try {
        client = await connected();
        for (const set of listeners.values()) for (const listener of set) listener.missed?.();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY).unref());
      }
    }
  }

  async function connected(): Promise<pg.Client> {
    const connection = await database.connect();
    connection.on('notification', ({ payload }) => hear(payload ?? '[]'));
    connection.on('end', () => {
      client = undefined;
      if (!stopped) void stayConnected();
    });
    await connection.query(`listen ${CHANNEL}`);
    return connection;
  }

  function hear(payload: string): void {
    // Written by `packed` of a process like this one.
    for (const { c, m } of JSON.parse(payload) as Envelope[]) {
      for (const listener of listeners.get(c) ?? []) listener.hear(m);
    }
  }
}

/** As few notices as hold them all. */
function packed(envelopes: readonly Envelope[]): string[] {
  const notices: string[] = [];
  let open: string[] = [];
  let bytes = 0;
  for (const envelope of envelopes) {
    const text = JSON.stringify(envelope);
    if (bytes + text.length + 1 > MOST_BYTES) {
      notices.push(`[${open.join(',')}]`);
      open = [];
      bytes = 0;
    }
    open.push(text);
    bytes += Buffer.byteLength(text) + 1;
  }
  return [...notices, `[${open.join(',')}]`];
}
