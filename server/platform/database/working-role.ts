import { createHmac } from 'node:crypto';
import pg from 'pg';
import { sha256 } from '../sha256.ts';
import { APP_ROLE, type ConnectionSettings, FINDER_ROLE, INTAKE_ROLE } from './database.ts';
import { connectAs, DatabaseError } from './migrations.ts';

/* The role the product connects as. Migrations grant rights to shared roles that all databases of a server use and nothing connects
   as. Each database has its own member role, which keeps two installations on one server apart. */

/**
 * Returns connection settings for this database's own role, which is created if missing. Its password is derived from the owner's,
 * so it isn't stored anywhere. Throws a `DatabaseError` if the owner may not create the role.
 */
export async function openWorkingRole(client: pg.Client, owner: ConnectionSettings): Promise<ConnectionSettings> {
  const { rows } = await client.query<{ database: string }>('select current_database() as database');
  return openRole(owner, roleOf(rows[0]?.database ?? ''), (role) => saveRole(client, role));
}

/**
 * Returns connection settings for one of the shared roles, which is allowed to log in if it isn't yet, with a password derived from the
 * owner's. Only a cluster's coordinator connects as them.
 */
export const openSharedRole = (client: pg.Client, owner: ConnectionSettings, name: string): Promise<ConnectionSettings> =>
  openRole(owner, name, async ({ role, password }) => {
    await client.query(`alter role ${pg.escapeIdentifier(role)} login password ${pg.escapeLiteral(password)}`);
  });

interface RoleLogin {
  readonly role: string;
  readonly password: string;
}

/** Returns connection settings for a role, after saving it if it can't connect. */
async function openRole(owner: ConnectionSettings, role: string, save: (login: RoleLogin) => Promise<void>): Promise<ConnectionSettings> {
  const connection = asRole(owner, role);
  const error = await connectionError(connection);
  if (error === undefined) return connection;
  if (!REJECTED.has(error.code ?? '')) throw new DatabaseError(`${role} can't connect: ${error.message}`, { cause: error });
  await save({ role, password: passwordOf(connection) });
  const repeated = await connectionError(connection);
  if (repeated)
    throw new DatabaseError(`${role} can't connect: ${repeated.message}. Set DATABASE_APP_URL to a role that is a member of ${APP_ROLE}.`);
  return connection;
}

/** Returns a role name that is unique on the server and within PostgreSQL's 63 bytes. */
const roleOf = (database: string): string =>
  `${APP_ROLE}_${/^[a-z0-9_]{1,40}$/.test(database) ? database : sha256(database).toString('hex').slice(0, 16)}`;

function asRole(owner: ConnectionSettings, role: string): ConnectionSettings {
  if (owner.connectionString === undefined) return { ...owner, user: role, password: passwordFrom(String(owner.password ?? ''), role) };
  const url = new URL(owner.connectionString);
  const password = passwordFrom(decodeURIComponent(url.password), role);
  [url.username, url.password] = [role, password];
  return { ...owner, connectionString: url.href };
}

/** Returns no password if the owner has none: then the server authenticates connections by other means. */
const passwordFrom = (secret: string, role: string): string =>
  secret === '' ? '' : createHmac('sha256', secret).update(role).digest('base64url');

export const passwordOf = ({ connectionString, password }: ConnectionSettings): string =>
  connectionString === undefined ? String(password) : decodeURIComponent(new URL(connectionString).password);

/** SQLSTATE of a wrong password and of a role that may not log in; a missing role causes either. */
const REJECTED = new Set(['28P01', '28000']);

/** Creates the role if missing, and sets its password. */
async function saveRole(client: pg.Client, { role, password }: RoleLogin): Promise<void> {
  const [name, secret] = [pg.escapeIdentifier(role), pg.escapeLiteral(password)];
  try {
    await client.query(`do $$ begin create role ${name}; exception when duplicate_object or unique_violation then null; end $$`);
    await client.query(`alter role ${name} login inherit password ${secret}`);
    await client.query(`grant ${APP_ROLE} to ${name}`);
  } catch (error) {
    throw missingPrivilege(error) ?? error;
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Returns an error with instructions if the owner may not create roles or grant existing ones; undefined for any other error. */
export function missingPrivilege(error: unknown): DatabaseError | undefined {
  const denial = [error, (error as Error).cause].find((each) => (each as { code?: string } | undefined)?.code === INSUFFICIENT_PRIVILEGE);
  if (!denial) return undefined;
  return new DatabaseError(
    `The role in DATABASE_URL lacks privileges that Afterword's setup needs (${(denial as Error).message}). Have a superuser run: alter role OWNER createrole; and, if another Afterword runs on this server: grant ${APP_ROLE}, ${INTAKE_ROLE}, ${FINDER_ROLE} to OWNER with admin option;`,
    { cause: error },
  );
}

/** Returns the error of connecting with these settings, or undefined if it succeeds. */
export async function connectionError(connection: ConnectionSettings): Promise<(Error & { code?: string }) | undefined> {
  try {
    const client = await connectAs(connection);
    await client.end();
    return undefined;
  } catch (error) {
    return (error as DatabaseError).cause as Error & { code?: string };
  }
}

/** Throws a `DatabaseError` if the role that requests run as could bypass or change row security. */
export async function refusePrivilegedRole(connection: ConnectionSettings): Promise<void> {
  const client = await connectAs(connection);
  try {
    const { rows } = await client.query<{ problem: string }>(FORBIDDEN_PRIVILEGES);
    if (rows[0]) throw new DatabaseError(`Afterword's database role ${rows[0].problem}, which isn't allowed.`);
  } finally {
    await client.end();
  }
}

const FORBIDDEN_PRIVILEGES = `
  select 'is a superuser' as problem from pg_roles where rolname = current_user and rolsuper
  union all select 'can bypass row security' from pg_roles where rolname = current_user and rolbypassrls
  union all select 'owns the table ' || tablename from pg_tables where schemaname = 'public' and pg_has_role(tableowner, 'member')
  union all select 'works on ' || relname || ', which has no row security'
    from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'account_id'
   where relkind = 'r' and relnamespace = 'public'::regnamespace and not relrowsecurity`;
