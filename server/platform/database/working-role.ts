import { createHash, createHmac } from 'node:crypto';
import pg from 'pg';
import { APP_ROLE, type ConnectionSettings, FINDER_ROLE, INTAKE_ROLE, newClient } from './database.ts';
import { connectAs, DatabaseError } from './migrations.ts';

/* What the product works as. What a role may do stands in the migrations, for roles that all databases of a server share and
   nobody signs in as. Each database has one of its own that is a member of them: two installations on one server know
   nothing of each other. */

/**
 * How to connect as the role that works on this database, made where it is missing. Its password follows from the owner's, so
 * every process knows it and nobody keeps it. Throws a `DatabaseError` where the owner may not make it.
 */
export async function openWorkingRole(client: pg.Client, owner: ConnectionSettings): Promise<ConnectionSettings> {
  const { rows } = await client.query<{ database: string }>('select current_database() as database');
  const role = roleOf(rows[0]?.database ?? '');
  const connection = asRole(owner, role);
  const refused = await connectionError(connection);
  if (refused === undefined) return connection;
  if (!REJECTED.has(refused.code ?? '')) throw new DatabaseError(`${role} cannot connect: ${refused.message}`, { cause: refused });
  await makeRole(client, { role, password: passwordOf(connection) });
  const still = await connectionError(connection);
  if (still)
    throw new DatabaseError(`${role} cannot connect: ${still.message}. Set DATABASE_APP_URL to a role that is a member of ${APP_ROLE}.`);
  return connection;
}

/** Names of roles are names of the whole server, of 63 bytes at most. */
const roleOf = (database: string): string =>
  `${APP_ROLE}_${/^[a-z0-9_]{1,40}$/.test(database) ? database : createHash('sha256').update(database).digest('hex').slice(0, 16)}`;

function asRole(owner: ConnectionSettings, role: string): ConnectionSettings {
  if (owner.connectionString === undefined) return { ...owner, user: role, password: passwordFrom(String(owner.password ?? ''), role) };
  const url = new URL(owner.connectionString);
  const password = passwordFrom(decodeURIComponent(url.password), role);
  [url.username, url.password] = [role, password];
  return { ...owner, connectionString: url.href };
}

/** No password stays no password: then the server trusts the connection or knows the role by other means. */
const passwordFrom = (secret: string, role: string): string =>
  secret === '' ? '' : createHmac('sha256', secret).update(role).digest('base64url');

const passwordOf = ({ connectionString, password }: ConnectionSettings): string =>
  connectionString === undefined ? String(password) : decodeURIComponent(new URL(connectionString).password);

/** The password is wrong, or the role may not sign in; either is also said of a role that is not there. */
const REJECTED = new Set(['28P01', '28000']);

/** Makes the role where it is missing, and sets its password. */
async function makeRole(client: pg.Client, { role, password }: { role: string; password: string }): Promise<void> {
  const [name, secret] = [pg.escapeIdentifier(role), pg.escapeLiteral(password)];
  try {
    await client.query(`do $$ begin create role ${name}; exception when duplicate_object or unique_violation then null; end $$`);
    await client.query(`alter role ${name} login inherit password ${secret}`);
    await client.query(`grant ${APP_ROLE} to ${name}`);
  } catch (error) {
    throw refusedRight(error) ?? error;
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** What to say where the owner may not make roles, or grant those that another database’s owner has made; undefined for another error. */
export function refusedRight(error: unknown): DatabaseError | undefined {
  const refused = [error, (error as Error).cause].find((each) => (each as { code?: string } | undefined)?.code === INSUFFICIENT_PRIVILEGE);
  if (!refused) return undefined;
  return new DatabaseError(
    `The role in DATABASE_URL may not do what setting Afterword up takes (${(refused as Error).message}). Let a superuser run: alter role OWNER createrole; and where another Afterword is on this server: grant ${APP_ROLE}, ${INTAKE_ROLE}, ${FINDER_ROLE} to OWNER with admin option;`,
    { cause: error },
  );
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
export async function refusePrivilegedRole(connection: ConnectionSettings): Promise<void> {
  const client = await connectAs(connection);
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
  union all select 'owns the table ' || tablename from pg_tables where schemaname = 'public' and pg_has_role(tableowner, 'member')
  union all select 'works on ' || relname || ', which has no row security'
    from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'account_id'
   where relkind = 'r' and relnamespace = 'public'::regnamespace and not relrowsecurity`;
