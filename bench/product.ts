import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { dana } from '#fixtures/business.ts';
import { freePort } from '../scripts/free-port.ts';
import { ENVIRONMENT, FLAGS } from '../scripts/process.mjs';
import { AFTERWORD } from '../server/afterword.ts';
import { findEmbeddedPostgres } from '../server/postgres/postgres.ts';

/** The product as in production: a separate process on its embedded PostgreSQL with fsync on. */
export interface BenchProduct {
  readonly address: string;
  /** The process ids of the product and of its PostgreSQL. */
  readonly pid: number;
  readonly postgres: number;
  /** Opens a connection as the tables' owner. */
  connect(): Promise<pg.Client>;
  /** Returns an access token of someone in the sample business, by default the admin. */
  signIn(email?: string): Promise<string>;
  /** Returns the user pool's client and the sample business's password. */
  pool(): Promise<{ clientId: string; password: string }>;
  stop(): Promise<void>;
}

const ROOT = path.join(import.meta.dirname, '..');

/** Starts this product, or another version in `root`, which must be installed and built. */
export async function startProduct(root = ROOT): Promise<BenchProduct> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-bench-'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...FLAGS, 'server/main.ts'], {
    cwd: root,
    env: {
      ...ENVIRONMENT,
      ...process.env,
      NODE_ENV: 'production',
      SEED: 'demo',
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      TRUSTED_PROXIES: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await ready(address, child);
  return {
    address,
    pid: child.pid ?? 0,
    postgres: Number.parseInt(await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10),
    async connect() {
      const client = new pg.Client((await findEmbeddedPostgres({ application: AFTERWORD, dataDir }))?.connection);
      await client.connect();
      return client;
    },
    async signIn(email = dana.data.emailAddress) {
      return signIn(address, { email, ...(await pool()) });
    },
    pool,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(dataDir, { recursive: true, force: true });
    },
  };

  async function pool() {
    const { identity } = (await (await fetch(`${address}/api/config`)).json()) as { identity: { userPoolClientId: string } };
    const password = (await readFile(path.join(dataDir, 'sample-password.txt'), 'utf8')).trim();
    return { clientId: identity.userPoolClientId, password };
  }
}

async function ready(address: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`${address}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error('The product could not be started');
}

async function signIn(
  address: string,
  { clientId, email, password }: Readonly<Record<'clientId' | 'email' | 'password', string>>,
): Promise<string> {
  const answer = await fetch(`${address}/api/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' },
    body: JSON.stringify({
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: clientId,
      AuthParameters: { USERNAME: email, PASSWORD: password },
    }),
  });
  const { AuthenticationResult } = (await answer.json()) as { AuthenticationResult: { AccessToken: string } };
  return AuthenticationResult.AccessToken;
}
