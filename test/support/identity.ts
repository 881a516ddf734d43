import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { pino } from 'pino';
import { MINUTE } from '#contract/core/time.ts';
import { ACCOUNT_ID } from '#fixtures/business.ts';
import * as accounts from '../../server/account/store.ts';
import * as subscriptions from '../../server/billing/store.ts';
import { openIdentity } from '../../server/identity/identity.ts';
import type { Identity } from '../../server/identity/port.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { type Database, openDatabase } from '../../server/platform/database/database.ts';
import { createHttp } from '../../server/platform/http/http.ts';
import { errorForLog } from '../../server/platform/log/log.ts';
import type { SendMail } from '../../server/platform/mailer/send-mail.ts';
import { openSecret } from '../../server/platform/secret.ts';
import { asPerson, inAccount } from '../../server/platform/tenancy/access.ts';
import * as users from '../../server/user/store.ts';
import { openDirectory } from '../../server/workflows/directory.ts';
import { cloneDatabase, type TestDatabase } from './postgres/database.ts';

export const PASSWORD = 'correct horse battery';

/** The user pool on a separate database, called over its protocol. */
export interface TestPool {
  readonly identity: Identity;
  readonly http: FastifyInstance;
  readonly database: Database;
  /** The log lines. */
  readonly log: string[];
  /** Starts listening on the first call, and returns the address. */
  url(): Promise<string>;
  /** Moves the pool's clock (ms). */
  advance(ms: number): void;
  now(): number;
  /** Adds a person to the sample account who can sign in. */
  add(email?: string, options?: { confirmed?: boolean }): Promise<{ sub: string; email: string }>;
  /** Returns the committed mails to an address, oldest first. */
  mailsTo(email: string): Promise<{ name: string; props: Record<string, string> }[]>;
  /** Returns the last mailed code. */
  codeFor(email: string): Promise<string>;
  /** Calls an action of the protocol. */
  call(action: string, body: object, options?: CallOptions): Promise<PoolAnswer>;
  signIn(email: string, options?: CallOptions & { password?: string; deviceKey?: string | undefined }): Promise<PoolAnswer>;
  /** Returns the user id that the data API resolves from an access token, or an error code. */
  admitted(accessToken: string): Promise<string>;
  stored<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  /** Opens another pool on the same database, as another process would. */
  openAnotherProcess(settings?: NodeJS.ProcessEnv): Promise<TestPool>;
  stop(): Promise<void>;
}

export interface CallOptions {
  /** The IP address that the call comes from. */
  readonly from?: string;
  /** The client's invocation id, the same for retries. */
  readonly invocation?: string;
}

export interface PoolAnswer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a response that a test reads without types
  readonly body: any;
}

/** The tokens that a client stores after a sign-in. */
export interface WireTokens {
  AccessToken: string;
  RefreshToken: string;
}

/** Calls `make` again until the codes in its result differ: two random codes are equal once in a million. */
export async function makeUntil<Result>(areDifferent: (result: Result) => boolean, make: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; tries < 5; tries += 1) {
    const result = await make();
    if (areDifferent(result)) return result;
  }
  throw new Error('The codes were equal five times');
}

/** Creates a table of mails, which roll back with their transaction as in the product. */
async function createMailTable({ stored }: TestDatabase): Promise<void> {
  await stored('create table mail (id bigint generated always as identity, name text not null, props jsonb not null)');
  await stored('grant select, insert on mail to afterword_app');
}

const sendMail: SendMail = async ({ db }, { to, reason, props }) => {
  await db.$client.query('insert into mail (name, props) values ($1, $2)', [reason, JSON.stringify({ email: to, ...props })]);
  return { id: 'DELIVERY_a1B2c3D4e5', subject: reason };
};

interface TestPoolOptions {
  readonly settings?: NodeJS.ProcessEnv;
  readonly database?: TestDatabase;
  readonly dataDir?: string;
  /** The time (UTC ms), which only `advance` moves, so that no test depends on the machine's speed. */
  readonly clock?: { at: number };
}

