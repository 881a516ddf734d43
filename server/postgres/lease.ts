import pg from 'pg';
import { passwordFile } from './authentication.ts';
import type { Cluster } from './cluster.ts';
import { type Address, addressOf } from './configuration.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { type Postmaster, runningPostmaster } from './lock-files.ts';
import { stopPostmaster } from './postmaster.ts';

/** Exclusive use of a running server, until the connection that has its advisory lock ends. */
export interface Lease {
  readonly address: Address;
  /** The postmaster's. */
  readonly pid: number;
  /** The connection that has the lock. */
  readonly client: pg.Client;
  /** Fulfilled when that connection has ended, from whichever side. */
  readonly lost: Promise<void>;
  isLost(): boolean;
  /** Waits until the stopped server is gone, where it is a child of this process. */
  exited(): Promise<void>;
}

/** Nobody took connections at that moment; another try may find somebody. */
interface Unanswered {
  readonly unanswered: string;
}

/** In every cluster, and apart from the application's database, which may be dropped and made again meanwhile. */
const MAINTENANCE_DATABASE = 'postgres';
/** Any number, the same in every version. */
const LOCK_KEY = 2_610_318;
/** Ms in which the connection of a process that was just killed disappears. */
const LOCK_TIMEOUT = 3_000;

/**
 * Connects and takes the lock that only one process a cluster can have. It lasts as long as this connection: the system
 * ends both when the process dies, whichever way.
 */
export async function takeLease(cluster: Cluster, server: Postmaster): Promise<Lease | Unanswered> {
  const address = addressOf(cluster.pgdata, server);
  const client = new pg.Client({
    ...address,
    user: cluster.application.name,
    password: cluster.password,
    database: MAINTENANCE_DATABASE,
    application_name: `${cluster.application.name} supervisor`,
    connectionTimeoutMillis: 5_000,
    lock_timeout: LOCK_TIMEOUT,
  });
  // A lost server would end the process otherwise; `end` follows, which is listened to.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`select pg_advisory_lock(${LOCK_KEY})`);
  } catch (error) {
    await client.end().catch(() => undefined);
    return meaningOf(error, cluster);
  }
  let isLost = false;
  const lost = new Promise<void>((resolve) => client.once('end', resolve)).then(() => {
    isLost = true;
  });
  return { address, pid: server.pid, client, lost, isLost: () => isLost, exited: async () => undefined };
}

function meaningOf(error: unknown, { application, dataDir }: Cluster): Unanswered {
  // The driver's and the system's errors have both.
  const { code = '', message } = error as Error & { code?: string };
  if (code === '55P03') {
    throw new EmbeddedPostgresError(
      'in_use',
      `Another ${application.title} is already using ${dataDir}. Stop that one first, or set ${application.variables.dataDir} to another folder.`,
      { cause: error },
    );
  }
  if (code === '28P01') {
    throw new EmbeddedPostgresError(
      'password_wrong',
      `The password in ${passwordFile(dataDir)} is not the one of the database beside it. Bring both back from the same backup.`,
      { cause: error },
    );
  }
  return { unanswered: message };
}

/** Stops the server, unless another process has the lease by now. */
export async function stopLeasedServer(cluster: Cluster, lease: Lease): Promise<void> {
  if (!lease.isLost() || (await canTakeAgain(cluster))) {
    await stopPostmaster(cluster);
    await lease.exited();
  }
  await lease.client.end().catch(() => undefined);
}

/** The connection was lost, which does not mean that the server was. */
async function canTakeAgain(cluster: Cluster): Promise<boolean> {
  const running = await runningPostmaster(cluster.pgdata);
  if (!running) return false;
  const again = await takeLease(cluster, running).catch(() => undefined);
  return again !== undefined && 'client' in again;
}
