import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  kill,
  messageOf,
  openPostgresHarness,
  type PostgresHarness,
  pgdataOf,
  postmasterPid,
  query,
  until,
} from '../../test/support/postgres-harness.ts';

let harness: PostgresHarness;
beforeEach(() => {
  harness = openPostgresHarness();
});
afterEach(() => harness.cleanUp(), 60_000);

async function serverLog(dataDir: string): Promise<string> {
  const folder = path.join(pgdataOf(dataDir), 'log');
  const texts = (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8'));
  return (await Promise.all(texts)).join('');
}

describe('a restart', () => {
  it('starts a killed server again, with all that was acknowledged', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    await query(server, 'create table note as select 7 as id');
    for (const round of [1, 2]) {
      const pid = await postmasterPid(dataDir);
      await kill(pid);
      await until(
        () =>
          query(server, 'select id from note').then(
            ([row]) => row?.[0] === 7,
            () => false,
          ),
        5_000,
      );
      expect(await postmasterPid(dataDir)).not.toBe(pid);
      await until(() => harness.logged.filter((line) => line.startsWith('PostgreSQL is back')).length === round);
    }
  });

  it('does not wait for a busy child of the killed server', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    const busy = query(server, 'select count(*) from generate_series(1, 1000000000) where random() < 0').catch(() => 'lost');
    await until(
      async () =>
        (
          await query(server, `select count(*) from pg_stat_activity where query like '%generate_series(1%' and state = 'active'`)
        )[0]?.[0] === '2',
    );
    await kill(await postmasterPid(dataDir));
    await until(
      () =>
        query(server, 'select 1').then(
          () => true,
          () => false,
        ),
      5_000,
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

  it('starts no server once it is stopped', async () => {
    const dataDir = await harness.dataDir();
    for (const delay of [0, 60, 100, 115, 130, 145, 160, 175, 200]) {
      const server = await harness.start(dataDir);
      process.kill(await postmasterPid(dataDir), 'SIGKILL');
      await sleep(delay);
      await Promise.all([server.stop(), server.stop()]);
      await sleep(200);
      expect([delay, await postmasterPid(dataDir)]).toEqual([delay, 0]);
    }
  });

  it('is tried again until it succeeds, and says once what lasts', async () => {
    const dataDir = await harness.dataDir();
    await harness.start(dataDir);
    const journal = path.join(pgdataOf(dataDir), 'pg_wal');
    await rename(journal, `${journal}-away`);
    await kill(await postmasterPid(dataDir));
    await until(async () => (await serverLog(dataDir)).split('"pg_wal" does not exist').length > 4, 20_000);
    await rename(`${journal}-away`, journal);
    await until(() => harness.logged.some((line) => line.startsWith('PostgreSQL is back')), 20_000);
    expect(harness.logged.filter((line) => line.startsWith('PostgreSQL could not be started'))).toHaveLength(1);
  });

  it('can be left out', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir, { restart: false });
    await kill(await postmasterPid(dataDir));
    await sleep(1_000);
    expect(await postmasterPid(dataDir)).toBe(0);
    await server.stop();
  });
});
