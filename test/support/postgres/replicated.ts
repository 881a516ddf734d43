import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { openTcpProxy, type TcpProxy } from '../tcp-proxy.ts';
import {
  configure,
  connect,
  initialize,
  killServer,
  newServer,
  query,
  startServer,
  superuserOf,
  type TestServer,
  until,
  urlOf,
  writeOwned,
} from './server.ts';

/** A primary and its standby, connected over a network that can be cut. */
export interface ReplicatedPostgres {
  /** The libpq URL of both servers. */
  readonly url: string;
  /** Sets whether a commit waits for the standby. */
  setSynchronous(isSynchronous: boolean): Promise<void>;
  /** Stops all traffic between the two. */
  cut(): void;
  /** Kills every process of the primary at once. */
  killPrimary(): Promise<void>;
  /** Promotes the standby, which then commits without waiting for another server. */
  promote(): Promise<void>;
  /** Restarts the killed server as a primary that doesn't know it was replaced. */
  returnOld(): Promise<void>;
  /** Rebuilds the other server as a standby from a new base backup. */
  rebuild(): Promise<void>;
  /** Returns the settings of a connection to the primary that bypasses row security. */
  connection(): pg.ClientConfig;
  /** Runs a statement on the primary, bypassing row security, and returns its rows. */
  stored<T extends pg.QueryResultRow>(sql: string): Promise<T[]>;
  stop(): Promise<void>;
}

export async function openReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), 'afterword-pair-'));
  let [primary, standby] = [await newServer(folder, 'a'), await newServer(folder, 'b')];
  const url = `${urlOf(primary, standby)}?target_session_attrs=read-write`;
  let network: TcpProxy | undefined;
  await initialize(primary);
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
    connection: () => superuserOf(primary),
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
    const { user, password } = superuserOf(primary);
    const conninfo = `host=127.0.0.1 port=${network.connection.port} user=${user} password=${password}`;
    await writeOwned(standby, 'standby.signal', '');
    await writeOwned(standby, 'postgresql.auto.conf', `primary_conninfo = '${conninfo}'\n`);
    await startServer(standby);
    await until(async () => (await query(primary, `select from pg_stat_replication where state = 'streaming'`)).rowCount === 1);
  }
}

/** Makes a base backup with PostgreSQL's low-level functions, because the package has no pg_basebackup. */
async function backUp(from: TestServer, to: TestServer): Promise<void> {
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

/** Files left out of a copy: the WAL, which is streamed, and the files of the running server. */
const EXCLUDED = /^(?:pg_wal|pg_replslot)\/|^postmaster\.(?:pid|opts)$/;

async function copyOwned(from: string, to: TestServer): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  await mkdir(to.pgdata, { mode: 0o700 });
  const copies = [to.pgdata];
  for (const entry of entries) {
    const name = path.relative(from, path.join(entry.parentPath, entry.name));
    if (EXCLUDED.test(name)) continue;
    const target = path.join(to.pgdata, name);
    if (entry.isDirectory()) await mkdir(target, { recursive: true, mode: 0o700 });
    else if (!(await tryCopy(path.join(from, name), target))) continue;
    copies.push(target);
  }
  const { osUser } = to.binaries;
  if (osUser) for (const file of copies) await chown(file, osUser.uid, osUser.gid);
}

/** Returns false for a file that the running server has since removed, which the WAL records, too. */
async function tryCopy(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    await chmod(to, (await stat(from)).mode);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
