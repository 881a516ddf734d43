import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { subOf } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { services } from '#contract/services.ts';
import { openAlerts } from './alert/alert.ts';
import { addAssets } from './assets.ts';
import type { Billing } from './billing/billing.ts';
import { billingFigures } from './billing/figures.ts';
import { openPaymentProvider } from './billing/payments.ts';
import { addDashboard, addPushWorker, type Documents, openDocuments } from './dashboard.ts';
import { type FeedMessage, openEventFeed } from './event/feed.ts';
import { openRelay } from './event/relay.ts';
import { addStream } from './event/stream.ts';
import { addDownload } from './export/download.ts';
import type { Intake } from './feedback/intake.ts';
import { type FormDocument, openDocument } from './form/document.ts';
import { addFormPage } from './form/page.ts';
import { openIdentity } from './identity/identity.ts';
import type { Identity } from './identity/port.ts';
import { JOBS } from './jobs.ts';
import { openNotify } from './notification/bell.ts';
import { mailFigures } from './notification/figures.ts';
import { openMails } from './notification/mails.ts';
import { openPushes } from './notification/pushes.ts';
import { openPushSecrets } from './notification/secrets.ts';
import type { PaddleSandbox } from './paddle-sandbox/sandbox.ts';
import { addPayments } from './payments.ts';
import type { Config } from './platform/config/config.ts';
import type { Platform } from './platform/context.ts';
import { type ConnectionSettings, openDatabase, type Transaction } from './platform/database/database.ts';
import { connectionFigures, type Figures } from './platform/figures.ts';
import { addHealth } from './platform/http/health.ts';
import { createHttp } from './platform/http/http.ts';
import { type Lateness, watchLoad } from './platform/http/load-shedding.ts';
import { networkBehind } from './platform/http/local-networks.ts';
import { describeOperations } from './platform/http/operation-list.ts';
import { jobFigures } from './platform/jobs/figures.ts';
import { openJobs } from './platform/jobs/jobs.ts';
import { openPubSub } from './platform/live/pubsub.ts';
import { warnSeldom } from './platform/log/log.ts';
import { openMailer } from './platform/mailer/mailer.ts';
import { addOutboxPage, mailsFor } from './platform/mailer/page.ts';
import { openOutbound } from './platform/outbound/outbound.ts';
import { openSecret } from './platform/secret.ts';
import type { Authenticator } from './platform/tenancy/access.ts';
import { createDispatcher, type Dispatcher } from './platform/tenancy/dispatch.ts';
import { addLeaving } from './property/leaving.ts';
import { type OpenRooms, openRooms } from './rooms.ts';
import { withBilling } from './sample.ts';
import { addSite } from './site.ts';
import { subscribersWith } from './subscribers.ts';
import { webhookFigures } from './webhook/figures.ts';
import { openDirectory } from './workflows/directory.ts';
import { audit } from './workflows/operator.ts';
import { inviteOperators } from './workflows/operator-invitations.ts';

interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  /** How to connect as the role that works on an up-to-date schema. */
  readonly connection: ConnectionSettings;
  /** UTC ms. */
  readonly now?: () => number;
  /** Another way to store submissions, for the crash test's broken products. */
  readonly intake?: (platform: Platform) => Intake;
  /** Another interval between the checks of live streams, for tests (ms). */
  readonly beat?: number | undefined;
  /** Another answer to how late the process comes to its work, for tests. */
  readonly lateness?: Lateness | undefined;
  /** Another time that the payment sandbox waits with its events, for tests (ms). */
  readonly sandboxDelay?: number | undefined;
  /** False where nothing recurs by itself, for tests: their clock is another than that of the schedules. */
  readonly recurring?: false;
}

/** The product, ready to listen. */
export interface App {
  readonly http: FastifyInstance;
  readonly platform: Platform;
  /** What stands in for the payment provider, where it does. */
  readonly sandbox: PaddleSandbox | undefined;
  /** Makes somebody who can sign in at once, for the sample business. */
  readonly signUp: (db: Transaction, person: { sub: string; email: string; password: string }) => Promise<void>;
  /** Whether somebody signs in with this address and password, for the sample business. */
  readonly isPassword: (email: string, password: string) => Promise<boolean>;
  /** Looks whether the user pool is there. Throws a `ConfigError` where the settings name none. */
  readonly reachPool: () => Promise<void>;
  /** Mails a link to operators who cannot sign in yet. */
  readonly inviteOperators: () => Promise<void>;
  /** Stops in order: no new requests, everything accepted to disk, then the connections. */
  stop(): Promise<void>;
}

