import pg from 'pg';
import { passwordFile } from './authentication.ts';
import type { Cluster } from './cluster.ts';
import { type Address, addressOf } from './configuration.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { type Postmaster, runningPostmaster } from './lock-files.ts';
import { stopPostmaster } from './postmaster.ts';

/** Exclusive use of a running server, until the connection with its advisory lock ends. */
export interface Lease {
  readonly address: Address;
  /** The postmaster's process id. */
  readonly pid: number;
  /** The connection with the lock. */
  readonly client: pg.Client;
  /** Resolves when that connection has ended, from either side. */
  readonly lost: Promise<void>;
  isLost(): boolean;
  /** Waits until the stopped server has exited, if it is a child of this process. */
  exited(): Promise<void>;
}

/** The server didn't accept the connection; a retry may succeed. */
interface UnansweredAttempt {
  readonly unanswered: string;
}

/** Exists in every cluster, unlike the application's database, which may be dropped and created again. */
const MAINTENANCE_DATABASE = 'postgres';
/** An arbitrary number that must be the same in every version. */
const LOCK_KEY = 2_610_318;
/** Ms in which the connection of a killed process closes. */
const LOCK_TIMEOUT = 3_000;

/**
 * Connects and takes the lock that only one process per cluster can have. The lock lasts as long as the connection, which the
 * system closes however the process ends. Throws if another process has the lock or the password is wrong.
 */
export async function takeLease(cluster: Cluster, server: Postmaster): Promise<Lease | UnansweredAttempt> {
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
  // Without a listener, a lost server would end the process; the `end` event that follows is handled.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`select pg_advisory_lock(${LOCK_KEY})`);
  } catch (error) {
    await client.end().catch(() => undefined);
    return classifyError(error, cluster);
  }
  let isLost = false;
  const lost = new Promise<void>((resolve) => client.once('end', resolve)).then(() => {
    isLost = true;
  });
  return { address, pid: server.pid, client, lost, isLost: () => isLost, exited: async () => undefined };
}

function classifyError(error: unknown, { application, dataDir }: Cluster): UnansweredAttempt {
  // Errors of the driver and the system have both.
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
      `The password in ${passwordFile(dataDir)} doesn’t match the database beside it. Restore both from the same backup.`,
      { cause: error },
    );
  }
  return { unanswered: message };
}

/** Stops the server, unless another process has taken the lease. */
export async function stopLeasedServer(cluster: Cluster, lease: Lease): Promise<void> {
  if (!lease.isLost() || (await canTakeAgain(cluster))) {
    await stopPostmaster(cluster);
    await lease.exited();
  }
  await lease.client.end().catch(() => undefined);
}

/** Returns whether the lease can be taken again: a lost connection doesn't mean that the server has exited. */
async function canTakeAgain(cluster: Cluster): Promise<boolean> {
  const running = await runningPostmaster(cluster.pgdata);
  if (!running) return false;
  const lease = await takeLease(cluster, running).catch(() => undefined);
  return lease !== undefined && 'client' in lease;
}
