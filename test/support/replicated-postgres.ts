import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../scripts/free-port.ts';
import { AFTERWORD } from '../../server/afterword.ts';
import { type Binaries, findBinaries, runProgram, spawnProgram } from '../../server/postgres/binaries.ts';
import { isRoot, unprivilegedUser } from '../../server/postgres/os-user.ts';
import { killTree } from './processes.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** A primary and its standby, which follows it over a network that can be cut. */
export interface ReplicatedPostgres {
  /** Names both servers, as libpq writes it. */
  readonly url: string;
  /** Whether a commit waits for the standby. */
  setSynchronous(isSynchronous: boolean): Promise<void>;
  /** From now on nothing passes between the two. */
  cut(): void;
  /** Ends all processes of the primary at once. */
  killPrimary(): Promise<void>;
  /** Makes the standby the primary: it waits for nobody, as it is alone. */
  promote(): Promise<void>;
  /** Starts the killed server as it was: a primary that does not know that it was replaced. */
  returnOld(): Promise<void>;
  /** Makes the server that is not the primary a standby, from a new base backup. */
  rebuild(): Promise<void>;
  /** Runs a statement on the primary, past row security. */
  stored<T extends pg.QueryResultRow>(sql: string): Promise<T[]>;
  stop(): Promise<void>;
}

const SUPERUSER = 'afterword';
const PASSWORD = 'replicated';
const WITHIN = 30_000;

export async function openReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), 'afterword-pair-'));
  const osUser = isRoot() ? await unprivilegedUser(AFTERWORD) : undefined;
  await chmod(folder, 0o711);
  if (osUser) await chown(folder, osUser.uid, osUser.gid);
  const binaries = await findBinaries({ application: AFTERWORD, dataDir: folder, pgdata: folder, osUser });
  const server = async (name: string): Promise<Server> => ({ binaries, pgdata: path.join(folder, name), port: await freePort() });
  let [primary, standby] = [await server('a'), await server('b')];
  const url = `postgres://${SUPERUSER}:${PASSWORD}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`;
  let network: TcpProxy | undefined;
  await initialize(primary, folder);
  await startServer(primary);
  await rebuild();

  return {
    url,
    setSynchronous,
    cut: () => network?.stall(),
    killPrimary: () => killServer(primary),
    async promote() {
      await configure(standby, { synchronous_standby_names: '' });
      await query(standby, 'select pg_promote()');
      [primary, standby] = [standby, primary];
    },
    returnOld: () => startServer(standby),
    rebuild,
    stored: async <T extends pg.QueryResultRow>(sql: string) => (await query<T>(primary, sql)).rows,
    async stop() {
      await Promise.all([primary, standby].map(killServer));
      await network?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function setSynchronous(isSynchronous: boolean): Promise<void> {
    await configure(primary, { synchronous_standby_names: isSynchronous ? '*' : '' });
    const state = isSynchronous ? 'sync' : 'async';
    await until(async () => (await query(primary, `select from pg_stat_replication where sync_state = '${state}'`)).rowCount === 1);
  }

  async function rebuild(): Promise<void> {
    await killServer(standby);
    await network?.stop();
    network = await openTcpProxy({ host: '127.0.0.1', port: primary.port });
    await backUp(primary, standby);
    const conninfo = `host=127.0.0.1 port=${network.connection.port} user=${SUPERUSER} password=${PASSWORD}`;
    await writeOwned(standby, 'standby.signal', '');
    await writeOwned(standby, 'postgresql.auto.conf', `primary_conninfo = '${conninfo}'\n`);
    await startServer(standby);
    await until(async () => (await query(primary, `select from pg_stat_replication where state = 'streaming'`)).rowCount === 1);
  }
}

interface Server {
  readonly binaries: Binaries;
  readonly pgdata: string;
  readonly port: number;
  process?: ChildProcess;
}

async function initialize({ binaries, pgdata }: Server, folder: string): Promise<void> {
  const passwordFile = path.join(folder, 'password');
  await writeFile(passwordFile, PASSWORD, { mode: 0o644 });
  const options = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'];
  const { succeeded, output } = await runProgram(binaries, 'initdb', ['-D', pgdata, ...options]);
  if (!succeeded) throw new Error(output);
}

const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'wal_keep_size=1GB', 'shared_buffers=64MB'];

/** Resolves when it can be asked. */
async function startServer(server: Server): Promise<void> {
  const settings = [...SETTINGS, `port=${server.port}`].flatMap((setting) => ['-c', setting]);
  const child = await spawnProgram(server.binaries, 'postgres', ['-D', server.pgdata, ...settings]);
  const said: string[] = [];
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk) => said.push(String(chunk)));
  server.process = child;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(said.join(''));
    return query(server, 'select 1').then(
      () => true,
      () => false,
    );
  });
}

async function killServer({ process: child }: Server): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  await killTree(child.pid);
  await exit;
}

async function configure(server: Server, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) await query(server, `alter system set ${name} = ${pg.escapeLiteral(value)}`);
  await query(server, 'select pg_reload_conf()');
}

/** A base backup by PostgreSQL's low-level functions: the package has no program for it. */
async function backUp(from: Server, to: Server): Promise<void> {
  await rm(to.pgdata, { recursive: true, force: true });
  const client = await connect(from);
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    await copyOwned(from.pgdata, to);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeOwned(to, 'backup_label', rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** What a copy must not have: the journal, which is streamed, and what tells of the running server. */
const LEFT_OUT = /^(?:pg_wal|pg_replslot)\/|^postmaster\.(?:pid|opts)$/;

async function copyOwned(from: string, to: Server): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  await mkdir(to.pgdata, { mode: 0o700 });
  const made = [to.pgdata];
  for (const entry of entries) {
    const name = path.relative(from, path.join(entry.parentPath, entry.name));
    if (LEFT_OUT.test(name)) continue;
    const target = path.join(to.pgdata, name);
    if (entry.isDirectory()) await mkdir(target, { recursive: true, mode: 0o700 });
    else if (!(await copied(path.join(from, name), target))) continue;
    made.push(target);
  }
  const { osUser } = to.binaries;
  if (osUser) for (const file of made) await chown(file, osUser.uid, osUser.gid);
}

/** False for a file that the running server has removed meanwhile; the journal tells of that, too. */
async function copied(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    await chmod(to, (await stat(from)).mode);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function writeOwned({ binaries, pgdata }: Server, name: string, text: string): Promise<void> {
  const file = path.join(pgdata, name);
  await writeFile(file, text, { mode: 0o600 });
  if (binaries.osUser) await chown(file, binaries.osUser.uid, binaries.osUser.gid);
}

async function connect({ port }: Server): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: SUPERUSER, password: PASSWORD, database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function query<T extends pg.QueryResultRow>(server: Server, sql: string): Promise<pg.QueryResult<T>> {
  const client = await connect(server);
  try {
    return await client.query<T>(sql);
  } finally {
    await client.end();
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WITHIN; !(await holds()); await sleep(50)) if (Date.now() > end) throw new Error(`Not within ${WITHIN} ms`);
}
