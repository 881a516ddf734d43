import type pg from 'pg';
import { migrateJobs } from '../jobs/schema.ts';
import type { ConnectionSettings } from './database.ts';
import { distribute, isCluster, isDistributedDatabase } from './distribute.ts';
import {
  appliedMigrations,
  applyMigrations,
  connectAs,
  DatabaseError,
  inTransaction,
  migrationHashes,
  withMigrationLock,
} from './migrations.ts';
import { missingPrivilege, openWorkingRole, refusePrivilegedRole } from './working-role.ts';

interface MigrateOptions {
  /** The role that owns the tables. */
  readonly owner: ConnectionSettings;
  /** The role the product connects as; without it, a role of this database with a password derived from the owner's. */
  readonly app?: ConnectionSettings | undefined;
  /** Names of the job queues. */
  readonly jobs: readonly string[];
  readonly allowVolatile: boolean;
  /** Names of the tables that a Citus cluster distributes by account; by default none. */
  readonly distributed?: readonly string[];
}

/**
 * Migrates the schema and returns the connection settings of the product's role. Throws a `DatabaseError` for a schema that is
 * newer or has other migrations, a server that could lose committed data, and a role that could bypass row security.
 */
export async function migrate({ owner, app, jobs, allowVolatile, distributed = [] }: MigrateOptions): Promise<ConnectionSettings> {
  const client = await connectAs({ ...owner, application_name: 'afterword migrate' });
  try {
    await refuseVolatile(client, allowVolatile);
    const connection = await withMigrationLock(client, async () => {
      await migrateSchema(client);
      const isDistributed = await isCluster(client);
      // The queue stays on the coordinator, so that it can be set up while a worker is down.
      if (isDistributed) await client.query('set citus.enable_ddl_propagation = off');
      if (!(await migrateJobs(client, jobs))) throw new DatabaseError(NEWER);
      const connection = app ?? (await openWorkingRole(client, owner));
      if (!isDistributed) return connection;
      await client.query('set citus.enable_ddl_propagation = on');
      await distribute(client, { owner, app: connection, tables: distributed });
      return { ...connection, isDistributed };
    });
    await refusePrivilegedRole(connection);
    return connection;
  } finally {
    await client.end();
  }
}

/**
 * Returns the connection settings of the product's role, for tools that run beside the product. Throws a `DatabaseError` if the
 * schema is of another version or the role could bypass row security.
 */
export async function connectToMigrated({ owner, app }: Pick<MigrateOptions, 'owner' | 'app'>): Promise<ConnectionSettings> {
  const client = await connectAs({ ...owner, application_name: 'afterword admin' });
  try {
    if ((await pendingMigrations(client)) > 0) throw new DatabaseError(OLDER);
    const connection = { ...(app ?? (await openWorkingRole(client, owner))), isDistributed: await isDistributedDatabase(client) };
    await refusePrivilegedRole(connection);
    return connection;
  } finally {
    await client.end();
  }
}

/** Returns how many migrations of this version a database lacks. Throws a `DatabaseError` if it has others. */
export async function pendingMigrations(client: pg.Client): Promise<number> {
  const [available, applied] = [migrationHashes(), await appliedMigrations(client)];
  for (const [index, hash] of applied.entries()) {
    if (index >= available.length) throw new DatabaseError(NEWER);
    if (hash !== available[index]) throw new DatabaseError(`${CHANGED} (migration ${index})`);
  }
  return available.length - applied.length;
}

async function migrateSchema(client: pg.Client): Promise<void> {
  if ((await pendingMigrations(client)) === 0) return;
  try {
    await inTransaction(client, () => applyMigrations(client));
  } catch (error) {
    throw missingPrivilege(error) ?? error;
  }
}

const NEWER =
  'The database belongs to a newer version of Afterword. Start that version again, or restore a backup that was made with this one.';
const OLDER = 'The database is not set up for this version of Afterword yet. Start Afterword once, which brings it up to date.';
const CHANGED = 'The database was set up by migrations that differ from the ones in this version of Afterword';

/** Throws a `DatabaseError` if the server may confirm a commit that isn't on disk yet (docs/rules.md#acknowledged-is-on-disk). */
export async function refuseVolatile(client: pg.Client, allowed: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'`,
  );
  if (rows.length === 0 || allowed) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new DatabaseError(
    `The database runs with ${names} off, so a power cut can lose saved data. Turn it on, or accept the loss with ALLOW_VOLATILE=1.`,
  );
}
