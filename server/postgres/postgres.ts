import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Application, Log } from './application.ts';
import { ensurePassword, readPassword } from './authentication.ts';
import { findBinaries } from './binaries.ts';
import { type Cluster, ensureCluster } from './cluster.ts';
import { addressOf } from './configuration.ts';
import { findDataDirectory } from './data-directory.ts';
import { inPlainWords } from './errors.ts';
import { type Lease, stopLeasedServer } from './lease.ts';
import { runningPostmaster } from './lock-files.ts';
import { restartWhenLost } from './restart.ts';
import { adoptOrStart } from './startup.ts';

export type { Application } from './application.ts';
export { EmbeddedPostgresError } from './errors.ts';

export interface EmbeddedPostgres {
  readonly connection: SuperuserConnection;
  /** Shuts the server down cleanly, without a restart. */
  stop(): Promise<void>;
}

/** The superuser's connection options for `pg`. `host` is the socket's folder, or 127.0.0.1. */
interface SuperuserConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface EmbeddedPostgresOptions {
  readonly application: Application;
  /** Created if it is missing. */
  readonly dataDir: string;
  readonly log: Log;
  /** PostgreSQL settings, such as `fsync: 'off'` for tests, which override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Aborts a start in progress and stops its server. */
  readonly signal?: AbortSignal;
  /** Restarts a server that exits; true by default. */
  readonly restart?: boolean;
}

/**
 * Starts PostgreSQL on `dataDir/postgres`: creates the database at the first start, and adopts or replaces a server that a
 * killed process left running. Throws an `EmbeddedPostgresError` if it can't.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const cluster = await prepare(options);
    const lease = await adoptOrStart(cluster, { signal: options.signal ?? new AbortController().signal });
    return await open(cluster, { lease, restart: options.restart ?? true });
  } catch (error) {
    throw inPlainWords(error, options);
  }
}

interface RunningPostgres {
  /** The postmaster's process id. */
  readonly pid: number;
  readonly connection: SuperuserConnection;
}

/** Returns the server running on `dataDir/postgres`, if any, whichever process started it. */
export async function findEmbeddedPostgres({
  application: { name },
  dataDir,
}: Pick<EmbeddedPostgresOptions, 'application' | 'dataDir'>): Promise<RunningPostgres | undefined> {
  const pgdata = await realpath(path.join(dataDir, 'postgres')).catch(() => undefined);
  const server = pgdata && (await runningPostmaster(pgdata));
  if (!server) return undefined;
  const password = await readPassword(dataDir);
  return { pid: server.pid, connection: { ...addressOf(pgdata, server), user: name, password, database: name } };
}

async function prepare({ application, dataDir, log, settings = {} }: EmbeddedPostgresOptions): Promise<Cluster> {
  const directory = await findDataDirectory({ application, dataDir: path.resolve(dataDir), log });
  const binaries = await findBinaries(directory);
  const password = await ensurePassword(directory);
  const cluster = { ...directory, binaries, password, settings, log };
  await ensureCluster(cluster);
  return cluster;
}

async function open(cluster: Cluster, { lease, restart }: { lease: Lease; restart: boolean }): Promise<EmbeddedPostgres> {
  const { name } = cluster.application;
  try {
    await ensureDatabase(lease.client, name);
  } catch (error) {
    await stopLeasedServer(cluster, lease);
    throw error;
  }
  const restarts = restart ? restartWhenLost(cluster, lease) : undefined;
  const stop = async (): Promise<void> => stopLeasedServer(cluster, (await restarts?.stop()) ?? lease);
  let stopping: Promise<void> | undefined;
  return {
    connection: { ...lease.address, user: name, password: cluster.password, database: name },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/**
 * Messages of level `error` quote a statement's input ("invalid input syntax for type uuid: …"), and the application receives
 * them anyway. So sessions of its database log only messages about the server; background processes still log everything.
 */
const QUIET = 'log_min_messages=log';

/** Creates the application's database in two steps, either of which an interrupted start may have missed. */
async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ quiet: boolean }>(
    `select exists (select from pg_db_role_setting s where s.setdatabase = d.oid and $2 = any (s.setconfig)) as quiet
     from pg_database d where d.datname = $1`,
    [name, QUIET],
  );
  if (rows.length === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  if (!rows[0]?.quiet) await client.query(`alter database ${client.escapeIdentifier(name)} set ${QUIET}`);
}
