import pg from 'pg';
import { inject } from 'vitest';
import type { ConnectionSettings } from '../../server/platform/database/database.ts';
import { inDatabase, query } from './global.ts';

/** A separate database for one test file, cloned from the migrated template. */
export interface TestDatabase {
  /** The connection of the tables' owner, which bypasses row security. */
  readonly owner: ConnectionSettings;
  /** The product's connection. */
  readonly app: ConnectionSettings;
  /** Runs a statement, bypassing row security, and returns its rows. */
  stored<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  drop(): Promise<void>;
}

/** Returns connection settings as a URL for DATABASE_URL. */
export function addressOf({ connectionString, host, port, user, password, database }: ConnectionSettings): string {
  if (connectionString !== undefined) return connectionString;
  const url = new URL(`postgres://localhost:${port}/${database}`);
  [url.username, url.password] = [String(user), String(password)];
  url.searchParams.set('host', String(host));
  return url.href;
}

let count = 0;

export async function cloneDatabase(): Promise<TestDatabase> {
  count += 1;
  const name = `afterword_test_${process.pid}_${count}`;
  await query(inject('owner'), `create database ${name} template ${inject('template')}`);
  const owner = inDatabase(inject('owner'), name);
  const pool = openOwnerPool(owner);
  return {
    owner,
    app: inDatabase(inject('app'), name),
    async stored<T extends pg.QueryResultRow>(sql: string, values?: unknown[]) {
      return (await pool.query<T>(sql, values)).rows;
    },
    async drop() {
      await pool.end();
      await query(inject('owner'), `drop database if exists ${name} with (force)`);
    },
  };
}

/** Returns a pool that keeps connections open, and replaces those that a test cuts off. */
function openOwnerPool(owner: ConnectionSettings): pg.Pool {
  const pool = new pg.Pool({ ...owner, max: 10, idleTimeoutMillis: 0 });
  pool.on('error', () => undefined);
  return pool;
}
