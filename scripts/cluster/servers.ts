import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AFTERWORD } from '../../server/afterword.ts';
import { initialize, killServer, newServer, startServer, superuserOf, type TestServer, urlOf } from '../../test/support/postgres/server.ts';
import { createClusterDatabase } from './databases.ts';

interface RunningCluster {
  /** DATABASE_URL: the coordinator, as its superuser. */
  readonly url: string;
  /** Stops the servers and deletes their data. */
  stop(): Promise<void>;
}

const NAMES = ['coordinator', 'worker-1', 'worker-2'];
const DATABASE = AFTERWORD.name;

/** Eight shards, because tests create many databases; Citus's default is 32. */
const SETTINGS = [
  'shared_preload_libraries=citus',
  'citus.shard_count=8',
  'max_connections=300',
  'max_prepared_transactions=300',
  'max_worker_processes=100',
  'random_page_cost=1.1',
  'wal_keep_size=0',
];

/** Starts a coordinator and two workers with the programs in a PostgreSQL folder, on free ports and with new data. */
export async function startCluster(postgres: string): Promise<RunningCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'afterword-cluster-'));
  const servers: TestServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map(killServer));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const name of NAMES) {
      const server = await newServer(folder, name);
      servers.push({ ...server, binaries: { ...server.binaries, folder: postgres }, locale: 'C.UTF-8', settings: SETTINGS });
    }
    for (const server of servers) {
      await initialize(server);
      await startServer(server);
    }
    const [coordinator] = servers as [TestServer];
    const { user, password } = superuserOf(coordinator);
    const nodes = servers.map(({ port }) => ({ host: '127.0.0.1', port }));
    await createClusterDatabase(nodes, { user, password }, DATABASE);
    const url = new URL(urlOf(coordinator));
    url.pathname = `/${DATABASE}`;
    return { url: url.href, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
