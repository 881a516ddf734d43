import { pino } from 'pino';
import { JOBS } from '../../server/jobs.ts';
import { onCrash } from '../../server/platform/jobs/crashes.ts';
import { openJobs } from '../../server/platform/jobs/jobs.ts';

/* Runs a worker whose mail jobs throw an uncaught error: `crashing-job.ts <connection as JSON>`. Prints a line per started job. */

const [, , connection = ''] = process.argv;

onCrash(() => process.exit(1));
const jobs = await openJobs({
  connection: JSON.parse(connection),
  policies: JOBS,
  log: pino({ level: 'silent' }),
  works: true,
  recurring: false,
  timing: { poll: 0.2, retry: () => ({ retryLimit: 2, retryDelay: 0, retryBackoff: false }) },
});
await jobs.work({
  'mail.send': ({ data }) => {
    process.stdout.write(`${data.deliveryId}\n`);
    return new Promise((resolve) => {
      if (data.deliveryId !== 'crashes') return resolve();
      setImmediate(() => {
        throw new Error('Nothing catches this');
      });
    });
  },
});
