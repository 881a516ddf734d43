import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Database, Transaction } from '../database/database.ts';

/**
 * Publishes short messages to every process that uses the database, within a second. Messages can be lost, so they only hint at data
 * to read from the database.
 */
export interface PubSub<Message> {
  /** Publishes within `GATHER` ms, together with other messages from that time. */
  publish(messages: readonly Message[]): void;
  /** Returns the function that unsubscribes. */
  subscribe(subscriber: PubSubSubscriber<Message>): () => void;
  stop(): Promise<void>;
}

interface PubSubSubscriber<Message> {
  onMessage(message: Message): void;
  /** Called when messages may have been missed. */
  onGap?(): void;
}

const CHANNEL = 'afterword';
const GATHER = 50;
/** PostgreSQL allows less than 8,000 bytes per notification. */
const MOST_BYTES = 7_000;
const RETRY = 500;
/** Interval of the check that the listening connection is alive (ms), because nothing else is sent on it. */
const HEARTBEAT = 3_000;

interface PubSubOptions {
  readonly database: Database;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

/** `Message` must be JSON without personal data. */
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

  /** Sends one batch after the other. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(send);
    return sending;
  }

  /** Sends the waiting messages, or just checks the connection. Ending a dead connection causes a reconnect. */
  async function send(): Promise<void> {
    const messages = waiting;
    waiting = [];
    const current = client;
    try {
      await current?.query({ text: 'select pg_notify($1, packet) from unnest($2::text[]) as packet', values: [CHANNEL, packed(messages)] });
    } catch (error) {
      log.warn({ err: error }, 'live notices were not sent');
      await current?.end().catch(() => undefined);
    }
  }

  async function stayConnected(): Promise<void> {
    while (!stopped && !client) {
      try {
        client = await connect();
        for (const subscriber of subscribers) subscriber.onGap?.();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY).unref());
      }
    }
  }

  async function connect(): Promise<pg.Client> {
    const connection = await database.connect();
    connection.on('notification', ({ payload }) => receive(payload ?? '[]'));
    try {
      await connection.query(`listen ${CHANNEL}`);
    } catch (error) {
      // A server in recovery accepts connections, but no LISTEN. One that is silent may never confirm the end.
      connection.end().catch(() => undefined);
      throw error;
    }
    connection.on('end', () => {
      client = undefined;
      if (!stopped) void stayConnected();
    });
    return connection;
  }

  function receive(packet: string): void {
    // Sent by `packed` or `publishOnCommit`, which write this type.
    for (const message of JSON.parse(packet) as Message[]) {
      for (const subscriber of subscribers) subscriber.onMessage(message);
    }
  }
}

/** Publishes a message when the caller's transaction commits. For rare messages only, because such commits run one at a time. */
export async function publishOnCommit(db: Transaction, message: unknown): Promise<void> {
  await db.$client.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify([message])]);
}

/** Returns the messages in as few notifications as possible. */
function packed(messages: readonly unknown[]): string[] {
  const packets: string[] = [];
  let packet: string[] = [];
  let bytes = 0;
  for (const message of messages) {
    const text = JSON.stringify(message);
    const size = Buffer.byteLength(text) + 1;
    if (packet.length > 0 && bytes + size > MOST_BYTES) {
      packets.push(`[${packet.join(',')}]`);
      packet = [];
      bytes = 0;
    }
    packet.push(text);
    bytes += size;
  }
  return packet.length > 0 ? [...packets, `[${packet.join(',')}]`] : packets;
}
