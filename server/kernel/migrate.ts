import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { APP_ROLE, type ConnectionSettings, newClient } from './database.ts';
import { bringJobsUpToDate } from './jobs/schema.ts';

/** What keeps the product from starting on this database, in words for whoever runs it. */
export class DatabaseError extends Error {}

const MIGRATIONS = fileURLToPath(new URL('../../database/migrations', import.meta.url));
/** Any number, the same in every process: one migrates, the others wait and find nothing left to do. */
const MIGRATION_LOCK = 4_270_613;
const LOCK_WAIT = '60s';

interface MigrateOptions {
  /** The role that owns the tables. */
  readonly owner: ConnectionSettings;
  /** How the product connects afterwards; undefined: as `afterword_app`, with a password made from the owner's. */
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
  const client = newClient({ ...owner, application_name: 'afterword migrate', connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await connect(client);
  try {
    await refuseVolatile(client, allowVolatile);
    await withLock(client, async () => {
      await bringUpToDate(client);
      if (!(await bringJobsUpToDate(client, jobs))) throw new DatabaseError(NEWER);
    });
    const connection = app ?? asAppRole(owner);
    if (!app) await setRolePassword(client, connection);
    await refusePrivilegedRole(connection);
    return connection;
  } finally {
    await client.end();
  }
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    throw new DatabaseError(`The database cannot be reached: ${(error as Error).message}`, { cause: error });
  }
}

async function withLock(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query(`set lock_timeout = '${LOCK_WAIT}'`);
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  try {
    await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  }
}

/** Every pending migration, in one transaction. */
async function bringUpToDate(client: pg.Client): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  const applied = await appliedHashes(client);
  for (const [place, hash] of applied.entries()) {
    if (place >= known.length) throw new DatabaseError(NEWER);
    if (hash !== known[place]?.hash) throw new DatabaseError(`${CHANGED} (migration ${place})`);
  }
  await applyMigrations(drizzle({ client }), { migrationsFolder: MIGRATIONS });
}

const NEWER =
  'The database belongs to a newer version of Afterword. Start that version again, or restore a backup that was made with this one.';
const CHANGED = 'The database was set up by migrations that differ from the ones in this version of Afterword';

async function appliedHashes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ known: string | null }>(`select to_regclass('drizzle.__drizzle_migrations') as known`);
  if (rows[0]?.known === null) return [];
  const applied = await client.query<{ hash: string }>('select hash from drizzle.__drizzle_migrations order by created_at, id');
  return applied.rows.map(({ hash }) => hash);
}

/** An acknowledgement means that the disk has it (docs/rules.md#acknowledged-is-on-disk). */
async function refuseVolatile(client: pg.Client, allowed: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'`,
  );
  if (rows.length === 0 || allowed) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new DatabaseError(
    `The database runs with ${names} off: what it acknowledges can be lost in a power cut. Turn it on, or accept the loss with ALLOW_VOLATILE=1.`,
  );
}

/** The app's role on the same server. Its password follows from the owner's, so every process knows it and nobody keeps it. */
function asAppRole(owner: ConnectionSettings): ConnectionSettings {
  if (owner.connectionString === undefined) {
    return { ...owner, user: APP_ROLE, password: passwordFrom(String(owner.password ?? '')) };
  }
  const url = new URL(owner.connectionString);
  const password = decodeURIComponent(url.password);
  url.username = APP_ROLE;
  url.password = passwordFrom(password);
  return { ...owner, connectionString: url.href };
}

/** No password stays no password: then the server trusts the connection or knows the role by other means. */
const passwordFrom = (secret: string): string => (secret === '' ? '' : createHmac('sha256', secret).update(APP_ROLE).digest('base64url'));

const REJECTED = new Set(['28P01', '28000']);

/** Sets the role's password where it is not the one that follows from the owner's. */
async function setRolePassword(owner: pg.Client, app: ConnectionSettings): Promise<void> {
  const refused = await connectionError(app);
  if (refused === undefined) return;
  if (!REJECTED.has(refused.code ?? '')) throw new DatabaseError(`${APP_ROLE} cannot connect: ${refused.message}`, { cause: refused });
  const password = app.connectionString ? decodeURIComponent(new URL(app.connectionString).password) : String(app.password);
  await owner.query(`alter role ${APP_ROLE} login password ${pg.escapeLiteral(password)}`);
  const still = await connectionError(app);
  if (still) {
    throw new DatabaseError(
      `${APP_ROLE} cannot connect: ${still.message}. Set DATABASE_APP_URL to a role that is a member of ${APP_ROLE}.`,
    );
  }
}

async function connectionError(connection: ConnectionSettings): Promise<(Error & { code?: string }) | undefined> {
  const client = newClient(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    return error as Error & { code?: string };
  }
}

/** The role that requests run as can neither look past row security nor change it (docs/limits.md#app-role). */
async function refusePrivilegedRole(connection: ConnectionSettings): Promise<void> {
  const client = newClient(connection);
  client.on('error', () => undefined);
  await connect(client);
  try {
    const { rows } = await client.query<{ problem: string }>(FORBIDDEN_PRIVILEGES);
    if (rows[0]) throw new DatabaseError(`The role that Afterword works with ${rows[0].problem}; it must not.`);
  } finally {
    await client.end();
  }
}

const FORBIDDEN_PRIVILEGES = `
  select 'is a superuser' as problem from pg_roles where rolname = current_user and rolsuper
  union all select 'can bypass row security' from pg_roles where rolname = current_user and rolbypassrls
  union all select 'owns the table ' || tablename from pg_tables where schemaname = 'public' and tableowner = current_user
  union all select 'works on ' || relname || ', which does not force row security'
    from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'account_id'
   where relkind = 'r' and relnamespace = 'public'::regnamespace and not relforcerowsecurity`;
