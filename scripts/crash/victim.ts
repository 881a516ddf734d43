import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AFTERWORD } from '../../server/afterword.ts';
import { findEmbeddedPostgres } from '../../server/postgres/postgres.ts';
import { freePort } from '../free-port.ts';

/** How a product is broken on purpose. */
export type Control = 'early-acknowledgement' | 'fsync-off';

/** The product as it runs for a business, in a process of its own that can be killed. */
export interface Victim {
  readonly dataDir: string;
  readonly address: string;
  /** SIGKILL, then a new start. Resolves when it is ready again. */
  killNode(): Promise<void>;
  /** SIGKILL for the postmaster; the product starts it again. Resolves when submissions can be taken. */
  killPostgres(): Promise<void>;
  stop(): Promise<void>;
}

const READY_WITHIN = 60_000;
const LOOK = 20;

export async function openVictim({ dataDir, control }: { dataDir: string; control: Control | undefined }): Promise<Victim> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  let product = spawnProduct();
  await ready();

  return {
    dataDir,
    address,
    async killNode() {
      product.kill('SIGKILL');
      await ended(product);
      product = spawnProduct();
      await ready();
    },
    async killPostgres() {
      const server = await findEmbeddedPostgres({ application: AFTERWORD, dataDir });
      if (!server) throw new Error('PostgreSQL does not run');
      process.kill(server.pid, 'SIGKILL');
      await until(async () => !(await isReady()), 2_000);
      await ready();
    },
    async stop() {
      product.kill('SIGTERM');
      await ended(product);
    },
  };

  function spawnProduct(): ChildProcess {
    const main = control ? 'scripts/crash/broken-product.ts' : 'server/main.ts';
    return spawn(process.execPath, [main, ...(control ? [control] : [])], {
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        PORT: String(port),
        LOG_LEVEL: 'fatal',
        SEED: 'demo',
        ALLOW_VOLATILE: control === 'fsync-off' ? '1' : '',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  async function ready(): Promise<void> {
    if (!(await until(isReady, READY_WITHIN))) throw new Error(`The product was not ready within ${READY_WITHIN} ms`);
  }

  function isReady(): Promise<boolean> {
    return fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

async function until(holds: () => Promise<boolean>, within: number): Promise<boolean> {
  for (const end = Date.now() + within; Date.now() < end; await sleep(LOOK)) if (await holds()) return true;
  return false;
}
