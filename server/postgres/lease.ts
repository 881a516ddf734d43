import pg from 'pg';
import { passwordFile } from './authentication.ts';
import type { Cluster } from './cluster.ts';
import type { Address } from './configuration.ts';
import { EmbeddedPostgresError } from './errors.ts';

/** In every cluster, and apart from the product's database, which may be dropped and made again meanwhile. */
const MAINTENANCE_DATABASE = 'postgres';
/** Any number, the same in every version. */
const KEY = 2_610_318;
/** Ms in which the connection of a predecessor that was just killed disappears. */
const WAIT = 3_000;

/** Nobody took connections at that moment; another try may find somebody. */
export interface Unanswered {
  readonly unanswered: string;
}

/**
 * Connects and takes the lock that only one process a cluster can have. It lasts as long as this connection: the
 * system ends both when the process dies, whichever way.
 */
export async function connectAndLock(cluster: Cluster, address: Address): Promise<pg.Client | Unanswered> {
  const client = new pg.Client({
    ...address,
    user: cluster.application.name,
    password: cluster.password,
    database: MAINTENANCE_DATABASE,
    application_name: `${cluster.application.name} supervisor`,
    connectionTimeoutMillis: 5_000,
    lock_timeout: WAIT,
  });
  // A lost server would end the process otherwise; `end` follows, which is listened to.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`select pg_advisory_lock(${KEY})`);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    return meaningOf(error, cluster);
  }
}

function meaningOf(error: unknown, { application, dataDir }: Cluster): Unanswered {
  // The driver's and the system's errors have both.
  const { code = '', message } = error as Error & { code?: string };
  if (code === '55P03') {
    throw new EmbeddedPostgresError(
      'in_use',
      `Another ${application.title} is already using ${dataDir}. Stop that one first, or set ${application.variables.dataDir} to another folder.`,
      {
        cause: error,
      },
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
