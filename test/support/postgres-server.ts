import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../scripts/free-port.ts';
import { AFTERWORD } from '../../server/afterword.ts';
import { type Binaries, findBinaries, runProgram, spawnProgram } from '../../server/postgres/binaries.ts';
import { isRoot, unprivilegedUser } from '../../server/postgres/os-user.ts';
import { killTree } from './processes.ts';

const SUPERUSER = 'afterword';
const PASSWORD = 'replicated';
const WITHIN = 30_000;

/** A PostgreSQL that the product does not run itself: what DATABASE_URL names. */
export interface TestServer {
  readonly binaries: Binaries;
  readonly pgdata: string;
  readonly port: number;
  process?: ChildProcess;
}

/** Makes its empty database cluster. */
export async function initialize({ binaries, pgdata }: TestServer): Promise<void> {
  const passwordFile = path.join(path.dirname(pgdata), 'password');
  await writeFile(passwordFile, PASSWORD, { mode: 0o644 });
  const options = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'];
  const { succeeded, output } = await runProgram(binaries, 'initdb', ['-D', pgdata, ...options]);
  if (!succeeded) throw new Error(output);
}

/** A server whose files will be in a folder of this name. The folder above is given to who runs it. */
export async function newServer(folder: string, name: string): Promise<TestServer> {
  const osUser = isRoot() ? await unprivilegedUser(AFTERWORD) : undefined;
  await chmod(folder, 0o711);
  if (osUser) await chown(folder, osUser.uid, osUser.gid);
  const binaries = await findBinaries({ application: AFTERWORD, dataDir: folder, pgdata: folder, osUser });
  return { binaries, pgdata: path.join(folder, name), port: await freePort() };
}

/** Names the servers as libpq writes it. */
export const urlOf = (...servers: readonly TestServer[]): string =>
  `postgres://${SUPERUSER}:${PASSWORD}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`;

/** How the superuser connects. */
export const superuserOf = ({ port }: TestServer): pg.ClientConfig => ({
  host: '127.0.0.1',
  port,
  user: SUPERUSER,
  password: PASSWORD,
  database: 'postgres',
});

const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'wal_keep_size=1GB', 'shared_buffers=64MB'];

/** Starts it without waiting; gives what it says. */
export async function launch(server: TestServer): Promise<string[]> {
  const settings = [...SETTINGS, `port=${server.port}`].flatMap((setting) => ['-c', setting]);
  const child = await spawnProgram(server.binaries, 'postgres', ['-D', server.pgdata, ...settings]);
  const said: string[] = [];
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk) => said.push(String(chunk)));
  server.process = child;
  return said;
}

/** Resolves when it can be asked. */
export async function startServer(server: TestServer): Promise<void> {
  const said = await launch(server);
  await until(async () => {
    if (server.process?.exitCode !== null) throw new Error(said.join(''));
    return query(server, 'select 1').then(
      () => true,
      () => false,
    );
  });
}

export async function killServer({ process: child }: TestServer): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  await killTree(child.pid);
  await exit;
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

export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WITHIN; !(await holds()); await sleep(50)) if (Date.now() > end) throw new Error(`Not within ${WITHIN} ms`);
}
