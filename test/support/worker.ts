import { type App, createApp } from '../../server/app.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import type { ConnectionSettings } from '../../server/platform/database/database.ts';
import { createLog } from '../../server/platform/log/log.ts';

interface WorkerOptions {
  readonly connection: ConnectionSettings;
  readonly dataDir: string;
  readonly settings: NodeJS.ProcessEnv;
}

/** Opens a worker of the product, which starts with the jobs that wait. */
export const openWorker = ({ connection, dataDir, settings }: WorkerOptions): Promise<App> =>
  createApp({
    config: readConfig({
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://of-this-test/alone',
      ROLES: 'worker',
      IDENTITY_SECRET: 'x'.repeat(32),
      ...settings,
    }),
    log: createLog({ logLevel: 'error' }),
    connection,
    recurring: false,
  });

/* As a process: `worker.ts <connection as JSON> <data folder> <settings as JSON>`. Prints `works` once it is ready. */
if (import.meta.main) {
  const [, , connection = '', dataDir = '', settings = '{}'] = process.argv;
  await openWorker({ connection: JSON.parse(connection), dataDir, settings: JSON.parse(settings) });
  process.stdout.write('works\n');
}
