import { access, constants, mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { AFTERWORD } from './afterword.ts';
import { type App, createApp } from './app.ts';
import { JOBS } from './jobs.ts';
import { type Config, ConfigError } from './kernel/config.ts';
import type { ConnectionSettings } from './kernel/database.ts';
import { migrate } from './kernel/migrate.ts';
import { connectTo } from './kernel/primary.ts';
import { startEmbeddedPostgres } from './postgres/postgres.ts';
import { loadSample, planSample, type Sample } from './sample.ts';

/** The running product. */
export interface Running {
  readonly app: App;
  /** Where the sample business is loaded. */
  readonly sample: Sample | undefined;
  stop(): Promise<void>;
}

/** Database, schema, app, user pool, sample business, listening: in this order, and back in the other. */
export async function start(config: Config, log: Logger): Promise<Running> {
  const server = await openServer(config, log);
  try {
    const app = await createApp({ config, log, connection: await bringUpToDate(config, { owner: server.owner, log }) });
    try {
      await app.reachPool();
      const sample = await loadSample(app, config);
      await app.http.listen({ host: config.host, port: config.port, backlog: BACKLOG });
      return { app, sample, stop: () => app.stop().finally(server.stop) };
    } catch (error) {
      await app.stop();
      throw error;
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** How many may wait to be accepted: a crowd arrives at once. The system may allow fewer. */
const BACKLOG = 4_096;

interface Server {
  readonly owner: ConnectionSettings;
  readonly stop: () => Promise<void>;
}

async function openServer(config: Config, log: Logger): Promise<Server> {
  await openDataDir(config.dataDir);
  await planSample(config);
  if (config.database) return { owner: connectTo(config.database.url, log), stop: async () => undefined };
  const postgres = await startEmbeddedPostgres({ application: AFTERWORD, dataDir: config.dataDir, log });
  return { owner: postgres.connection, stop: () => postgres.stop() };
}

async function openDataDir(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`DATA_DIR is "${folder}", which this user cannot write to (${code}); it should be a folder of this user's.`, {
      cause: error,
    });
  }
}

function bringUpToDate(
  { database, allowVolatile }: Config,
  { owner, log }: { owner: ConnectionSettings; log: Logger },
): Promise<ConnectionSettings> {
  const app = database?.appUrl === undefined ? undefined : connectTo(database.appUrl, log);
  return migrate({ owner, app, jobs: Object.keys(JOBS), allowVolatile });
}
