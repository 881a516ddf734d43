import pg from 'pg';
import { APP_ROLE, type ConnectionSettings, FINDER_ROLE, INTAKE_ROLE, TWO_PHASE } from './database.ts';
import { DatabaseError, inTransaction } from './migrations.ts';
import { openSharedRole, passwordOf } from './working-role.ts';

/* A Citus cluster (docs/decisions/0012-distributed-by-account.md): some tables are distributed by account, all others stay on the
   coordinator. */

interface DistributeOptions {
  readonly owner: ConnectionSettings;
  /** The product's role. */
  readonly app: ConnectionSettings;
  /** Names of the tables to distribute. */
  readonly tables: readonly string[];
}

/** Returns whether a database is the coordinator of a Citus cluster with workers. */
export async function isCluster(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rowCount === 1 && ((await client.query('select from pg_dist_node where shouldhaveshards')).rowCount ?? 0) > 0;
}

/**
 * Distributes the tables that aren't yet, with their rows, and lets the product's roles work on their shards. Throws a `DatabaseError` if a
 * shard has no row security.
 */
export async function distribute(client: pg.Client, { owner, app, tables }: DistributeOptions): Promise<void> {
  const shared = [await openSharedRole(client, owner, INTAKE_ROLE), await openSharedRole(client, owner, FINDER_ROLE)];
  await admitToWorkers(client, [app, ...shared]);
  await inTransaction(client, async () => {
    // Foreign keys between distributed tables need one connection for all shards of a worker.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'; set local statement_timeout = 0`);
    const missing = await undistributed(client, tables);
    if (missing.length > 0) await replaceKeys(client, tables);
    for (const name of missing)
      await client.query(`select create_distributed_table($1::regclass, 'account_id', colocate_with => $2)`, [
        name,
        name === tables[0] ? 'none' : tables[0],
      ]);
    await addTwoPhase(client);
  });
  await secureShards(client, tables);
}

/** Returns whether a start has distributed tables in a database. */
export async function isDistributedDatabase(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [TWO_PHASE]);
  return rows[0]?.exists === true;
}

async function undistributed(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) with ordinality as listed (name, place) where not exists (select from pg_dist_partition where logicalrelid = name::regclass) order by place',
    [tables],
  );
  return rows.map(({ name }) => name);
}

/* ── Foreign keys between distributed tables and tables on the coordinator, which Citus doesn't support ── */

interface CrossingKey {
  readonly name: string;
  readonly child: string;
  readonly parent: string;
  /** Pairs of a column and the one it refers to. */
  readonly columns: [column: string, parent: string][];
  readonly isChildDistributed: boolean;
  readonly followsUpdates: boolean;
}

/** Drops the keys. Those of distributed tables become triggers on the table they refer to. */
async function replaceKeys(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows: keys } = await client.query<CrossingKey>(CROSSING_KEYS, [tables]);
  for (const key of keys) {
    await client.query(`alter table ${key.child} drop constraint ${pg.escapeIdentifier(key.name)}`);
    if (key.isChildDistributed) for (const statement of triggersOf(key)) await client.query(statement);
  }
}

const CROSSING_KEYS = `
  select conname as name, conrelid::regclass::text as child, confrelid::regclass::text as parent,
         (select json_agg(json_build_array(child.attname, parent.attname))
            from unnest(conkey, confkey) as pairs (child_number, parent_number)
            join pg_attribute child on child.attrelid = conrelid and child.attnum = child_number
            join pg_attribute parent on parent.attrelid = confrelid and parent.attnum = parent_number) as columns,
         conrelid::regclass::text = any ($1) as "isChildDistributed", confupdtype = 'c' as "followsUpdates"
    from pg_constraint
   where contype = 'f' and connamespace = 'public'::regnamespace
     and (conrelid::regclass::text = any ($1)) <> (confrelid::regclass::text = any ($1))`;

/** Returns a trigger that deletes and updates the referring rows as the key did, whichever account is in scope. */
function triggersOf({ name, child, parent, columns, followsUpdates }: CrossingKey): string[] {
  const [trigger, matches] = [pg.escapeIdentifier(name), columns.map(([column, of]) => `${column} = old.${of}`).join(' and ')];
  const account = columns.find(([column]) => column === 'account_id')?.[1];
  const moved = columns.filter(([column]) => column !== 'account_id');
  const inScope = (statement: string): string => `
    create or replace function ${trigger}() returns trigger language plpgsql as $$
    declare scope text := coalesce(current_setting('app.account_id', true), '');
    begin
      execute format('set local app.account_id = %L', old.${account});
      ${statement}
      execute format('set local app.account_id = %L', scope);
      return null;
    end $$`;
  const onDelete = `create trigger ${trigger} after delete on ${parent} for each row execute function ${trigger}()`;
  if (!followsUpdates) return [inScope(`delete from ${child} where ${matches};`), onDelete];
  const isMoved = moved.map(([, of]) => `old.${of} is distinct from new.${of}`).join(' or ');
  return [
    inScope(`if tg_op = 'DELETE' then delete from ${child} where ${matches};
      else update ${child} set ${moved.map(([column, of]) => `${column} = new.${of}`).join(', ')} where ${matches}; end if;`),
    onDelete,
    `create trigger ${pg.escapeIdentifier(`moved_${name}`.slice(0, 63))} after update on ${parent} for each row when (${isMoved}) execute function ${trigger}()`,
  ];
}

