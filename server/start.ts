import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { makePassword, SAMPLE_EMAIL, seed } from '#database/seed.ts';
import { type App, createApp } from './app.ts';
import type { Config } from './kernel/config.ts';
import type { Connection } from './kernel/database.ts';
import { startEmbeddedPostgres } from './kernel/embedded-postgres.ts';
import { migrate } from './kernel/migrate.ts';

/** The running product. */
export interface Running {
  readonly app: App;
  /** How to sign in to the sample business, where it is loaded. */
  readonly sample: { readonly email: string; readonly password: string } | undefined;
  stop(): Promise<void>;
}

/** Database, schema, app, sample business, listening: in this order, and back in the other. */
export async function start(config: Config, log: Logger): Promise<Running> {
  const { owner, stop: stopServer } = await openServer(config, log);
  try {
    const { url: _url, appUrl } = config.database ?? { url: undefined, appUrl: undefined };
    const connection = await migrate({ owner, app: appUrl ? { connectionString: appUrl } : undefined, allowVolatile: config.allowVolatile });
    const app = await createApp({ config, log, connection });
    const sample = await loadSample(app, config);
    await app.http.listen({ host: config.host, port: config.port });
    return {
      app,
      sample,
      async stop() {
        await app.stop();
        await stopServer();
      },
    };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

async function openServer(config: Config, log: Logger): Promise<{ owner: Connection; stop: () => Promise<void> }> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  if (config.database) return { owner: { connectionString: config.database.url }, stop: async () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  return { owner: postgres.connection, stop: () => postgres.stop() };
}

const PASSWORD_FILE = 'sample-password.txt';

/** The sample business gets a password of this folder's own, so that no installation has a known one. */
async function loadSample({ kernel, signUp }: App, config: Config): Promise<Running['sample']> {
  const file = path.join(config.dataDir, PASSWORD_FILE);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  const wanted = config.seed ?? (config.production || config.database ? 'none' : 'demo');
  if (wanted === 'demo' && kept === undefined) {
    const password = makePassword();
    if (await seed({ kernel, signUp, password })) {
      await writeFile(file, password, { mode: 0o600 });
      await chmod(file, 0o600);
      return { email: SAMPLE_EMAIL, password };
    }
  }
  return kept === undefined ? undefined : { email: SAMPLE_EMAIL, password: kept };
}
