import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';
import { type ConnectionSettings, newClient } from './database.ts';

/** Why the product can't start on this database; the message is for the operator. */
export class DatabaseError extends Error {}

/** Connects within ten seconds and returns the client, which the caller ends. Throws a `DatabaseError` if that fails. */
export async function connectAs(connection: ConnectionSettings & Pick<pg.ClientConfig, 'application_name'>): Promise<pg.Client> {
  const client = newClient({ connectionTimeoutMillis: 10_000, ...connection });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new DatabaseError(`The database cannot be reached: ${(error as Error).message}`, { cause: error });
  }
}

const FOLDER = fileURLToPath(new URL('../../../database/migrations', import.meta.url));
/** An arbitrary number, the same in every process, so that one migrates while the others wait. */
const LOCK = 4_270_613;
/** How long a process waits while another migrates, and a migration for a table. @limit migration-wait */
const [LOCK_WAIT, TABLE_WAIT] = ['15min', '60s'];
/** PostgreSQL's code for a lock that wasn't available in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Returns the hashes of this version's migrations, in order. */
export const migrationHashes = (): string[] => migrationFiles().map(({ hash }) => hash);

const migrationFiles = () => readMigrationFiles({ migrationsFolder: FOLDER });

/** Returns the hashes of the migrations applied to a database, in order. */
export async function appliedMigrations(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ table: string | null }>(`select to_regclass('drizzle.__drizzle_migrations') as table`);
  if (rows[0]?.table === null) return [];
  const applied = await owner.query<{ hash: string }>('select hash from drizzle.__drizzle_migrations order by created_at, id');
  return applied.rows.map(({ hash }) => hash);
}

/** Runs `work` while no other process migrates. The lock ends with the connection. Throws a `DatabaseError` if another takes too long. */
export async function withMigrationLock<T>(owner: pg.Client, work: () => Promise<T>, wait: string = LOCK_WAIT): Promise<T> {
  await owner.query(`set lock_timeout = '${wait}'`);
  await owner.query('select pg_advisory_lock($1)', [LOCK]).catch((error: pg.DatabaseError) => {
    if (error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw new DatabaseError(`Another process has been migrating the database for ${wait}. Start again once it's done.`, { cause: error });
  });
  await owner.query(`set lock_timeout = '${TABLE_WAIT}'`);
  return work();
}

/**
 * Applies the pending migrations, or those of the first `count` that are pending, inside the caller's transaction. Writes the
 * same table as drizzle-orm's own migrator, which can't join a transaction.
 */
export async function applyMigrations(owner: pg.Client, count?: number): Promise<void> {
  await owner.query(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`);
  const applied = await appliedMigrations(owner);
  for (const { sql, hash, folderMillis } of migrationFiles().slice(applied.length, count)) {
    for (const statement of sql) await owner.query(withBareColumns(statement));
    await owner.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, folderMillis]);
  }
}

/** Returns a new CHECK without its table's name before columns, because Citus repeats it for each shard, whose name is another one. */
const withBareColumns = (statement: string): string => {
  const [, table] = /^\s*ALTER TABLE ("\w+") ADD CONSTRAINT "\w+" CHECK /.exec(statement) ?? [];
  return table === undefined ? statement : statement.replaceAll(`${table}.`, '');
};

/** Runs `work` in a transaction. */
export async function inTransaction<T>(owner: pg.Client, work: () => Promise<T>): Promise<T> {
  await owner.query('begin');
  try {
    const result = await work();
    await owner.query('commit');
    return result;
  } catch (error) {
    // A lost connection has rolled back already.
    await owner.query('rollback').catch(() => undefined);
    throw error;
  }
}
