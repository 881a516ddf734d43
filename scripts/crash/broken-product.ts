import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AFTERWORD } from '../../server/afterword.ts';
import { createApp } from '../../server/app.ts';
import { openIntake } from '../../server/feedback/intake.ts';
import type { Insert } from '../../server/feedback/store.ts';
import * as store from '../../server/feedback/store.ts';
import { JOBS } from '../../server/jobs.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import type { Platform } from '../../server/platform/context.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { createLog } from '../../server/platform/log/log.ts';
import { startEmbeddedPostgres } from '../../server/postgres/postgres.ts';
import { loadSample, planSample } from '../../server/sample.ts';
import type { Control } from './victim.ts';

/** Runs the product with a deliberate bug, which the crash test must catch. */
const control = process.argv[2] as Control;
const config = readConfig();
const log = createLog(config);

await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
await planSample(config);
const postgres = await startEmbeddedPostgres({
  application: AFTERWORD,
  dataDir: config.dataDir,
  log,
  settings: control === 'fsync-off' ? { fsync: 'off' } : {},
});
const connection = await migrate({ owner: postgres.connection, jobs: Object.keys(JOBS), allowVolatile: config.allowVolatile });
const app = await createApp({ config, log, connection, ...(control === 'early-acknowledgement' && { intake: earlyAcknowledgingIntake }) });
await loadSample(app);
await app.http.listen({ host: config.host, port: config.port });
process.on('SIGTERM', () => {
  void app
    .stop()
    .then(() => postgres.stop())
    .then(() => process.exit(0));
});

/** Returns an intake that acknowledges a submission before it is stored. */
function earlyAcknowledgingIntake(platform: Platform) {
  const insert: Insert = async (rows, lane) => {
    void sleep(20)
      .then(() => store.insertMany(platform.database, rows, { lane, subscribedNames: [] }))
      .catch(() => undefined);
    return { ids: new Set(rows.map(({ id }) => id)), arrivals: [] };
  };
  return openIntake(platform, { insert });
}
