import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { AFTERWORD } from '../../server/afterword.ts';
import { findEmbeddedPostgres } from '../../server/postgres/postgres.ts';
import { hasExited, killTree } from '../../test/support/processes.ts';
import { freePort } from '../free-port.ts';
import type { Disk } from './disk.ts';
import { until } from './until.ts';

/** A deliberate bug. */
export type Control = 'early-acknowledgement' | 'fsync-off';

/** The product's data folder and database. */
export interface Place {
  readonly dataDir: string;
  /** A separate server, by default the embedded one. */
  readonly database?: { readonly url: string; readonly connection: () => pg.ClientConfig };
  /** Further settings of the product. */
  readonly settings?: NodeJS.ProcessEnv;
  /** Removes what was prepared for it. */
  readonly remove?: () => Promise<void>;
}

/** The product as in production, in a process that can be killed. */
export interface Victim {
  readonly dataDir: string;
  readonly address: string;
  /** Its log lines: warnings and above. */
  readonly log: readonly string[];
  /** Opens a connection to its database that bypasses row security. The caller ends it. */
  connect(): Promise<pg.Client>;
  isReady(): Promise<boolean>;
  /** Resolves when it is ready. Throws if it has ended or isn't ready within a minute. */
  ready(): Promise<void>;
  /** Stops and starts it, as an upgrade does. Resolves when it is ready again. */
  restart(): Promise<void>;
  /** Kills and restarts it. Resolves when it is ready again. */
  killNode(): Promise<void>;
  /** Kills the postmaster, which the product restarts. Resolves when submissions are accepted again. */
  killPostgres(): Promise<void>;
  /** Cuts and restores the power of the disk and all processes, and starts the product. Resolves before it is ready. */
  losePower(disk: Disk): Promise<void>;
  stop(): Promise<void>;
}

const READY_WITHIN = 60_000;

type VictimOptions = Place & { readonly control?: Control | undefined };

export async function openVictim(options: VictimOptions): Promise<Victim> {
  const { dataDir, database } = options;
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const log: string[] = [];
  const embedded = () => findEmbeddedPostgres({ application: AFTERWORD, dataDir });
  const isReady = () => isReadyAt(address);
  let product = spawnProduct(options, port, log);
  await ready();

  return {
    dataDir,
    address,
    log,
    async connect() {
      const client = new pg.Client(database ? database.connection() : (await embedded())?.connection);
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    isReady,
    ready,
    restart: () => endAndStart('SIGTERM'),
    killNode: () => endAndStart('SIGKILL'),
    async killPostgres() {
      const server = await embedded();
      if (!server) throw new Error('PostgreSQL isn’t running');
      process.kill(server.pid, 'SIGKILL');
      await until(async () => !(await isReady()), 2_000);
      await ready();
    },
    async losePower(disk) {
      const server = await embedded();
      await disk.cut();
      // A server adopted by a later product isn't its child process.
      await Promise.all([product.pid, server?.pid].map((pid) => pid !== undefined && killTree(pid)));
      await ended(product);
      await disk.restore();
      product = spawnProduct(options, port, log);
    },
    async stop() {
      product.kill('SIGTERM');
      await ended(product);
      // A broken product, or one that couldn't stop, leaves its server running.
      const server = database ? undefined : await embedded();
      if (server) await killTree(server.pid);
    },
  };

  async function endAndStart(signal: NodeJS.Signals): Promise<void> {
    product.kill(signal);
    await ended(product);
    product = spawnProduct(options, port, log);
    await ready();
  }

  async function ready(): Promise<void> {
    const isUp = await until(async () => hasExited(product) || (await isReady()), READY_WITHIN);
    if (hasExited(product)) throw new Error(`The product ended: ${log.slice(-3).join(' ')}`);
    if (!isUp) throw new Error(`The product was not ready within ${READY_WITHIN} ms: ${log.slice(-3).join(' ')}`);
  }
}

function spawnProduct({ dataDir, database, control, settings }: VictimOptions, port: number, log: string[]): ChildProcess {
  const main = control ? 'scripts/crash/broken-product.ts' : 'server/main.ts';
  const child = spawn(process.execPath, [main, ...(control ? [control] : [])], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: database?.url ?? '',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      SEED: 'demo',
      ALLOW_VOLATILE: control === 'fsync-off' ? '1' : '',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', (line) => log.push(line));
  return child;
}

/** Whether the product, or a proxy in front of it, accepts requests. */
export const isReadyAt = (address: string): Promise<boolean> =>
  fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

const ended = async (child: ChildProcess): Promise<void> => {
  if (!hasExited(child)) await once(child, 'exit');
};
