import { once } from 'node:events';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildCitus, ClusterError, findCitus } from './citus.ts';
import { startCluster } from './servers.ts';
import { runTests } from './tests.ts';

const HELP = `npm run cluster -- [options]

Starts a Citus cluster on this machine, one coordinator and two workers, and prints its DATABASE_URL. It runs until interrupted, and then deletes its data.

  --test [FILES]    runs the module tests on it, or these files, and stops
  --build GIT_DIR   first builds Citus from a git directory of citusdata/citus for Debian's PostgreSQL 15 and installs it (root, ten minutes)
  --help            this text
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { test: { type: 'boolean' }, build: { type: 'string' }, help: { type: 'boolean' } },
});

if (values.help) process.stdout.write(HELP);
else
  await main().catch((error: unknown) => {
    if (!(error instanceof ClusterError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });

async function main(): Promise<void> {
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  if (values.build !== undefined) buildCitus(values.build);
  const cluster = await startCluster(findCitus());
  try {
    if (values.test) process.exitCode = (await runTests(cluster.url, positionals)) ? 0 : 1;
    else {
      process.stdout.write(`The cluster is ready. Start Afterword in another terminal:\n\nDATABASE_URL=${cluster.url} npm start\n\n`);
      await interrupted;
    }
  } finally {
    await cluster.stop();
  }
}
