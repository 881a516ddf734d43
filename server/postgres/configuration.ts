import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type pg from 'pg';
import { replaceFile } from '../disk/durable-file.ts';
import { type Cluster, configurationFile } from './cluster.ts';

/** The name of a custom setting with the fingerprint of a running server's settings. */
const startedWith = ({ application }: Cluster): string => `${application.name}.started_with`;

const SETTINGS: Readonly<Record<string, string>> = {
  // Acknowledged commits are on disk.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_level: 'replica',
  // A small machine, shared with Node.
  max_connections: '100',
  shared_buffers: '128MB',
  // Of a disk without moving parts. With the default, the first foreign key check of a session chooses to read the whole of a small table,
  // and does so until the statistics are renewed, however large the table has grown.
  random_page_cost: '1.1',
  // Keeps pg_wal below 300 MB. Compression halves the full-page writes after each checkpoint.
  max_wal_size: '256MB',
  wal_compression: 'on',
  checkpoint_timeout: '15min',
  timezone: 'UTC',
  // Keeps a week of logs: each day's file replaces the one from the week before.
  logging_collector: 'on',
  log_destination: 'stderr',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_timezone: 'UTC',
  // Keeps the application's data out of the logs, together with `ensureDatabase`.
  log_statement: 'none',
  log_duration: 'off',
  log_min_duration_statement: '-1',
  log_min_error_statement: 'panic',
  log_parameter_max_length_on_error: '0',
  log_error_verbosity: 'terse',
};

/** Writes the settings file for the next start. */
export async function writeConfiguration(cluster: Cluster, address: Address): Promise<void> {
  const file = path.join(cluster.pgdata, configurationFile(cluster));
  const text = toFile(cluster, {
    ...settingsOf(cluster),
    ...addressSettings(address),
    [startedWith(cluster)]: fingerprint(cluster, address),
  });
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return;
  await replaceFile(file, { text, owner: cluster.osUser });
}

/** Returns whether a running server has the settings it would be started with now; only then is it adopted. */
export async function hasSettings(cluster: Cluster, { client, address }: { client: pg.Client; address: Address }): Promise<boolean> {
  const { rows } = await client.query<{ started: string | null }>('select current_setting($1, true) as started', [startedWith(cluster)]);
  return rows[0]?.started === fingerprint(cluster, address);
}

/** Returns a hash that is equal for two starts of the same server. */
function fingerprint(cluster: Cluster, address: Address): string {
  const { folder, version } = cluster.binaries;
  const parts = [settingsOf(cluster), isSocket(address), { folder, version }];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

const settingsOf = ({ settings }: Cluster): Record<string, string> => ({ ...SETTINGS, ...settings });

/** The socket is in the data directory, the server's working directory, so its path needs no quoting and is never too long. */
const addressSettings = (address: Address): Record<string, string> =>
  isSocket(address)
    ? { listen_addresses: '', unix_socket_directories: '.', unix_socket_permissions: '0700', port: String(address.port) }
    : { listen_addresses: address.host, unix_socket_directories: '', port: String(address.port) };

function toFile({ application }: Cluster, settings: Record<string, string>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`);
  return [`# Written by ${application.title} at each start; changes here are lost.`, ...lines, ''].join('\n');
}

/** The server's address: `host` is the folder of a Unix socket, or 127.0.0.1. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';
/** Part of the socket's file name; no network port is used. */
const SOCKET_PORT = 5432;
/** The size of the system's `sun_path` in bytes, without the terminating zero. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

/** Returns a socket in the data directory, or a free local port on Windows and where the socket's path would be too long. */
export async function chooseAddress(pgdata: string): Promise<Address> {
  return fitsSocket(pgdata) ? { host: pgdata, port: SOCKET_PORT } : { host: LOOPBACK, port: await freePort() };
}

/** Returns a running server's address from its lock file. */
export const addressOf = (pgdata: string, { port, hasSocket }: { port: number; hasSocket: boolean }): Address =>
  hasSocket ? { host: pgdata, port } : { host: LOOPBACK, port };

const isSocket = ({ host }: Address): boolean => host !== LOOPBACK;

const fitsSocket = (pgdata: string): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(path.join(pgdata, `.s.PGSQL.${SOCKET_PORT}`)) <= LONGEST_PATH;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}
