import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { services } from '#contract/services.ts';
import type { PaddleStandIn } from '#stand-ins/paddle/paddle.ts';
import { openContext } from './context.ts';
import { type FeedMessage, openEventFeed } from './event/feed.ts';
import { openRelay } from './event/relay.ts';
import type { Intake } from './feedback/intake.ts';
import { JOBS } from './jobs.ts';
import { openModules } from './modules.ts';
import { addPayments } from './payments.ts';
import type { Config } from './platform/config/config.ts';
import type { Platform } from './platform/context.ts';
import { type ConnectionSettings, openDatabase, type Transaction } from './platform/database/database.ts';
import { openFirstConnection } from './platform/database/first-connection.ts';
import { addHealth } from './platform/http/health.ts';
import { createHttp } from './platform/http/http.ts';
import { type DelayMeter, watchLoad } from './platform/http/load-shedding.ts';
import type { Pictures } from './platform/images/images.ts';
import { openJobs } from './platform/jobs/jobs.ts';
import { jobMetrics } from './platform/jobs/metrics.ts';
import { openPubSub } from './platform/live/pubsub.ts';
import { warnSeldom } from './platform/log/log.ts';
import { openMailer } from './platform/mailer/mailer.ts';
import { connectionMetrics } from './platform/metrics.ts';
import { openRandom } from './platform/random.ts';
import { openSecret } from './platform/secret.ts';
import { createDispatcher } from './platform/tenancy/dispatch.ts';
import { withBilling } from './sample.ts';
import { addWeb, openBuiltPages } from './web.ts';
import { audit } from './workflows/operator.ts';
import { inviteOperators } from './workflows/operator-invitations.ts';

interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Connection settings of the product's role; the schema is up to date. */
  readonly connection: ConnectionSettings;
  /** UTC ms. */
  readonly now?: () => number;
  /** Another way to store submissions, for the crash test's broken products. */
  readonly intake?: (platform: Platform) => Intake;
  /** Interval between the checks of live streams, for tests (ms). */
  readonly beat?: number | undefined;
  /** Replaces the measured event loop delay, for tests. */
  readonly lateness?: DelayMeter | undefined;
  /** Another way to redraw pictures, for tests on a busy machine. */
  readonly pictures?: Pictures;
  /** How long a handler may take, for tests on a busy machine (ms). */
  readonly handlerTimeout?: number;
  /** False turns schedules off, for tests whose clock differs from the schedules'. */
  readonly recurring?: false;
}

/** The product, ready to listen. */
export interface App {
  readonly http: FastifyInstance;
  readonly platform: Platform;
  /** The stand-in for the payment provider, if it's used. */
  readonly sandbox: PaddleStandIn | undefined;
  /** Creates a person who can sign in at once, for the sample business. */
  readonly signUp: (db: Transaction, person: { sub: string; email: string; password: string }) => Promise<void>;
  /** Returns whether this address and password sign someone in, for the sample business. */
  readonly isPassword: (email: string, password: string) => Promise<boolean>;
  /** Throws a `ConfigError` if the user pool doesn't exist. */
  readonly reachPool: () => Promise<void>;
  /** Emails a link to operators who can't sign in yet. */
  readonly inviteOperators: () => Promise<void>;
  /** Stops in order: no new requests, everything accepted to disk, then the connections. */
  stop(): Promise<void>;
}

export async function createApp(options: AppOptions): Promise<App> {
  const { log, connection, now = Date.now, lateness, recurring } = options;
  const database = openDatabase({ connection, onError: warnSeldom(log, 'a database connection was lost') });
  await openFirstConnection(database);
  const config = await withBilling(options.config, { database, now });
  const [isWeb, isWorker] = [config.roles.includes('web'), config.roles.includes('worker')];
  const [{ document, documents }, secret] = await Promise.all([openBuiltPages(config), openSecret(config)]);
  const pubsub = openPubSub<FeedMessage>({ database, log });
  const feed = openEventFeed(pubsub);
  const jobs = await openJobs({ connection, policies: JOBS, log, works: isWorker, recurring });
  const mailer = openMailer({ config, log, now });
  const platform: Platform = { config, secret, log, database, pubsub, jobs, mailer, now, random: openRandom() };
  const subscribedNames = () => subscribers.flatMap(({ eventNames }) => eventNames);
  const { intake, pictures, beat } = options;
  const context = await openContext({ platform, feed, document, subscribedNames, intake, pictures, beat });
  const { billing, pool, send: sendMail } = context;
  const { modules, handlers } = openModules(context);
  const subscribers = modules.flatMap((module) => module.subscribers ?? []);
  const relay = openRelay({ platform, feed, subscribers });

  const http = createHttp(config, log, options);
  const load = watchLoad(http, lateness);
  const { authenticator } = context;
  const { requireChangeable } = billing;
  const dispatcher = createDispatcher({ platform, services, handlers, authenticator, audit, load, requireChangeable });
  const sandbox = isWeb ? await addPayments(http, { platform, billing }) : undefined;
  const served = isWeb ? await Promise.all(modules.map((module) => module.serve?.(http) ?? {})) : [];
  if (isWeb) await addWeb(http, { context, dispatcher, documents });
  addHealth(http, {
    config,
    database,
    checks: served.flatMap(({ check }) => check ?? []),
    metrics: [
      ...[...modules, ...served].flatMap(({ metrics }) => metrics ?? []),
      jobMetrics({ database, names: Object.keys(JOBS) }),
      connectionMetrics(database),
      ...(isWeb ? [load.metrics] : []),
    ],
  });

  await jobs.work(Object.assign({}, relay.work, ...modules.map(({ work }) => work)));
  if (isWorker) {
    relay.start();
    for (const module of modules) module.start?.();
    // The payment sandbox answers at this process's own port.
    if (billing.provider && recurring !== false)
      http.addHook('onListen', () => database.transaction({}, (db) => jobs.queue(db, 'billing.catch-up', {})));
  }

  return {
    http,
    platform,
    sandbox,
    isPassword: pool.isPassword,
    reachPool: pool.reach,
    inviteOperators: () => inviteOperators({ platform, pool, sendMail }),
    async signUp(db, person) {
      const { taken } = await pool.signUp(db, { ...person, name: '', confirmed: true });
      if (taken) throw new Error('The sample address is already in use.');
    },
    async stop() {
      await sandbox?.stop();
      await http.close();
      await relay.stop();
      await Promise.all(modules.map((module) => module.stop?.()));
      await jobs.stop();
      context.pictures.stop();
      mailer.stop();
      pool.stop();
      await pubsub.stop();
      await database.stop();
    },
  };
}
