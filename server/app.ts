import { randomBytes } from 'node:crypto';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { NOT_FOUND } from '#contract/schema.ts';
import { services } from '#contract/services.ts';
import { openDocument } from './form/document.ts';
import { addFormPage } from './form/page.ts';
import type { Doorkeeper } from './kernel/access.ts';
import type { Config } from './kernel/config.ts';
import type { Kernel } from './kernel/context.ts';
import { type Connection, openDatabase } from './kernel/database.ts';
import { createDispatcher } from './kernel/dispatch.ts';
import { addHealth } from './kernel/health.ts';
import { createHttp } from './kernel/http.ts';
import { openLive } from './kernel/live.ts';
import { describeOperations } from './kernel/operations.ts';
import { addStream } from './kernel/stream.ts';
import { openRooms } from './rooms.ts';

const BUILT = path.resolve(import.meta.dirname, '../dist');

interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  /** How to connect as the role that works on an up-to-date schema. */
  readonly connection: Connection;
  readonly now?: () => number;
}

/** The product, ready to listen. */
export interface App {
  readonly http: FastifyInstance;
  readonly kernel: Kernel;
  /** Stops in order: no new requests, everything accepted to disk, then the connections. */
  stop(): Promise<void>;
}

export async function createApp({ config, log, connection, now = Date.now }: AppOptions): Promise<App> {
  const database = openDatabase({ connection, onError: (error) => log.warn({ err: error }, 'a database connection was lost') });
  const live = openLive({ database, log });
  const kernel: Kernel = { config, log, database, live, now, random: (size) => randomBytes(size) };
  const house = openRooms(kernel);
  const doorkeeper: Doorkeeper = await Promise.reject(new Error('not yet'));
  const dispatcher = createDispatcher({ kernel, services, rooms: house.rooms, doorkeeper });

  const http = createHttp(config, log);
  addHealth(http, { config, database });
  addStream(http, { kernel, doorkeeper });
  http.post('/api/data', async ({ body, headers, ip, trace }, reply) => {
    const answer = await dispatcher.dispatch({ body, authorization: headers.authorization, address: ip, trace });
    return reply
      .code(isNotFound(answer) ? 404 : 200)
      .header('cache-control', 'no-store')
      .send(answer);
  });
  await http.register(fastifyStatic, {
    root: path.join(BUILT, 'public/assets'),
    prefix: '/assets/',
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    decorateReply: false,
  });
  addFormPage(http, {
    kernel,
    document: await openDocument(),
    forms: house.forms,
    find: house.intake.find,
    count: house.views.count,
    save: ({ ip, trace }, sent) =>
      dispatcher.dispatch({ body: { service: 'feedback', action: 'save', ...sent }, authorization: undefined, address: ip, trace }),
  });
  const operations = describeOperations(services);
  http.get('/api/operations', async () => operations);

  return {
    http,
    kernel,
    async stop() {
      await http.close();
      await house.drain();
      await live.stop();
      await database.stop();
    },
  };
}

/** Missing and another account's alike: the answer says so, and so does the status (R22). */
const isNotFound = (answer: unknown): boolean => (answer as { status?: unknown }).status === NOT_FOUND.status;
