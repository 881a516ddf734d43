import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Application, Log } from './application.ts';
import { ensurePassword, readPassword } from './authentication.ts';
import { findBinaries } from './binaries.ts';
import { type Cluster, ensureCluster } from './cluster.ts';
import { addressOf } from './configuration.ts';
import { findDataDirectory } from './data-directory.ts';
import { inPlainWords } from './errors.ts';
import { type Lease, stopLeasedServer } from './lease.ts';
import { runningPostmaster } from './lock-files.ts';
import { ensureDatabase } from './product-database.ts';
import { restartWhenLost } from './restart.ts';
import { adoptOrStart } from './startup.ts';

export type { Application } from './application.ts';
export { EmbeddedPostgresError } from './errors.ts';

export interface EmbeddedPostgres {
  /** How the owner connects: give these to `pg`. `host` is the socket's folder, or 127.0.0.1. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly password: string;
    readonly database: string;
  };
  /** Clean stop: everything acknowledged is on disk before it resolves. No restart follows. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly application: Application;
  /** Made if it is missing. */
  readonly dataDir: string;
  readonly log: Log;
  /** PostgreSQL settings beyond our own, such as `fsync: 'off'` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether a server that goes away is started again. */
  readonly restart?: boolean;
}

/**
 * Runs a real PostgreSQL on `dataDir/postgres`: makes the database at the first start, adopts or replaces a server
 * that a killed process left behind. Throws an `EmbeddedPostgresError` in plain words where it cannot.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const cluster = await prepare(options);
    const lease = await adoptOrStart(cluster, { signal: new AbortController().signal });
    return await handOver(cluster, { lease, restart: options.restart ?? true });
  } catch (error) {
    throw inPlainWords(error, options);
  }
}

/** How to connect to the server that another process runs on this folder; undefined when none runs. */
export async function findEmbeddedPostgres({
  application,
  dataDir,
}: {
  application: Application;
  dataDir: string;
}): Promise<EmbeddedPostgres['connection'] | undefined> {
  const pgdata = await realpath(path.join(dataDir, 'postgres'));
  const running = await runningPostmaster(pgdata);
  if (!running) return undefined;
  return { ...addressOf(pgdata, running), user: application.name, password: await readPassword(dataDir), database: application.name };
}

async function prepare({ application, dataDir, log, settings = {} }: EmbeddedOptions): Promise<Cluster> {
  const directory = await findDataDirectory({ application, dataDir: path.resolve(dataDir), log });
  const binaries = await findBinaries(directory);
  const password = await ensurePassword(directory);
  const cluster = { ...directory, binaries, password, settings, log };
  await ensureCluster(cluster);
  return cluster;
}

async function handOver(cluster: Cluster, { lease, restart }: { lease: Lease; restart: boolean }): Promise<EmbeddedPostgres> {
  try {
    await ensureDatabase(lease.client, cluster.application);
  } catch (error) {
    await stopLeasedServer(cluster, lease);
    throw error;
  }
  const restarts = restart ? restartWhenLost(cluster, lease) : undefined;
  const { name } = cluster.application;
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await stopLeasedServer(cluster, (await restarts?.stop()) ?? lease);
  };
  return {
    connection: { ...lease.address, user: name, password: cluster.password, database: name },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