/* ── What the product's roles need ── */

/** Adds the table that every transaction touches first, so that Citus commits in two phases. */
async function addTwoPhase(client: pg.Client): Promise<void> {
  if (await isDistributedDatabase(client)) return;
  const [schema = ''] = TWO_PHASE.split('.');
  await client.query(`
    create schema ${schema};
    create table ${TWO_PHASE} (is_on boolean primary key);
    insert into ${TWO_PHASE} values (true);
    grant usage on schema ${schema} to ${APP_ROLE}, ${INTAKE_ROLE};
    grant select, update on ${TWO_PHASE} to ${APP_ROLE}, ${INTAKE_ROLE}`);
  await client.query('select citus_add_local_table_to_metadata($1::regclass)', [TWO_PHASE]);
}

/** Copies the roles to the workers, where the coordinator connects as them, and gives it their passwords. */
async function admitToWorkers(client: pg.Client, connections: readonly ConnectionSettings[]): Promise<void> {
  const { rows: roles } = await client.query(ROLES, [[APP_ROLE, ...connections.map(userOf)]]);
  await onWorkers(client, admitStatement(JSON.stringify(roles)));
  for (const connection of connections)
    await client.query(
      `insert into pg_dist_authinfo (nodeid, rolename, authinfo) values (0, $1, $2)
         on conflict (rolename, nodeid) do update set authinfo = excluded.authinfo`,
      [userOf(connection), `password='${passwordOf(connection).replace(/[\\']/g, '\\$&')}'`],
    );
}

const userOf = ({ connectionString, user }: ConnectionSettings): string =>
  connectionString === undefined ? String(user) : decodeURIComponent(new URL(connectionString).username);

/** The roles, with the app's first, because another one may be its member. */
const ROLES = `
  select rolname as name, rolcanlogin as "canLogin", rolpassword as password, pg_has_role(oid, '${APP_ROLE}', 'member') as "isMember"
    from pg_authid where rolname = any ($1) order by rolname <> '${APP_ROLE}'`;

const admitStatement = (roles: string): string => `
  do $admit$ declare item record; begin
    set local citus.enable_ddl_propagation = off;
    for item in select * from json_to_recordset(${pg.escapeLiteral(roles)}::json) as roles (name text, "canLogin" boolean, password text, "isMember" boolean) loop
      if not exists (select from pg_roles where rolname = item.name) then
        execute format('create role %I', item.name);
      end if;
      if item."canLogin" and not exists (
        select from pg_authid where rolname = item.name and rolcanlogin and rolpassword is not distinct from item.password
      ) then
        execute format('alter role %I login password %L', item.name, item.password);
      end if;
      if item."isMember" and not pg_has_role(item.name, '${APP_ROLE}', 'member') then
        execute format('grant ${APP_ROLE} to %I', item.name);
      end if;
    end loop;
  end $admit$`;

/** Runs a statement on every worker. The accounts of a worker that is down wait for it; the others don't. */
async function onWorkers(client: pg.Client, statement: string): Promise<void> {
  const { rows: failures } = await client.query<{ worker: string; result: string }>(
    `select nodename || ':' || nodeport as worker, result from run_command_on_workers($1) where not success`,
    [statement],
  );
  const failure = failures.find(({ result }) => !result.startsWith('failed to connect'));
  if (failure) throw new DatabaseError(`The worker ${failure.worker} of the Citus cluster can't be used: ${failure.result}`);
}

/** Copies the rights on single columns to the shards, because Citus copies only those on whole tables, and checks their row security. */
async function secureShards(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows: rights } = await client.query(COLUMN_RIGHTS, [tables]);
  await onWorkers(client, secureStatement(tables, JSON.stringify(rights)));
}

const COLUMN_RIGHTS = `
  select relname as "table", attname as "column", privilege_type as privilege, grantee::regrole::text as role
    from pg_attribute join pg_class on pg_class.oid = attrelid, aclexplode(attacl)
   where attrelid = any ($1::regclass[]) and attnum > 0 and not attisdropped`;

const secureStatement = (tables: readonly string[], rights: string): string => `
  do $secure$ declare shard record; granted record; begin
    for shard in
      select logicalrelid::text as "table", shard_name(logicalrelid, shardid) as name
        from pg_dist_shard join pg_dist_placement using (shardid)
       where groupid = (select groupid from pg_dist_local_group) and logicalrelid = any (${pg.escapeLiteral(`{${tables}}`)}::regclass[])
    loop
      if not (select relrowsecurity from pg_class where oid = shard.name::regclass) then
        raise exception '% has no row security', shard.name;
      end if;
      for granted in
        select * from json_to_recordset(${pg.escapeLiteral(rights)}::json) as rights ("table" text, "column" text, privilege text, role text)
         where rights."table" = shard."table" and not has_column_privilege(role, shard.name, "column", privilege)
      loop
        execute format('grant %s (%I) on %s to %I', granted.privilege, granted."column", shard.name, granted.role);
      end loop;
    end loop;
  end $secure$`;
