import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Application, Log } from './application.ts';
import { ensurePassword, readPassword } from './authentication.ts';
import { findBinaries } from './binaries.ts';
import { type Cluster, ensureCluster } from './cluster.ts';
import { addressOf } from './configuration.ts';
import { findDataDirectory } from './data-directory.ts';
import { inPlainWords } from './errors.ts';
import { runningPostmaster } from './lock-files.ts';
import { ensureDatabase } from './product-database.ts';
import { supervise } from './restart.ts';
import { endHold, type Hold, takeHold } from './startup.ts';

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
  /** Clean stop: everything acknowledged is on disk before it resolves. Ends the supervision first. */
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
  readonly supervise?: boolean;
}

/**
 * Runs a real PostgreSQL on `dataDir/postgres`: makes the database at the first start, adopts or replaces a server
 * that a killed process left behind. Throws an `EmbeddedPostgresError` in plain words where it cannot.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const cluster = await prepare(options);
    const hold = await takeHold(cluster, { signal: new AbortController().signal });
    return await handOver(cluster, { hold, supervised: options.supervise ?? true });
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

async function handOver(cluster: Cluster, { hold, supervised }: { hold: Hold; supervised: boolean }): Promise<EmbeddedPostgres> {
  try {
    await ensureDatabase(hold.client, cluster.application);
  } catch (error) {
    await endHold(cluster, hold);
    throw error;
  }
  const supervision = supervised ? supervise(cluster, hold) : undefined;
  const { name } = cluster.application;
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await endHold(cluster, (await supervision?.stop()) ?? hold);
  };
  return {
    connection: { ...hold.address, user: name, password: cluster.password, database: name },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
