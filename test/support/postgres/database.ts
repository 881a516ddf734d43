import pg from 'pg';
import { inject } from 'vitest';
import type { ConnectionSettings } from '../../../server/platform/database/database.ts';
import { createDatabase, dropDatabase, inDatabase, query, setUpSchema } from '../global.ts';

/** A separate database for one test file, cloned from the migrated template. */
export interface TestDatabase {
  /** The connection of the tables' owner, which bypasses row security. */
  readonly owner: ConnectionSettings;
  /** The product's connection, with longer deadlines than the product's own, because a test's machine may be busy. */
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

/** Ten times the product's own deadlines (ms). */
const DEADLINES = {
  connectionTimeoutMillis: 10_000,
  statement_timeout: 50_000,
  idle_in_transaction_session_timeout: 50_000,
  sharePatience: 20_000,
};

let count = 0;

export async function cloneDatabase(): Promise<TestDatabase> {
  count += 1;
  const name = `afterword_test_${process.pid}_${count}`;
  const owner = inDatabase(inject('owner'), name);
  const app = { ...(await create(name, owner)), ...DEADLINES, pooler: process.env['DATABASE_POOLER'] };
  const pool = openOwnerPool(owner);
  return {
    owner,
    app,
    async stored<T extends pg.QueryResultRow>(sql: string, values?: unknown[]) {
      return (await pool.query<T>(sql, values)).rows;
    },
    async drop() {
      await pool.end();
      await dropDatabase(servers(), name);
    },
  };
}

/** Creates a database, and returns the product role's connection. One of a cluster can't be cloned. */
async function create(name: string, owner: ConnectionSettings): Promise<ConnectionSettings> {
  if (!inject('nodes')) {
    // By default, each page is also written to the log, which takes four times as long.
    await query(inject('owner'), `create database ${name} template ${inject('template')} strategy file_copy`);
    return inDatabase(inject('app'), name);
  }
  await createDatabase(servers(), name);
  return setUpSchema(owner);
}

const servers = () => ({ owner: inject('owner'), nodes: inject('nodes') });

/** Returns a pool that keeps connections open, and replaces those that a test cuts off. */
function openOwnerPool(owner: ConnectionSettings): pg.Pool {
  const pool = new pg.Pool({ ...owner, max: 10, idleTimeoutMillis: 0 });
  pool.on('error', () => undefined);
  return pool;
}
