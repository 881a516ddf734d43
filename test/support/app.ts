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
import type { DelayMeter } from '../../server/platform/http/load-shedding.ts';
import { createLog } from '../../server/platform/log/log.ts';
import { PATIENT } from './patience.ts';
import { openPatientPictures } from './pictures.ts';
import { cloneDatabase, type TestDatabase } from './postgres/database.ts';

/** The whole product with the sample business on a separate database, called through its API. */
export interface TestApp {
  readonly app: App;
  /** Calls an operation, with an access token or without. */
  call(service: string, action: string, input?: object, token?: string): Promise<Answered>;
  /** Signs in through the identity pool, and returns the access token. */
  signIn(email?: string, password?: string): Promise<string>;
  /** Calls an action of the identity pool. */
  pool(action: string, input: object): Promise<Answered>;
  /** Waits for a mail to an address that contains the text, and returns the newest. */
  mailTo(address: string, pattern: string | RegExp): Promise<string>;
  /** Runs a statement, bypassing row security, and returns its rows. */
  stored<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  /** Opens a connection that bypasses row security, for example to keep a lock; the caller ends it. */
  connect(): Promise<pg.Client>;
  /** The product's connection, for another process of it. */
  readonly connection: ConnectionSettings;
  /** The connection of the tables' owner. */
  readonly owner: ConnectionSettings;
  /** Moves the product's clock (ms). */
  advance(ms: number): void;
  /** The product's log lines. */
  readonly log: string[];
  stop(): Promise<void>;
}

export interface Answered {
  readonly status: number;
  readonly headers: LightMyRequestResponse['headers'];
  // The product itself checks the contract, so tests read fields without types.
  // biome-ignore lint/suspicious/noExplicitAny: a response that a test reads without types
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
  /** The measured event-loop lag; none by default, because tests share a machine and must not be refused for it. */
  readonly lateness?: DelayMeter;
  /** Changes how the product connects to its database, such as through a proxy. */
  readonly connectThrough?: (connection: ConnectionSettings) => Promise<ConnectionSettings>;
  /** Adds more than the sample business, such as another account. */
  readonly also?: (app: App) => Promise<unknown>;
}

const IN_TIME: DelayMeter = { sample: () => 0, stop: () => undefined };

export async function openTestApp({
  settings = {},
  intake,
  clock = Date.now,
  beat,
  lateness = IN_TIME,
  also,
  connectThrough = async (connection) => connection,
}: TestAppOptions = {}): Promise<TestApp> {
  const database = await cloneDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-app-'));
  const log: string[] = [];
  let offset = 0;
  const app = await createApp({
    config: readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://unused/database', BILLING: 'none', ...settings }),
    log: createLog({ logLevel: 'info' }, { write: (line) => void log.push(line) }),
    connection: await connectThrough(database.app),
    now: () => clock() + offset,
    ...(intake && { intake }),
    beat,
    lateness,
    pictures: openPatientPictures(),
    handlerTimeout: 100_000,
    recurring: false,
  });
  await seed({ platform: app.platform, signUp: app.signUp, password: SAMPLE_PASSWORD });
  await also?.(app);

  return {
    app,
    log,
    async call(service, action, input = {}, token) {
      const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      return answered(await app.http.inject({ method: 'POST', url: '/api/data', headers, payload: { service, action, ...input } }));
    },
    signIn: (email = dana.data.emailAddress, password = SAMPLE_PASSWORD) => signIn(app, { email, password }),
    pool: (action, input) => pool(app, action, input),
    mailTo: (address, pattern) => vi.waitFor(() => newestMail(path.join(dataDir, 'outbox'), { address, pattern }), PATIENT),
    stored: database.stored,
    connect: () => connect(database),
    connection: database.app,
    owner: database.owner,
    advance(ms) {
      offset += ms;
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

async function pool({ http }: App, action: string, input: object): Promise<Answered> {
  const { identity } = (await http.inject('/api/config')).json() as { identity: { userPoolClientId: string } };
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AWSCognitoIdentityProviderService.${action}` };
  const payload = JSON.stringify({ ClientId: identity.userPoolClientId, ...input });
  return answered(await http.inject({ method: 'POST', url: '/api/identity', headers, payload }));
}

async function newestMail(folder: string, { address, pattern }: { address: string; pattern: string | RegExp }): Promise<string> {
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse();
  for (const name of names) {
    const { to, text = '', subject = '' } = await PostalMime.parse(await readFile(path.join(folder, name)));
    const all = `${subject}\n${text}`;
    if (to?.[0]?.address === address && (typeof pattern === 'string' ? all.includes(pattern) : pattern.test(all))) return all;
  }
  throw new Error(`No mail to ${address} contains ${pattern}`);
}

async function connect({ owner }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client(owner);
  // A failed test leaves its connection open until its database is dropped, which isn't another failure.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