export async function createApp(options: AppOptions): Promise<App> {
  const { log, connection, now = Date.now, intake, beat, lateness, sandboxDelay, recurring } = options;
  const database = openDatabase({ connection, onError: warnSeldom(log, 'a database connection was lost') });
  const config = await withBilling(options.config, { database, now });
  const [document, documents, secret] = await Promise.all([openDocument(config), openDocuments(config), openSecret(config)]);
  const pubsub = openPubSub<FeedMessage>({ database, log });
  const feed = openEventFeed(pubsub);
  const jobs = await openJobs({ connection, policies: JOBS, log, works: config.roles.includes('worker'), recurring });
  const mailer = openMailer({ config, log, now });
  const platform: Platform = { config, secret, log, database, pubsub, jobs, mailer, now, random: (size) => randomBytes(size) };
  const mails = openMails(platform);
  const identity = await openIdentity(platform, { directory: openDirectory(platform), sendMail: mails.send });
  const { publicUrl: site, operatorEmails } = config;
  const notify = openNotify(platform);
  const pushSecrets = openPushSecrets(secret);
  // Push services answer at once, and an account's people share a few of them. docs/limits.md#outbound-host.
  const outbound = openOutbound({ config: config.outbound, limits: { total: 5_000, perHost: 10 } });
  const pushes = openPushes({ platform, outbound, secrets: pushSecrets, stands: standsBy(identity.authenticator) });
  const { ring } = pushes;
  const alerts = openAlerts({ platform, ...mails, notify, ring });
  const isTestMode = config.billing?.kind === 'sandbox';
  const subscribers = subscribersWith({
    send: mails.send,
    notify,
    ring,
    site,
    operatorEmails,
    isTestMode,
    random: platform.random,
    log,
    alerts,
  });
  const subscribedNames = subscribers.flatMap(({ eventNames }) => eventNames);
  const rooms = openRooms({
    platform,
    provider: openPaymentProvider(platform),
    feed,
    pool: identity,
    sendMail: mails.send,
    device: { outbound, pushes, secrets: pushSecrets },
    subscribedNames,
    intake: intake?.(platform),
  });
  const http = createHttp(config, log);
  const load = watchLoad(http, lateness);
  const dispatcher = createDispatcher({
    platform,
    services,
    rooms: rooms.handlers,
    authenticator: identity.authenticator,
    audit,
    load,
    requireChangeable: rooms.billing.requireChangeable,
  });

  const isServed = config.roles.includes('web');
  const sandbox = isServed ? await addPayments(http, { platform, billing: rooms.billing, sandboxDelay }) : undefined;
  const figures = isServed ? await addWeb() : [];
  addHealth(http, {
    config,
    database,
    checks: isServed ? [rooms.intake.check] : [],
    figures: [
      mailFigures(platform),
      webhookFigures(platform),
      ...(rooms.billing.provider ? [billingFigures(platform)] : []),
      jobFigures({ database, names: Object.keys(JOBS) }),
      connectionFigures(database),
      ...figures,
    ],
  });
  const relay = openRelay({ platform, feed, subscribers });
  await jobs.work({ ...mails.work, ...pushes.work, ...identity.work, ...rooms.work, ...alerts.work, ...relay.work });
  if (config.roles.includes('worker')) {
    relay.start();
    rooms.courier.start();
    // The sandbox answers at this process's own port.
    if (rooms.billing.provider && recurring !== false)
      http.addHook('onListen', () => database.transaction({}, (db) => jobs.queue(db, 'billing.catch-up', {})));
    alerts.watch.start();
  }

  return {
    http,
    platform,
    sandbox,
    isPassword: identity.isPassword,
    reachPool: identity.reach,
    inviteOperators: () => inviteOperators({ platform, pool: identity, sendMail: mails.send }),
    async signUp(db, person) {
      const { taken } = await identity.signUp(db, { ...person, name: '', confirmed: true });
      if (taken) throw new Error('Somebody signs in with the sample address already.');
    },
    async stop() {
      await sandbox?.stop();
      await http.close();
      await relay.stop();
      await rooms.courier.stop();
      await alerts.watch.stop();
      await rooms.drain();
      await jobs.stop();
      mailer.stop();
      identity.stop();
      await pubsub.stop();
      await database.stop();
    },
  };

  /** Everything that people and their programs ask for; a process that only works serves none of it. Gives how it fares. */
  async function addWeb(): Promise<Figures[]> {
    const streams = addStream(http, { platform, feed, authenticator: identity.authenticator, beat });
    addData(http, { dispatcher, config });
    const publicConfig = publicConfigOf({ config, identity, billing: rooms.billing });
    addFacts(http, publicConfig);
    addDownload(http, platform);
    addLeaving(http, platform);
    alerts.addPage(http, rooms.changeWork);
    addSite(http, config);
    identity.addRoutes(http);
    addOutboxPage(http, config);
    const origins = [...identity.origins, ...analyticsOrigins(config)];
    await addPages(http, { platform, rooms, dispatcher, document, documents, origins, publicConfig });
    return [streams, load.figures, rooms.intake.figures];
  }
}

