import { once } from 'node:events';
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  endProcess,
  kill,
  openPostgresHarness,
  type PostgresHarness,
  pgdataOf,
  postmasterPid,
  query,
} from '../../test/support/postgres/harness.ts';
import { until } from '../../test/support/postgres/server.ts';
import { isAlive } from './lock-files.ts';

let harness: PostgresHarness;
beforeEach(() => {
  harness = openPostgresHarness();
});
afterEach(() => harness.cleanUp(), 60_000);

/** Returns the user who runs the server, which is the database's owner and not root. */
const serverUser = async (dataDir: string): Promise<{ uid: number; gid: number }> => stat(pgdataOf(dataDir));

/** Kills a Node process that created a database and wrote a row; returns the process id of its server, which keeps running. */
async function leaveServer(dataDir: string): Promise<number> {
  const child = await harness.node(dataDir, { work: 'create table note (id int); insert into note values (7)' });
  await until(() => child.printed() !== '');
  expect(child.printed()).toBe('ready\n');
  await endProcess(child.process);
  return postmasterPid(dataDir);
}

describe('a later start', () => {
  it('finds the stored data and applies new settings', async () => {
    const dataDir = await harness.dataDir();
    const first = await harness.start(dataDir);
    await query(first, 'create table note as select 7 as id');
    await first.stop();
    expect(await postmasterPid(dataDir)).toBe(0);
    const second = await harness.start(dataDir, { settings: { work_mem: '9MB' } });
    expect(await query(second, 'select id from note')).toEqual([[7]]);
    expect(await query(second, 'show work_mem')).toEqual([['9MB']]);
    expect(second.connection).toEqual(first.connection);
  });

  it('uses a local port if the socket’s path is too long', async () => {
    const dataDir = await harness.dataDir({ name: 'd'.repeat(90) });
    const server = await harness.start(dataDir);
    expect(server.connection.host).toBe('127.0.0.1');
    expect(await query(server, 'show listen_addresses')).toEqual([['127.0.0.1']]);
    const wrong = { connection: { ...server.connection, password: 'wrong' } };
    await expect(query(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await kill(await postmasterPid(dataDir));
    await until(() =>
      query(server, 'select 1').then(
        () => true,
        () => false,
      ),
    );
  });

  it('refuses a second Afterword and leaves the first alone', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    const pid = await postmasterPid(dataDir);
    const second = await harness.node(dataDir);
    await once(second.process, 'exit');
    expect(second.printed()).toBe(
      `Another Afterword is already using ${dataDir}. Stop that one first, or set DATA_DIR to another folder.\n`,
    );
    expect(await postmasterPid(dataDir)).toBe(pid);
    expect(await query(server, 'select 1')).toEqual([[1]]);
  });

  it('waits for a previous server that is stopping', async () => {
    const dataDir = await harness.dataDir();
    const first = await harness.start(dataDir);
    const [second] = await Promise.all([harness.start(dataDir), first.stop()]);
    expect(await query(second, 'select 1')).toEqual([[1]]);
  });
});

describe('after Node was killed', () => {
  it('adopts the server that was left running', async () => {
    const dataDir = await harness.dataDir();
    const pid = await leaveServer(dataDir);
    const server = await harness.start(dataDir);
    expect(pid).toBeGreaterThan(1);
    expect(await postmasterPid(dataDir)).toBe(pid);
    expect(await query(server, 'select id from note')).toEqual([[7]]);
    await server.stop();
    expect(await postmasterPid(dataDir)).toBe(0);
  });

  it('restarts it when the settings differ', async () => {
    const dataDir = await harness.dataDir();
    const pid = await leaveServer(dataDir);
    const server = await harness.start(dataDir, { settings: { work_mem: '9MB' } });
    expect(await postmasterPid(dataDir)).not.toBe(pid);
    expect(await query(server, 'select id from note')).toEqual([[7]]);
    expect(await query(server, 'show work_mem')).toEqual([['9MB']]);
  });

  it('recovers when the server was killed too', async () => {
    const dataDir = await harness.dataDir();
    await kill(await leaveServer(dataDir));
    const server = await harness.start(dataDir);
    expect(await query(server, 'select id from note')).toEqual([[7]]);
  });

  it('is not misled by a lock file that names an unrelated process', async () => {
    const dataDir = await harness.dataDir();
    await kill(await leaveServer(dataDir));
    const stranger = harness.process('sleep', ['60'], await serverUser(dataDir));
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) await renumber(path.join(pgdataOf(dataDir), name), stranger.pid ?? 0);
    const server = await harness.start(dataDir);
    expect(await query(server, 'select id from note')).toEqual([[7]]);
    expect(isAlive(stranger.pid ?? 0)).toBe(true);
    await server.stop();
    expect(stranger.exitCode).toBeNull();
  });

  it('is not misled by an empty lock file', async () => {
    const dataDir = await harness.dataDir();
    await kill(await leaveServer(dataDir));
    await truncate(path.join(pgdataOf(dataDir), 'postmaster.pid'));
    expect(await query(await harness.start(dataDir), 'select id from note')).toEqual([[7]]);
  });

  /** Replaces the process id in the first line. */
  async function renumber(file: string, pid: number): Promise<void> {
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(pid)));
  }
});
