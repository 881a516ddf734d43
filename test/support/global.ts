import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { AFTERWORD } from '../../server/afterword.ts';
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
  }
}

/** Opens one real PostgreSQL for the whole run, from DATABASE_URL or embedded in a temporary folder, and returns its teardown. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer();
  const template = `afterword_template_${process.pid}`;
  await query(server.owner, `create database ${template}`);
  const app = await migrate({ owner: inDatabase(server.owner, template), jobs: Object.keys(JOBS), allowVolatile: false });
  project.provide('owner', server.owner);
  project.provide('app', app);
  project.provide('template', template);
  return async () => {
    await query(server.owner, `drop database if exists ${template} with (force)`);
    await server.stop();
  };
}

async function openServer(): Promise<{ owner: ConnectionSettings; stop: () => Promise<void> }> {
  const url = process.env['DATABASE_URL'];
  if (url) return { owner: { connectionString: url }, stop: async () => undefined };
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-test-'));
  const postgres = await startEmbeddedPostgres({ application: AFTERWORD, dataDir, log: pino({ level: 'warn' }) });
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