/** Whether the sign-in that subscribed a device lasts: asked as each request of it would be. */
const standsBy =
  (authenticator: Authenticator): Parameters<typeof openPushes>[0]['stands'] =>
  async ({ db, accountId }, { userId, session: family, created: issued }) => {
    const claims = { sub: subOf(userId), userId, family, groups: [], signedIn: undefined, issued };
    const person = await authenticator.findPerson(db, claims);
    return person?.accountId === accountId && !person.isDeleted;
  };

function addData(http: FastifyInstance, { dispatcher, config }: { dispatcher: Dispatcher; config: Config }): void {
  http.post('/api/data', async (request, reply) => {
    const answer = await dispatcher.dispatch({
      body: request.body,
      authorization: request.headers.authorization,
      ...callOf(request, config),
    });
    return reply
      .code(isNotFound(answer) ? 404 : 200)
      .header('cache-control', 'no-store')
      .send(answer);
  });
}

const callOf = (request: FastifyRequest, config: Config) => ({
  address: request.ip,
  network: networkBehind(request, config),
  trace: request.trace,
});

/** Whether an operation answered `not found`, which also stands for another account's record: its HTTP status is 404. */
const isNotFound = (answer: unknown): boolean => (answer as { status?: unknown }).status === NOT_FOUND.status;

/** Where the team’s pages send what the analytics provider counts. */
const analyticsOrigins = ({ analytics }: Config): string[] => (analytics ? [analytics.host] : []);

const billingFacts = ({ provider }: Billing): PublicConfig['billing'] =>
  provider ? { kind: provider.kind, checkout: provider.checkout } : { kind: 'none' };

interface Facts {
  readonly config: Config;
  readonly identity: Identity;
  readonly billing: Billing;
}

/** What a page may know before anyone signs in, and from where it is asked. */
function publicConfigOf({ config, identity, billing }: Facts): (request: FastifyRequest) => PublicConfig {
  const facts: Omit<PublicConfig, 'mails'> = {
    identity: identity.config,
    billing: billingFacts(billing),
    registration: config.registration,
    analytics: config.analytics ? { enabled: true, ...config.analytics } : { enabled: false },
    website: config.website,
    publicUrl: config.publicUrl,
  };
  return (request) => ({ ...facts, mails: mailsFor(request, config) });
}

/** Serves what needs no sign-in: the public configuration, and the list of operations. */
function addFacts(http: FastifyInstance, publicConfig: (request: FastifyRequest) => PublicConfig): void {
  const operations = describeOperations(services);
  http.get('/api/config', async (request, reply) => reply.header('cache-control', 'no-cache').send(publicConfig(request)));
  http.get('/api/operations', async (_request, reply) => reply.header('cache-control', 'no-cache').send(operations));
}

interface Pages {
  readonly platform: Platform;
  readonly rooms: OpenRooms;
  readonly dispatcher: Dispatcher;
  readonly document: FormDocument;
  readonly documents: Documents;
  /** Where the team's pages connect to beside this site. */
  readonly origins: readonly string[];
  readonly publicConfig: (request: FastifyRequest) => PublicConfig;
}

async function addPages(
  http: FastifyInstance,
  { platform, rooms, dispatcher, document, documents, origins, publicConfig }: Pages,
): Promise<void> {
  await addAssets(http, platform.config);
  addFormPage(http, {
    platform,
    document,
    forms: rooms.forms,
    find: rooms.intake.find,
    isOver: rooms.intake.isOver,
    count: rooms.views.count,
    save: (request, sent) =>
      dispatcher.dispatch({
        body: { service: 'feedback', action: 'save', ...sent },
        authorization: undefined,
        ...callOf(request, platform.config),
      }),
  });
  await addPushWorker(http, platform.config);
  addDashboard(http, { documents, origins, publicConfig });
}
