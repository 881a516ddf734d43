import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import { seed } from '#database/seed.ts';
import { dana } from '#fixtures/business.ts';
import { type App, createApp } from '../../server/app.ts';
import type { Intake } from '../../server/feedback/intake.ts';
import { readConfig } from '../../server/kernel/config.ts';
import type { Kernel } from '../../server/kernel/context.ts';
import { createLog } from '../../server/kernel/log.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';

/** The whole product with the sample business, on a database of its own; asked through its front door. */
export interface TestApp {
  readonly app: App;
  /** Calls an operation, as nobody or as somebody. */
  call(service: string, action: string, sent?: object, token?: string): Promise<Answered>;
  /** Signs in through the identity pool; gives the access token. */
  signIn(email?: string): Promise<string>;
  /** Looks at what is stored, past row security. */
  stored<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
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
  readonly intake?: (kernel: Kernel) => Intake;
  /** Another business beside the sample one. */
  readonly also?: (app: App) => Promise<unknown>;
}

export async function openTestApp({ settings = {}, intake, also }: TestAppOptions = {}): Promise<TestApp> {
  const database = await cloneDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-app-'));
  const log: string[] = [];
  let ahead = 0;
  const app = await createApp({
    config: readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://of-this-test/alone', ...settings }),
    log: createLog({ logLevel: 'info' }, { write: (line) => void log.push(line) }),
    connection: database.app,
    now: () => Date.now() + ahead,
    ...(intake && { intake }),
  });
  await seed({ kernel: app.kernel, signUp: app.signUp, password: SAMPLE_PASSWORD });
  await also?.(app);

  return {
    app,
    log,
    async call(service, action, sent = {}, token) {
      const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      return answered(await app.http.inject({ method: 'POST', url: '/api/data', headers, payload: { service, action, ...sent } }));
    },
    signIn: (email = dana.data.emailAddress) => signIn(app, email),
    stored: (sql, values) => look(database, { sql, values }),
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

async function signIn({ http }: App, email: string): Promise<string> {
  const { identity } = (await http.inject('/api/config')).json() as { identity: { userPoolClientId: string } };
  const answer = await http.inject({
    method: 'POST',
    url: '/api/identity',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' },
    payload: JSON.stringify({
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: identity.userPoolClientId,
      AuthParameters: { USERNAME: email, PASSWORD: SAMPLE_PASSWORD },
    }),
  });
  const { AuthenticationResult } = answer.json() as { AuthenticationResult?: { AccessToken: string } };
  if (!AuthenticationResult) throw new Error(`${email} could not sign in: ${answer.body}`);
  return AuthenticationResult.AccessToken;
}

async function look<T extends pg.QueryResultRow>(
  { owner }: TestDatabase,
  { sql, values }: { sql: string; values?: unknown[] | undefined },
): Promise<T[]> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
