import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AFTERWORD } from '../../server/afterword.ts';
import { isAlive, runningPostmaster } from '../../server/postgres/lock-files.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../server/postgres/postgres.ts';

/** Folders, servers and processes of a test, gone afterwards whatever happened between. */
export interface PostgresHarness {
  /** A new folder's `data`, which does not exist yet. `mode` is that of the folder above. */
  dataDir(options?: { mode?: number; name?: string }): Promise<string>;
  start(dataDir: string, options?: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres>;
  /** What was logged, oldest first. */
  readonly logged: string[];
  /** Another Node process that starts the server, does `work` with a client of it, prints, and stays. */
  node(dataDir: string, options?: { work?: string; uid?: number }): Promise<Child>;
  process(program: string, args: string[], account?: { uid: number; gid: number }): ChildProcess;
  cleanUp(): Promise<void>;
}

export interface Child {
  readonly process: ChildProcess;
  /** All that it printed to both outputs so far. */
  printed(): string;
}

const SCRIPT = `
  import pg from 'pg';
  import { AFTERWORD } from '${new URL('../../server/afterword.ts', import.meta.url).href}';
  import { startEmbeddedPostgres } from '${new URL('../../server/postgres/postgres.ts', import.meta.url).href}';
  const quiet = () => {};
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
  const log = { info: write, warn: write, error: write };

  const launch: PostgresHarness['process'] = (program, args, account) => {
    const child = spawn(program, args, { ...account, stdio: ['ignore', 'pipe', 'pipe'] });
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
      const server = await startEmbeddedPostgres({ application: AFTERWORD, dataDir, log, ...options });
      servers.push(server);
      return server;
    },
    async node(dataDir, { work = 'select 1', uid } = {}) {
      const child = launch(
        process.execPath,
        ['--input-type=module', '-e', SCRIPT, dataDir, work],
        uid === undefined ? undefined : { uid, gid: uid },
      );
      const printed: string[] = [];
      child.stdout?.on('data', (chunk) => printed.push(String(chunk)));
      child.stderr?.on('data', (chunk) => printed.push(String(chunk)));
      return { process: child, printed: () => printed.join('') };
    },
    async cleanUp() {
      await Promise.all(processes.map(endProcess));
      await Promise.all(servers.map((server) => server.stop().catch(() => undefined)));
      for (const folder of folders) await removeFolder(folder);
    },
  };
}

/** Sent to the process, and waited for. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Kills what still runs there, and removes the folder with what root keeps of it elsewhere. */
async function removeFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const database = path.join(folder, name, 'postgres');
    const elsewhere = await readlink(database).catch(() => undefined);
    const running = await runningPostmaster(elsewhere ?? database);
    if (running) await kill(running.pid);
    if (elsewhere) await rm(path.dirname(elsewhere), { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** As a crash would: nothing can be done about it. */
export async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until(async () => !isAlive(pid) || (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) === '');
}

export async function until(holds: () => boolean | Promise<boolean>, within = 10_000): Promise<void> {
  const end = Date.now() + within;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${within} ms: ${holds}`);
    await sleep(5);
  }
}

/** One statement on a connection of its own; rows as arrays of values. */
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
