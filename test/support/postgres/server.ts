import type { ChildProcess } from 'node:child_process';
import { chmod, chown, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../../scripts/free-port.ts';
import { AFTERWORD } from '../../../server/afterword.ts';
import { type Binaries, findBinaries, runProgram, spawnProgram } from '../../../server/postgres/binaries.ts';
import { isRoot, unprivilegedUser } from '../../../server/postgres/os-user.ts';
import { PATIENT } from '../patience.ts';
import { killChild } from '../processes.ts';

const SUPERUSER = 'afterword';
const PASSWORD = 'replicated';

/** A PostgreSQL server outside the product, as named by DATABASE_URL. */
export interface TestServer {
  readonly binaries: Binaries;
  readonly pgdata: string;
  readonly port: number;
  /** C by default, which has no letters beyond ASCII. */
  readonly locale?: string;
  /** Further settings, such as `max_connections=300`. */
  readonly settings?: readonly string[];
  process?: ChildProcess;
}

/** Creates the server's empty database cluster. */
export async function initialize({ binaries, pgdata, locale = 'C' }: TestServer): Promise<void> {
  const passwordFile = path.join(path.dirname(pgdata), 'password');
  await writeFile(passwordFile, PASSWORD, { mode: 0o644 });
  const options = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8', `--locale=${locale}`];
  const { succeeded, output } = await runProgram(binaries, 'initdb', ['-D', pgdata, ...options]);
  if (!succeeded) throw new Error(output);
}

/** Returns a server with its files in a folder of this name, and gives the parent folder to the OS user that runs it. */
export async function newServer(folder: string, name: string): Promise<TestServer> {
  const osUser = isRoot() ? await unprivilegedUser(AFTERWORD) : undefined;
  await chmod(folder, 0o711);
  if (osUser) await chown(folder, osUser.uid, osUser.gid);
  const binaries = await findBinaries({ application: AFTERWORD, dataDir: folder, pgdata: folder, osUser });
  return { binaries, pgdata: path.join(folder, name), port: await freePort() };
}

/** Returns the libpq URL of the servers. */
export const urlOf = (...servers: readonly TestServer[]): string =>
  `postgres://${SUPERUSER}:${PASSWORD}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`;

/** Returns the superuser's connection settings. */
export const superuserOf = ({ port }: TestServer) =>
  ({ host: '127.0.0.1', port, user: SUPERUSER, password: PASSWORD, database: 'postgres' }) satisfies pg.ClientConfig;

const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'wal_keep_size=1GB', 'shared_buffers=64MB'];

/** Starts the server without waiting, and returns its growing output. */
export async function launch(server: TestServer): Promise<string[]> {
  const settings = [...SETTINGS, ...(server.settings ?? []), `port=${server.port}`].flatMap((setting) => ['-c', setting]);
  const child = await spawnProgram(server.binaries, 'postgres', ['-D', server.pgdata, ...settings]);
  const lines: string[] = [];
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk) => lines.push(String(chunk)));
  server.process = child;
  return lines;
}

/** Starts the server, and resolves when it accepts queries; throws with its output when it exits. */
export async function startServer(server: TestServer): Promise<void> {
  const lines = await launch(server);
  await until(async () => {
    if (server.process?.exitCode !== null) throw new Error(lines.join(''));
    return query(server, 'select 1').then(
      () => true,
      () => false,
    );
  });
}

export async function killServer({ process: child }: TestServer): Promise<void> {
  if (child) await killChild(child);
}

export async function configure(server: TestServer, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) await query(server, `alter system set ${name} = ${pg.escapeLiteral(value)}`);
  await query(server, 'select pg_reload_conf()');
}

export async function writeOwned({ binaries, pgdata }: TestServer, name: string, text: string): Promise<void> {
  const file = path.join(pgdata, name);
  await writeFile(file, text, { mode: 0o600 });
  if (binaries.osUser) await chown(file, binaries.osUser.uid, binaries.osUser.gid);
}

export async function connect(server: TestServer): Promise<pg.Client> {
  const client = new pg.Client(superuserOf(server));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export async function query<T extends pg.QueryResultRow>(server: TestServer, sql: string): Promise<pg.QueryResult<T>> {
  const client = await connect(server);
  try {
    return await client.query<T>(sql);
  } finally {
    await client.end();
  }
}

export async function until(condition: () => boolean | Promise<boolean>, within = PATIENT.timeout): Promise<void> {
  for (const end = Date.now() + within; !(await condition()); await sleep(5))
    if (Date.now() > end) throw new Error(`Not within ${within} ms: ${condition}`);
}