export async function openTestPool(options: TestPoolOptions = {}): Promise<TestPool> {
  const clone = options.database ?? (await cloneDatabase());
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'afterword-identity-')));
  const clock = options.clock ?? { at: Date.now() };
  const log: string[] = [];
  const logger = pino({ level: 'trace', serializers: { err: errorForLog } }, { write: (line: string) => void log.push(line) });
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: 'http://pool.test', TRUSTED_PROXIES: '1', ...options.settings });
  const now = () => clock.at;
  const database = openDatabase({ connection: clone.app, onError: () => undefined });
  const platform = { config, secret: await openSecret(config), log: logger, database, now, random: (size: number) => randomBytes(size) };
  if (!options.database) await createMailTable(clone);
  const identity = await openIdentity(platform, { directory: openDirectory(platform), sendMail });
  // A long timeout, so that a slow machine doesn't answer a request that a test delays.
  const http = createHttp(config, logger, { handlerTimeout: 10 * MINUTE });
  identity.addRoutes(http);

  const pool: TestPool = {
    identity,
    http,
    database,
    log,
    now,
    async url() {
      if (!http.server.listening) await http.listen({ host: '127.0.0.1', port: 0 });
      // A listening server has a port.
      return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
    },
    advance(ms) {
      clock.at += ms;
    },
    async add(email = `${randomUUID()}@pool.test`, { confirmed = true } = {}) {
      const sub = randomUUID();
      await inAccount({ database, now }, { accountId: ACCOUNT_ID, actor: `USER_${sub}` }, async (scope) => {
        const created = new Date(now());
        if (!(await accounts.byScope(scope))) {
          await accounts.insert(scope, { created, displayName: 'Harbor Coffee' });
          await subscriptions.insert(scope, { status: 'active' });
        }
        const id = `USER_${sub}`;
        await users.insert(scope, { id, created, createdBy: id, displayName: 'Dana Moss', emailAddress: email, level: 'admin' });
        const { taken } = await identity.signUp(scope.db, { sub, email, name: 'Dana Moss', password: PASSWORD, confirmed });
        if (taken) throw new Error(`${email} is taken`);
      });
      return { sub, email };
    },
    mailsTo: (email) => pool.stored("select name, props from mail where props->>'email' = $1 order by id", [email.toLowerCase()]),
    async codeFor(email) {
      const code = (await pool.mailsTo(email)).flatMap(({ props }) => props['code'] ?? []).at(-1);
      if (code === undefined) throw new Error(`No code was mailed to ${email}`);
      return code;
    },
    async call(action, body, { from = '198.51.100.1', invocation } = {}) {
      const answer = await http.inject({
        method: 'POST',
        url: '/api/identity',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
          'x-forwarded-for': from,
          ...(invocation !== undefined && { 'amz-sdk-invocation-id': invocation }),
        },
        payload: JSON.stringify(body),
      });
      return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: answer.json() };
    },
    signIn(email, { password = PASSWORD, deviceKey, ...options } = {}) {
      const parameters = { USERNAME: email, PASSWORD: password, ...(deviceKey !== undefined && { DEVICE_KEY: deviceKey }) };
      const ClientId = identity.config.userPoolClientId;
      return pool.call('InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', ClientId, AuthParameters: parameters }, options);
    },
    async admitted(accessToken) {
      const request = { authorization: `Bearer ${accessToken}`, access: 'member' } as const;
      const admission = asPerson({ database, now, authenticator: identity.authenticator }, request, async ({ userId }) => userId);
      return admission.catch((error: { code?: string }) => error.code ?? 'broken');
    },
    stored: clone.stored,
    openAnotherProcess: (settings) => openTestPool({ settings: { ...options.settings, ...settings }, database: clone, dataDir, clock }),
    async stop() {
      await http.close();
      identity.stop();
      await database.stop();
      if (options.database) return;
      await clone.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return pool;
}
