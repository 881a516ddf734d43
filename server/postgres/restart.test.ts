import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  kill,
  messageOf,
  openPostgresHarness,
  type PostgresHarness,
  pgdataOf,
  postmasterPid,
  query,
  serversOf,
} from '../../test/support/postgres/harness.ts';
import { until } from '../../test/support/postgres/server.ts';
import { readPostmaster } from './lock-files.ts';

let harness: PostgresHarness;
beforeEach(() => {
  harness = openPostgresHarness();
});
afterEach(() => harness.cleanUp(), 60_000);

const logs = (message: string): boolean => harness.logged.some((line) => line.startsWith(message));

/** Returns the id of the server that takes connections, according to its lock file. */
async function readyPid(dataDir: string): Promise<number | undefined> {
  const postmaster = await readPostmaster(pgdataOf(dataDir));
  return postmaster?.status === 'ready' ? postmaster.pid : undefined;
}

async function serverLog(dataDir: string): Promise<string> {
  const folder = path.join(pgdataOf(dataDir), 'log');
  const texts = (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8'));
  return (await Promise.all(texts)).join('');
}

describe('a restart', () => {
  it('starts a killed server again without losing data', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    await query(server, 'create table note as select 7 as id');
    for (const round of [1, 2]) {
      const pid = await postmasterPid(dataDir);
      await kill(pid);
      await until(() =>
        query(server, 'select id from note').then(
          ([row]) => row?.[0] === 7,
          () => false,
        ),
      );
      expect(await postmasterPid(dataDir)).not.toBe(pid);
      await until(() => harness.logged.filter((line) => line.startsWith('PostgreSQL is back')).length === round);
    }
  });

  it('does not wait for a busy child of the killed server', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    const busy = query(server, 'do $$ begin loop end loop; end $$').catch(() => 'lost');
    await until(
      async () =>
        (await query(server, `select count(*) from pg_stat_activity where query like 'do %loop%' and state = 'active'`))[0]?.[0] === '1',
    );
    await kill(await postmasterPid(dataDir));
    await until(() =>
      query(server, 'select 1').then(
        () => true,
        () => false,
      ),
    );
    expect(await busy).toBe('lost');
  });

  it('takes the lock again when only its connection was lost', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    const pid = await postmasterPid(dataDir);
    await query(server, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'afterword supervisor'`);
    await until(() => harness.logged.some((line) => line.startsWith('PostgreSQL is back')));
    expect(await postmasterPid(dataDir)).toBe(pid);
    expect(await messageOf(harness.start(dataDir))).toContain('Another Afterword');
  });

  it.each<[string, (dataDir: string, lost: number) => boolean | Promise<boolean>]>([
    ['before the loss is noticed', () => true],
    ['when the loss is logged', () => logs('PostgreSQL was lost')],
    ['when the next server is spawned', async (dataDir, lost) => (await serversOf(dataDir)).some((pid) => pid !== lost)],
    ['when the next server has its lock file', async (dataDir, lost) => ![0, lost].includes(await postmasterPid(dataDir))],
    ['when the next server takes connections', async (dataDir, lost) => ![undefined, lost].includes(await readyPid(dataDir))],
    ['when the next server is back', () => logs('PostgreSQL is back')],
  ])('starts no server after it is stopped %s', async (_when, isTime) => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    const lost = await postmasterPid(dataDir);
    process.kill(lost, 'SIGKILL');
    await until(() => isTime(dataDir, lost));
    await Promise.all([server.stop(), server.stop()]);
    const logged = harness.logged.length;
    expect(await serversOf(dataDir)).toEqual([]);
    expect(await postmasterPid(dataDir)).toBe(0);
    // A continuing restart would take the lock and make this start fail.
    await (await harness.start(dataDir, { restart: false })).stop();
    expect(await serversOf(dataDir)).toEqual([]);
    expect(harness.logged.slice(logged).filter((line) => /PostgreSQL (?:was lost|is back|could not)/.test(line))).toEqual([]);
  });

  it('is retried until it succeeds, and logs a lasting problem once', async () => {
    const dataDir = await harness.dataDir();
    await harness.start(dataDir);
    const journal = path.join(pgdataOf(dataDir), 'pg_wal');
    await rename(journal, `${journal}-away`);
    await kill(await postmasterPid(dataDir));
    await until(async () => (await serverLog(dataDir)).split('"pg_wal" does not exist').length > 4);
    await rename(`${journal}-away`, journal);
    await until(() => harness.logged.some((line) => line.startsWith('PostgreSQL is back')));
    expect(harness.logged.filter((line) => line.startsWith('PostgreSQL could not be started'))).toHaveLength(1);
  });

  it('does not happen when it is turned off', async () => {
    const [dataDir, restarted] = [await harness.dataDir(), await harness.dataDir()];
    await harness.start(dataDir, { restart: false });
    await harness.start(restarted);
    await kill(await postmasterPid(dataDir));
    await kill(await postmasterPid(restarted));
    await until(() => logs('PostgreSQL is back'));
    expect(await serversOf(dataDir)).toEqual([]);
  });
});
