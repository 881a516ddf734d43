import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { type CitusNode, type ClusterLogin, createClusterDatabase, dropClusterDatabase } from '../../scripts/cluster/databases.ts';
import { AFTERWORD } from '../../server/afterword.ts';
import { DISTRIBUTED } from '../../server/distributed.ts';
import { JOBS } from '../../server/jobs.ts';
import type { ConnectionSettings } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../server/postgres/postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The owner's connection to the server on which tests create their databases. */
    owner: ConnectionSettings;
    /** The product role's connection to the same server. */
    app: ConnectionSettings;
    /** The name of a migrated, empty database to clone. */
    template: string;
    /** The servers of the Citus cluster that DATABASE_URL names, if it does, the coordinator first. */
    nodes: CitusNode[] | undefined;
  }
}

/** Opens one real PostgreSQL for the whole run, from DATABASE_URL or embedded in a temporary folder, and returns its teardown. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer();
  const nodes = await nodesOf(server.owner);
  const template = `afterword_template_${process.pid}_${project.name.replace('-', '_')}`;
  await createDatabase({ owner: server.owner, nodes }, template);
  const app = await setUpSchema(inDatabase(server.owner, template));
  project.provide('owner', server.owner);
  project.provide('app', app);
  project.provide('template', template);
  project.provide('nodes', nodes);
  return async () => {
    await dropDatabase({ owner: server.owner, nodes }, template);
    await server.stop();
  };
}

interface DatabaseServers {
  readonly owner: ConnectionSettings;
  readonly nodes: readonly CitusNode[] | undefined;
}

/** Creates a database, which has a part on each server of a cluster. */
export async function createDatabase({ owner, nodes }: DatabaseServers, name: string): Promise<void> {
  if (nodes) await createClusterDatabase(nodes, loginOf(owner), name);
  else await query(owner, `create database ${name}`);
}

export async function dropDatabase({ owner, nodes }: DatabaseServers, name: string): Promise<void> {
  if (nodes) await dropClusterDatabase(nodes, loginOf(owner), name);
  else await query(owner, `drop database if exists ${name} with (force)`);
}

function loginOf({ connectionString = '' }: ConnectionSettings): ClusterLogin {
  const { username: user, password } = new URL(connectionString);
  return { user, password };
}

/** Migrates a database and returns the product role's connection. */
export const setUpSchema = (owner: ConnectionSettings): Promise<ConnectionSettings> =>
  migrate({ owner, jobs: Object.keys(JOBS), allowVolatile: true, distributed: DISTRIBUTED });

async function nodesOf(owner: ConnectionSettings): Promise<CitusNode[] | undefined> {
  const { rows: extensions } = await query(owner, `select from pg_extension where extname = 'citus'`);
  if (extensions.length === 0) return undefined;
  return (await query(owner, 'select nodename as host, nodeport as port from pg_dist_node order by groupid')).rows;
}

/** No test crashes the shared server, so nothing needs to reach the disk. */
const UNSAFE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

async function openServer(): Promise<{ owner: ConnectionSettings; stop: () => Promise<void> }> {
  const url = process.env['DATABASE_URL'];
  if (url) return { owner: { connectionString: url }, stop: async () => undefined };
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-test-'));
  const postgres = await startEmbeddedPostgres({ application: AFTERWORD, dataDir, log: pino({ level: 'warn' }), settings: UNSAFE });
  return {
    owner: postgres.connection,
    stop: async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the connection to another database on the same server. */
export function inDatabase(connection: ConnectionSettings, database: string): ConnectionSettings {
  if (connection.connectionString === undefined) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

export async function query(connection: ConnectionSettings, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
