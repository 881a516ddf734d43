import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Database, Transaction } from '../database/database.ts';

/**
 * Publishes short messages to every process that shares the database, within the second. Hints only: what must not
 * be lost is read from the database.
 */
export interface PubSub<Message> {
  /** Publishes after at most `GATHER` ms, together with what else is published meanwhile. */
  publish(messages: readonly Message[]): void;
  /** Returns the function that unsubscribes. */
  subscribe(subscriber: PubSubSubscriber<Message>): () => void;
  stop(): Promise<void>;
}

interface PubSubSubscriber<Message> {
  onMessage(message: Message): void;
  /** Some messages may have been missed. */
  onGap?(): void;
}

const CHANNEL = 'afterword';
const GATHER = 50;
/** PostgreSQL takes less than 8,000 bytes a notification. */
const MOST_BYTES = 7_000;
const RETRY = 500;
/** How often the listening connection is asked for a sign of life (ms): nothing else is ever sent on it. */
const HEARTBEAT = 3_000;

interface PubSubOptions {
  readonly database: Database;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

/** `Message` is JSON, and never personal data. */
export function openPubSub<Message>({ database, log }: PubSubOptions): PubSub<Message> {
  const subscribers = new Set<PubSubSubscriber<Message>>();
  let waiting: Message[] = [];
  let timer: NodeJS.Timeout | undefined;
  let client: pg.Client | undefined;
  let stopped = false;
  void stayConnected();
  let sending = Promise.resolve();
  const heartbeat = setInterval(() => void flush(), HEARTBEAT).unref();

  return {
    publish(messages) {
      if (stopped || messages.length === 0) return;
      waiting.push(...messages);
      timer ??= setTimeout(() => void flush(), GATHER);
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    async stop() {
      await flush();
      stopped = true;
      clearInterval(heartbeat);
      await client?.end().catch(() => undefined);
    },
  };

  /** One after the other. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(send);
    return sending;
  }

  /** Without messages it is a sign of life; a connection that gives none is ended, which connects anew. */
  async function send(): Promise<void> {
    const messages = waiting;
    waiting = [];
    const used = client;
    try {
      await used?.query({ text: 'select pg_notify($1, packet) from unnest($2::text[]) as packet', values: [CHANNEL, packed(messages)] });
    } catch (error) {
      log.warn({ err: error }, 'live notices were not sent');
      await used?.end().catch(() => undefined);
    }
  }

  async function stayConnected(): Promise<void> {
    while (!stopped && !client) {
      try {
        client = await connected();
        for (const subscriber of subscribers) subscriber.onGap?.();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY).unref());
      }
    }
  }

  async function connected(): Promise<pg.Client> {
    const connection = await database.connect();
    connection.on('notification', ({ payload }) => receive(payload ?? '[]'));
    connection.on('end', () => {
      client = undefined;
      if (!stopped) void stayConnected();
    });
    await connection.query(`listen ${CHANNEL}`);
    return connection;
  }

  function receive(packet: string): void {
    // Written by `packed` or `publishOnCommit` of a process like this one.
    for (const message of JSON.parse(packet) as Message[]) {
      for (const subscriber of subscribers) subscriber.onMessage(message);
    }
  }
}

/** Publishes if and when the caller's transaction commits. For what is rare: such commits queue behind one another. */
export async function publishOnCommit(db: Transaction, message: unknown): Promise<void> {
  await db.$client.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify([message])]);
}

/** As few notifications as hold all messages. */
function packed(messages: readonly unknown[]): string[] {
  const packets: string[] = [];
  let open: string[] = [];
  let bytes = 0;
  for (const message of messages) {
    const text = JSON.stringify(message);
    const size = Buffer.byteLength(text) + 1;
    if (open.length > 0 && bytes + size > MOST_BYTES) {
      packets.push(`[${open.join(',')}]`);
      open = [];
      bytes = 0;
    }
    open.push(text);
    bytes += size;
  }
  return open.length > 0 ? [...packets, `[${open.join(',')}]`] : packets;
}
