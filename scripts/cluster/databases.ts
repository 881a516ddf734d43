import pg from 'pg';

/** A server of a Citus cluster. */
export interface CitusNode {
  readonly host: string;
  readonly port: number;
}

/** The superuser of every server. */
export interface ClusterLogin {
  readonly user: string;
  readonly password: string;
}

/** An arbitrary number. */
const LOCK = 4_270_614;

/** Creates a database with a part on each server of a cluster, the coordinator first. */
export async function createClusterDatabase(
  [coordinator, ...workers]: readonly CitusNode[],
  login: ClusterLogin,
  name: string,
): Promise<void> {
  if (!coordinator) throw new Error('A cluster needs a coordinator');
  // Adding a server copies the roles to it, which fails if another database does so at once.
  await withClient({ ...login, ...coordinator, database: 'postgres' }, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    for (const node of [coordinator, ...workers]) {
      await run(node, { ...login, database: 'postgres' }, [`create database ${name}`]);
      const authinfo = pg.escapeLiteral(`password=${login.password}`);
      await run(node, { ...login, database: name }, [
        'create extension citus',
        // Other servers, and itself.
        ...[0, -1].map(
          (id) => `insert into pg_dist_authinfo (nodeid, rolename, authinfo) values (${id}, ${pg.escapeLiteral(login.user)}, ${authinfo})`,
        ),
      ]);
    }
    await run(coordinator, { ...login, database: name }, [
      `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
      ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
    ]);
  });
}

/** Drops a database from every server of a cluster. */
export async function dropClusterDatabase(nodes: readonly CitusNode[], login: ClusterLogin, name: string): Promise<void> {
  for (const node of nodes) await run(node, { ...login, database: 'postgres' }, [`drop database if exists ${name} with (force)`]);
}

async function run(
  { host, port }: CitusNode,
  login: ClusterLogin & { readonly database: string },
  statements: readonly string[],
): Promise<void> {
  await withClient({ ...login, host, port }, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

async function withClient(config: pg.ClientConfig, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
