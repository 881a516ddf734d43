import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.ts';
import { CLIENT_ID, POOL_ID } from '../../test/support/cognito/actions.ts';
import { type CognitoStandIn, openCognito } from '../../test/support/cognito/cognito.ts';
import { type HostedStandIn, openHostedLogin } from '../../test/support/cognito/hosted.ts';
import { launch } from './chromium.ts';
import { type BrowserVisit, type VisitOptions, visit } from './journey.ts';

/** The product in a separate process that uses Cognito's stand-in, and a real browser to visit it with. */
export interface CognitoJourney {
  readonly address: string;
  readonly cognito: CognitoStandIn;
  readonly hosted: HostedStandIn;
  visit(options?: VisitOptions): Promise<BrowserVisit>;
  stop(): Promise<void>;
}

export const OPERATOR = 'olga@pool.test';

export async function openCognitoJourney(): Promise<CognitoJourney> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const cognito = await openCognito(Date.now);
  const hosted = await openHostedLogin({ cognito, callbacks: [`${address}/`] });
  const product = await startProduct({
    PORT: String(port),
    PUBLIC_URL: address,
    COGNITO_ENDPOINT: cognito.url,
    COGNITO_DOMAIN: hosted.domain,
    OPERATOR_EMAILS: OPERATOR,
    BILLING: 'sandbox',
  });
  await ready(address, product);
  const browser = await launch();
  return {
    address,
    cognito,
    hosted,
    // The stand-in's certificate is self-signed.
    visit: ({ expected, ...options } = {}) =>
      visit(browser, { baseURL: address, ignoreHTTPSErrors: true, expected: orBusy(expected), ...options }),
    async stop() {
      await browser.close();
      await product.stop();
      await hosted.stop();
      await cognito.stop();
    },
  };
}

/** Allows 503 as well: a separate process sheds load on a busy machine, and its pages retry. */
const orBusy = (expected: RegExp | undefined): RegExp => new RegExp(expected ? `${expected.source}|status of 503` : 'status of 503');

/** A product process and its output. */
interface ProductProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  stop(): Promise<void>;
}

export async function startProduct(settings: NodeJS.ProcessEnv): Promise<ProductProcess> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-cognito-'));
  const { DATABASE_URL: _tests, ...env } = process.env;
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...env,
      NODE_ENV: '',
      IDENTITY: 'cognito',
      COGNITO_USER_POOL_ID: POOL_ID,
      COGNITO_CLIENT_ID: CLIENT_ID,
      AWS_ACCESS_KEY_ID: 'of-a-test',
      AWS_SECRET_ACCESS_KEY: 'of-a-test',
      DATA_DIR: dataDir,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()));
  return {
    child,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function ready(address: string, { child, output }: ProductProcess): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`${address}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error(`The product could not be started: ${output()}`);
}
