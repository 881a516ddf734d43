import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { AFTERWORD } from '../../../server/afterword.ts';
import { isAlive, runningPostmaster } from '../../../server/postgres/lock-files.ts';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../../server/postgres/postgres.ts';
import { until } from './server.ts';

/** The folders, servers and processes of a test, with a cleanup for all of them. */
export interface PostgresHarness {
  /** Returns the path `data`, not created yet, in a new folder with the given mode. */
  dataDir(options?: { mode?: number; name?: string }): Promise<string>;
  start(dataDir: string, options?: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres>;
  /** The log lines, oldest first. */
  readonly logged: string[];
  /**
   * Starts another Node process, which starts the server, runs the SQL in `work`, prints the result and stays. It switches to `uid`
   * once the code is loaded, because another user may not be able to read this folder.
   */
  node(dataDir: string, options?: { work?: string; uid?: number }): Promise<Child>;
  process(program: string, args: string[], user?: { uid: number; gid: number }): ChildProcess;
  cleanUp(): Promise<void>;
}

interface Child {
  readonly process: ChildProcess;
  /** Returns the text printed to both outputs so far. */
  printed(): string;
}

const SCRIPT = `
  import pg from 'pg';
  import { AFTERWORD } from '${new URL('../../../server/afterword.ts', import.meta.url).href}';
  import { startEmbeddedPostgres } from '${new URL('../../../server/postgres/postgres.ts', import.meta.url).href}';
  const quiet = () => {};
  const uid = Number(process.argv[3]);
  if (uid > 0) {
    process.setgid(uid);
    process.setuid(uid);
  }
  try {
    const server = await startEmbeddedPostgres({ application: AFTERWORD, dataDir: process.argv[1], log: { info: quiet, warn: quiet, error: quiet } });
    const client = new pg.Client(server.connection);
    await client.connect();
    await client.query(process.argv[2]);
    console.log('ready');
    setInterval(quiet, 1000);
  } catch (error) {
    console.log(error.message);
  }`;

export function openPostgresHarness(): PostgresHarness {
  const folders: string[] = [];
  const servers: EmbeddedPostgres[] = [];
  const processes: ChildProcess[] = [];
  const logged: string[] = [];
  const write = (details: object, message: string): void => void logged.push(`${message} ${JSON.stringify(details)}`);

  const launch: PostgresHarness['process'] = (program, args, user) => {
    const child = spawn(program, args, { ...user, stdio: ['ignore', 'pipe', 'pipe'] });
    processes.push(child);
    return child;
  };

  return {
    logged,
    process: launch,
    async dataDir({ mode = 0o711, name = 'data' } = {}) {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'afterword-test-'));
      folders.push(folder);
      await chmod(folder, mode);
      return path.join(folder, name);
    },
    async start(dataDir, options) {
      const log = { info: write, warn: write, error: write };
      const server = await startEmbeddedPostgres({ application: AFTERWORD, dataDir, log, ...options });
      servers.push(server);
      return server;
    },
    node: async (dataDir, { work = 'select 1', uid } = {}) =>
      listenTo(launch(process.execPath, ['--input-type=module', '-e', SCRIPT, dataDir, work, String(uid ?? 0)])),
    async cleanUp() {
      await Promise.all(processes.map(endProcess));
      await Promise.all(servers.map((server) => server.stop().catch(() => undefined)));
      for (const folder of folders) await removeFolder(folder);
    },
  };
}

function listenTo(child: ChildProcess): Child {
  const printed: string[] = [];
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk) => printed.push(String(chunk)));
  return { process: child, printed: () => printed.join('') };
}

/** Kills a process, and waits until it has exited. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Kills the servers of a folder, and removes it along with the data that root stores elsewhere. */
async function removeFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pgdata = pgdataOf(path.join(folder, name));
    const elsewhere = await readlink(pgdata).catch(() => undefined);
    const running = await runningPostmaster(elsewhere ?? pgdata);
    if (running) await kill(running.pid);
    if (elsewhere) await rm(path.dirname(elsewhere), { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Returns the ids of all servers of a data directory, including one that has just been spawned and has no lock file yet. */
export async function serversOf(dataDir: string): Promise<number[]> {
  const pgdata = await realpath(pgdataOf(dataDir));
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const isServer = async (pid: number): Promise<boolean> => {
    const [program = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return path.basename(program) === 'postgres' && args.includes(pgdata);
  };
  const areServers = await Promise.all(pids.map(isServer));
  return pids.filter((_, index) => areServers[index]);
}

/** Kills a process as a crash would, with SIGKILL. */
export async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until(async () => !isAlive(pid) || (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) === '');
}

/** Runs one statement on a new connection, and returns its rows as arrays of values. */
export async function query(server: Pick<EmbeddedPostgres, 'connection'>, text: string): Promise<unknown[][]> {
  const client = new pg.Client(server.connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns PostgreSQL's directory in the application's data folder. */
export const pgdataOf = (dataDir: string): string => path.join(dataDir, 'postgres');

/** Returns the server's process id, or zero when none runs. */
export const postmasterPid = async (dataDir: string): Promise<number> => (await runningPostmaster(pgdataOf(dataDir)))?.pid ?? 0;

/** Returns a file's permissions in octal digits, such as `700`. */
export const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);

/** Returns the message of a start that is expected to fail. */
export const messageOf = (start: Promise<unknown>): Promise<string> =>
  start.then(
    () => 'it started',
    (error: Error) => (error instanceof EmbeddedPostgresError ? error.message : `not in plain words: ${error.stack}`),
  );
