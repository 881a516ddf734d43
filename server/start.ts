import { access, constants, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { AFTERWORD } from './afterword.ts';
import { type App, createApp } from './app.ts';
import { makeFolder } from './disk/folder.ts';
import { DISTRIBUTED } from './distributed.ts';
import { JOBS } from './jobs.ts';
import { type Config, ConfigError } from './platform/config/config.ts';
import type { ConnectionSettings } from './platform/database/database.ts';
import { migrate } from './platform/database/migrate.ts';
import { connectThroughPooler } from './platform/database/pooler.ts';
import { connectTo } from './platform/database/primary.ts';
import { listen } from './platform/http/listen.ts';
import { findEmbeddedPostgres, startEmbeddedPostgres } from './postgres/postgres.ts';
import { loadSample, planSample, type Sample } from './sample.ts';

/** The running product. */
export interface RunningProduct {
  readonly app: App;
  /** How to sign in to the sample business, if it's loaded. */
  readonly sample: Sample | undefined;
  stop(): Promise<void>;
}

/** Runs `work` as the role that owns the tables, whether or not the product is running. */
export async function asOwner<T>(config: Config, log: Logger, work: (owner: ConnectionSettings) => Promise<T>): Promise<T> {
  const running = config.database ? undefined : await findEmbeddedPostgres({ application: AFTERWORD, dataDir: config.dataDir });
  const server = running ? { owner: running.connection, stop: async () => undefined } : await openServer(config, log);
  try {
    return await work(server.owner);
  } finally {
    await server.stop();
  }
}

/** Throws a `ConfigError` if there is no database yet. */
export async function refuseMissing({ database, dataDir }: Config): Promise<void> {
  if (database) return;
  try {
    await access(path.join(dataDir, 'postgres'));
  } catch {
    throw new ConfigError(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for Afterword.`);
  }
}

/**
 * Starts database, schema, app, user pool, sample business and server in this order; stopping reverses it. If the signal is aborted,
 * it rejects once PostgreSQL has stopped.
 */
export async function start(config: Config, log: Logger, signal: AbortSignal = new AbortController().signal): Promise<RunningProduct> {
  await refuseUnbuilt(config);
  await openDataDir(config.dataDir);
  await planSample(config);
  const logStep = stepLogger(log);
  const server = await openServer(config, log, signal);
  // An external server is connected to later.
  if (!config.database) logStep('PostgreSQL accepts connections');
  try {
    const connection = await unlessAborted(signal, migrateDatabase(config, { owner: server.owner, log }));
    logStep('the database is up to date');
    const app = await createApp({ config, log, connection });
    try {
      await unlessAborted(signal, app.reachPool());
      // Finished even if the signal is aborted: the next start would take half a sample for a whole one.
      const sample = await loadSample(app);
      logStep('the product is loaded');
      await unlessAborted(signal, app.inviteOperators());
      await acceptConnections(app, config);
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

function unlessAborted<T>(signal: AbortSignal, step: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([aborted, step]);
}

/** Returns a function that logs a finished step with its duration (ms), because a first start takes seconds. */
function stepLogger(log: Logger): (step: string) => void {
  let start = performance.now();
  return (step) => {
    log.info({ ms: Math.round(performance.now() - start) }, step);
    start = performance.now();
  };
}

async function acceptConnections({ http }: App, { host, port }: Config): Promise<void> {
  try {
    await listen(http, { host, port });
  } catch (error) {
    const meaning = MEANINGS[(error as NodeJS.ErrnoException).code ?? ''];
    throw meaning ? new ConfigError(meaning({ host, port }), { cause: error }) : error;
  }
}

const noAddress = ({ host }: Pick<Config, 'host'>): string => `HOST is "${host}", which isn't an address of this machine.`;
const MEANINGS: Readonly<Record<string, (where: Pick<Config, 'host' | 'port'>) => string>> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use; set PORT to another.`,
  EACCES: ({ port }) => `This user may not listen on port ${port}; set PORT to 1024 or higher, and put a proxy in front.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
};

interface Server {
  readonly owner: ConnectionSettings;
  readonly stop: () => Promise<void>;
}

async function openServer(config: Config, log: Logger, signal?: AbortSignal): Promise<Server> {
  await openDataDir(config.dataDir);
  if (config.database) return { owner: connectTo(config.database.url, log), stop: async () => undefined };
  const postgres = await startEmbeddedPostgres({ application: AFTERWORD, dataDir: config.dataDir, log, ...(signal && { signal }) });
  return { owner: postgres.connection, stop: () => postgres.stop() };
}

/** Throws a `ConfigError` if `BUILT_DIR` lacks a file of the build. */
export async function refuseUnbuilt({ builtDir }: Config): Promise<void> {
  const parts = [
    'mail-server/entry-server.js',
    'form-server/entry-server.js',
    'public/form.json',
    'dashboard.html',
    'push-worker.js',
    'form-worker.js',
    'embed.js',
  ];
  const missing = await Promise.all(
    parts.map((part) =>
      access(path.join(builtDir, part)).then(
        () => [],
        () => [part],
      ),
    ),
  );
  const [first] = missing.flat();
  if (first === undefined) return;
  throw new ConfigError(`BUILT_DIR is "${builtDir}", which has no ${first}; it should be the folder of a build.`);
}

/** Creates the folder if it's missing. Throws a `ConfigError` if this user can't write to it. */
export async function openDataDir(folder: string): Promise<void> {
  const probe = path.join(folder, `.writable-${process.pid}`);
  try {
    await makeFolder(folder, 0o700);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // Root passes the access check, but some file systems still refuse to write.
    await writeFile(probe, '', { mode: 0o600 });
    await rm(probe);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A full disk is reported later, by the first write that needs space.
    if (code === 'ENOSPC' || code === 'EDQUOT') return;
    throw new ConfigError(`DATA_DIR is "${folder}", which this user can't write to (${code}); it should be a folder that this user owns.`, {
      cause: error,
    });
  }
}

async function migrateDatabase(
  { database, allowVolatile }: Config,
  { owner, log }: { owner: ConnectionSettings; log: Logger },
): Promise<ConnectionSettings> {
  const app = database?.appUrl === undefined ? undefined : connectTo(database.appUrl, log);
  const connection = await migrate({ owner, app, jobs: Object.keys(JOBS), allowVolatile, distributed: DISTRIBUTED });
  return connectThroughPooler(connection, database?.pooler);
}
