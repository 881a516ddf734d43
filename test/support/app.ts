import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import PostalMime from 'postal-mime';
import { vi } from 'vitest';
import { seed } from '#database/seed.ts';
import { dana } from '#fixtures/business.ts';
import { type App, createApp } from '../../server/app.ts';
import type { Intake } from '../../server/feedback/intake.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import type { Platform } from '../../server/platform/context.ts';
import type { ConnectionSettings } from '../../server/platform/database/database.ts';
import type { Lateness } from '../../server/platform/http/load-shedding.ts';
import { createLog } from '../../server/platform/log/log.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';

/** The whole product with the sample business, on a database of its own; asked through its front door. */
export interface TestApp {
  readonly app: App;
  /** Calls an operation, with an access token or without. */
  call(service: string, action: string, sent?: object, token?: string): Promise<Answered>;
  /** Signs in through the identity pool; gives the access token. */
  signIn(email?: string, password?: string): Promise<string>;
  /** Calls an action of the identity pool. */
  pool(action: string, sent: object): Promise<Answered>;
  /** The newest mail to an address that says this; waits until it has come. */
  mailTo(address: string, saying: string | RegExp): Promise<string>;
  /** Looks at what is stored, past row security. */
  stored<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  /** A connection past row security, for a test that holds something. The caller ends it. */
  connect(): Promise<pg.Client>;
  /** How the product connects: for another process of it. */
  readonly connection: ConnectionSettings;
  /** How the owner of its tables connects. */
  readonly owner: ConnectionSettings;
  /** Moves the product's clock (ms). */
  advance(ms: number): void;
  /** What the product wrote to its log. */
  readonly log: string[];
  stop(): Promise<void>;
}

export interface Answered {
  readonly status: number;
  readonly headers: LightMyRequestResponse['headers'];
  // Tests look into it by name; the contract is checked by the product itself.
  // biome-ignore lint/suspicious/noExplicitAny: an answer that a test takes apart
  readonly body: any;
}

export const SAMPLE_PASSWORD = 'correct horse battery';

interface TestAppOptions {
  readonly settings?: NodeJS.ProcessEnv;
  readonly intake?: (platform: Platform) => Intake;
  /** A clock (UTC ms) in place of this machine's. */
  readonly clock?: () => number;
  /** Another interval between the checks of live streams (ms). */
  readonly beat?: number;
  /** How late this process comes to its work; in time, unless it is given: tests share a machine, and are not refused for it. */
  readonly lateness?: Lateness;
  /** Changes how the product connects to its database, such as through a proxy. */
  readonly connectThrough?: (connection: ConnectionSettings) => Promise<ConnectionSettings>;
  /** Adds more than the sample business, such as another account. */
  readonly also?: (app: App) => Promise<unknown>;
}

const IN_TIME: Lateness = { sample: () => 0, stop: () => undefined };

/** How long a test waits for a connection of a busy machine (ms); tests of the product's own patience replace `connectThrough`. */
const PATIENCE = 10_000;

export async function openTestApp({
  settings = {},
  intake,
  clock = Date.now,
  beat,
  lateness = IN_TIME,
  also,
  connectThrough = async (connection) => ({ ...connection, connectionTimeoutMillis: PATIENCE }),
}: TestAppOptions = {}): Promise<TestApp> {
  const database = await cloneDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-app-'));
  const log: string[] = [];
  let ahead = 0;
  const app = await createApp({
    config: readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://of-this-test/alone', BILLING: 'none', ...settings }),
    log: createLog({ logLevel: 'info' }, { write: (line) => void log.push(line) }),
    connection: await connectThrough(database.app),
    now: () => clock() + ahead,
    ...(intake && { intake }),
    beat,
    lateness,
    recurring: false,
  });
  await seed({ platform: app.platform, signUp: app.signUp, password: SAMPLE_PASSWORD });
  await also?.(app);

  return {
    app,
    log,
    async call(service, action, sent = {}, token) {
      const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      return answered(await app.http.inject({ method: 'POST', url: '/api/data', headers, payload: { service, action, ...sent } }));
    },
    signIn: (email = dana.data.emailAddress, password = SAMPLE_PASSWORD) => signIn(app, { email, password }),
    pool: (action, sent) => pool(app, action, sent),
    mailTo: (address, saying) => vi.waitFor(() => newestMail(path.join(dataDir, 'outbox'), { address, saying }), MAIL_WITHIN),
    stored: database.stored,
    connect: () => connect(database),
    connection: database.app,
    owner: database.owner,
    advance(ms) {
      ahead += ms;
    },
    async stop() {
      await app.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export function answered(response: LightMyRequestResponse): Answered {
  const isJson = /json/.test(String(response.headers['content-type'] ?? ''));
  return { status: response.statusCode, headers: response.headers, body: isJson ? response.json() : response.body };
}

async function signIn(app: App, { email, password }: { email: string; password: string }): Promise<string> {
  const { body } = await pool(app, 'InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: email, PASSWORD: password },
  });
  if (!body.AuthenticationResult) throw new Error(`${email} could not sign in: ${JSON.stringify(body)}`);
  return body.AuthenticationResult.AccessToken;
}

async function pool({ http }: App, action: string, sent: object): Promise<Answered> {
  const { identity } = (await http.inject('/api/config')).json() as { identity: { userPoolClientId: string } };
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AWSCognitoIdentityProviderService.${action}` };
  const payload = JSON.stringify({ ClientId: identity.userPoolClientId, ...sent });
  return answered(await http.inject({ method: 'POST', url: '/api/identity', headers, payload }));
}

const MAIL_WITHIN = { timeout: 60_000, interval: 50 };

async function newestMail(folder: string, { address, saying }: { address: string; saying: string | RegExp }): Promise<string> {
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse();
  for (const name of names) {
    const { to, text = '', subject = '' } = await PostalMime.parse(await readFile(path.join(folder, name)));
    const all = `${subject}\n${text}`;
    if (to?.[0]?.address === address && (typeof saying === 'string' ? all.includes(saying) : saying.test(all))) return all;
  }
  throw new Error(`No mail to ${address} says ${saying}`);
}

async function connect({ owner }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client(owner);
  await client.connect();
  return client;
}
