import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { createLog } from '../../server/platform/log/log.ts';

/* Runs the product as a worker process: `worker.ts <connection as JSON> <data folder> <settings as JSON>`. Prints `works` once it is ready. */

const [, , connection = '', dataDir = '', settings = '{}'] = process.argv;

await createApp({
  config: readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://of-this-test/alone',
    ROLES: 'worker',
    IDENTITY_SECRET: 'x'.repeat(32),
    ...JSON.parse(settings),
  }),
  log: createLog({ logLevel: 'error' }),
  connection: JSON.parse(connection),
  recurring: false,
});
process.stdout.write('works\n');
