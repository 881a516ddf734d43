import pg from 'pg';
import { inject } from 'vitest';
import type { ConnectionSettings } from '../../server/platform/database/database.ts';
import { inDatabase, query } from './global.ts';

/** A database of a test file's own, cloned from the migrated template. */
export interface TestDatabase {
  /** As the tables' owner: sees everything, for looking at what is stored. */
  readonly owner: ConnectionSettings;
  /** As the product connects. */
  readonly app: ConnectionSettings;
  /** Looks at what is stored, past row security. */
  stored<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  drop(): Promise<void>;
}

/** The same as an address, as settings have it. */
export function addressOf({ connectionString, host, port, user, password, database }: ConnectionSettings): string {
  if (connectionString !== undefined) return connectionString;
  const url = new URL(`postgres://localhost:${port}/${database}`);
  [url.username, url.password] = [String(user), String(password)];
  url.searchParams.set('host', String(host));
  return url.href;
}

let made = 0;

export async function cloneDatabase(): Promise<TestDatabase> {
  made += 1;
  const name = `afterword_test_${process.pid}_${made}`;
  await query(inject('owner'), `create database ${name} template ${inject('template')}`);
  const owner = inDatabase(inject('owner'), name);
  const lookers = openLookers(owner);
  return {
    owner,
    app: inDatabase(inject('app'), name),
    async stored<T extends pg.QueryResultRow>(sql: string, values?: unknown[]) {
      return (await lookers.query<T>(sql, values)).rows;
    },
    async drop() {
      await lookers.end();
      await query(inject('owner'), `drop database if exists ${name} with (force)`);
    },
  };
}

/** Whoever looks finds a connection open; one that was cut off meanwhile is followed by another. */
function openLookers(owner: ConnectionSettings): pg.Pool {
  const pool = new pg.Pool({ ...owner, max: 10, idleTimeoutMillis: 0 });
  pool.on('error', () => undefined);
  return pool;
}
