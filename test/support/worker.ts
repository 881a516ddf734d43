import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { createLog } from '../../server/platform/log/log.ts';

/* The product as a process that only works on the queue: `worker.ts <how to connect, as JSON> <a folder> <settings, as JSON>`. Says `works` when it does. */

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
