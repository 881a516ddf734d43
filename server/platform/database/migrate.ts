import type pg from 'pg';
import { bringJobsUpToDate } from '../jobs/schema.ts';
import type { ConnectionSettings } from './database.ts';
import {
  appliedMigrations,
  applyMigrations,
  connectAs,
  DatabaseError,
  inTransaction,
  knownMigrations,
  withMigrationLock,
} from './migrations.ts';
import { openWorkingRole, refusedRight, refusePrivilegedRole } from './working-role.ts';

interface MigrateOptions {
  /** The role that owns the tables. */
  readonly owner: ConnectionSettings;
  /** How the product connects afterwards; undefined: as a role of this database, with a password made from the owner's. */
  readonly app?: ConnectionSettings | undefined;
  /** The kinds of jobs that the queue is made for. */
  readonly jobs: readonly string[];
  readonly allowVolatile: boolean;
}

/**
 * Brings the schema up to date and gives back how to connect as the role that works on it.
 * Refuses a schema that is newer than this program, one that was changed by hand, a server that could lose what it
 * acknowledged, and a role that could look past row security.
 */
export async function migrate({ owner, app, jobs, allowVolatile }: MigrateOptions): Promise<ConnectionSettings> {
  const client = await connectAs({ ...owner, application_name: 'afterword migrate' });
  try {
    await refuseVolatile(client, allowVolatile);
    const connection = await withMigrationLock(client, async () => {
      await bringUpToDate(client);
      if (!(await bringJobsUpToDate(client, jobs))) throw new DatabaseError(NEWER);
      return app ?? openWorkingRole(client, owner);
    });
    await refusePrivilegedRole(connection);
    return connection;
  } finally {
    await client.end();
  }
}

/**
 * How to connect as the role that works on a schema of this very version, for work beside the product; the schema stays as it is.
 * Throws a `DatabaseError` where it is another version's, or the role could look past row security.
 */
export async function connectToMigrated({ owner, app }: Pick<MigrateOptions, 'owner' | 'app'>): Promise<ConnectionSettings> {
  const client = await connectAs({ ...owner, application_name: 'afterword admin' });
  try {
    const waiting = await waitingMigrations(client);
    if (waiting > 0) throw new DatabaseError(OLDER);
    const connection = app ?? (await openWorkingRole(client, owner));
    await refusePrivilegedRole(connection);
    return connection;
  } finally {
    await client.end();
  }
}

/** How many migrations of this version a database has not seen. Throws a `DatabaseError` where it has seen others. */
export async function waitingMigrations(client: pg.Client): Promise<number> {
  const [known, applied] = [knownMigrations(), await appliedMigrations(client)];
  for (const [place, hash] of applied.entries()) {
    if (place >= known.length) throw new DatabaseError(NEWER);
    if (hash !== known[place]) throw new DatabaseError(`${CHANGED} (migration ${place})`);
  }
  return known.length - applied.length;
}

async function bringUpToDate(client: pg.Client): Promise<void> {
  await waitingMigrations(client);
  try {
    await inTransaction(client, () => applyMigrations(client));
  } catch (error) {
    throw refusedRight(error) ?? error;
  }
}

const NEWER =
  'The database belongs to a newer version of Afterword. Start that version again, or restore a backup that was made with this one.';
const OLDER = 'The database is not set up for this version of Afterword yet. Start Afterword once, which brings it up to date.';
const CHANGED = 'The database was set up by migrations that differ from the ones in this version of Afterword';

/** An acknowledgement means that the disk has it (docs/rules.md#acknowledged-is-on-disk). */
export async function refuseVolatile(client: pg.Client, allowed: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'`,
  );
  if (rows.length === 0 || allowed) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new DatabaseError(
    `The database runs with ${names} off: what it acknowledges can be lost in a power cut. Turn it on, or accept the loss with ALLOW_VOLATILE=1.`,
  );
}
