import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  endProcess,
  messageOf,
  modeOf,
  openPostgresHarness,
  type PostgresHarness,
  pgdataOf,
  query,
} from '../../test/support/postgres/harness.ts';
import { until } from '../../test/support/postgres/server.ts';

let harness: PostgresHarness;
beforeEach(() => {
  harness = openPostgresHarness();
});
afterEach(() => harness.cleanUp(), 60_000);

describe('the first start', () => {
  it('creates a database that no one else can read', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    expect(await modeOf(pgdataOf(dataDir))).toBe('700');
    expect(await modeOf(path.join(dataDir, 'postgres.password'))).toBe('600');
    expect(await modeOf(path.join(pgdataOf(dataDir), '.s.PGSQL.5432'))).toBe('700');
    expect(server.connection).toMatchObject({ host: pgdataOf(dataDir), user: 'afterword', database: 'afterword' });
    expect(server.connection.password.length).toBeGreaterThanOrEqual(32);
    const wrong = { connection: { ...server.connection, password: 'wrong' } };
    await expect(query(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect(await readdir(dataDir)).toEqual(['postgres', 'postgres.password']);
  });

  it('syncs commits to disk and logs no data', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    const settings = {
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      wal_level: 'replica',
      listen_addresses: '',
      server_encoding: 'UTF8',
      timezone: 'UTC',
      logging_collector: 'on',
      log_statement: 'none',
    };
    for (const [name, value] of Object.entries(settings)) expect([name, await query(server, `show ${name}`)]).toEqual([name, [[value]]]);
    await expect(query(server, `select 'a private remark'::uuid`)).rejects.toMatchObject({ code: '22P02' });
    await expect(query(server, `do $$ begin raise exception 'a private remark'; end $$`)).rejects.toMatchObject({ code: 'P0001' });
    await query(server, `do $$ begin raise warning 'a private remark'; end $$`);
    await server.stop();
    const folder = path.join(pgdataOf(dataDir), 'log');
    const readLogs = async (): Promise<string> =>
      (await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')))).join('');
    // The logging process exits after the server.
    await until(async () => (await readLogs()).includes('is shut down')).catch(() => undefined);
    const text = await readLogs();
    expect(text).toContain('database system is shut down');
    expect(text).not.toContain('private');
  });

  it('lowercases letters of every language', async () => {
    const server = await harness.start(await harness.dataDir());
    expect(await query(server, `select lower('GRÜSSE ЖУК'), 'Жук' ilike '%жУ%', 'B' < 'a'`)).toEqual([['grüsse жук', true, true]]);
  });

  it('starts over after being killed halfway', async () => {
    const dataDir = await harness.dataDir();
    const child = await harness.node(dataDir);
    const isIncomplete = async (): Promise<boolean> =>
      (await readdir(dataDir, { recursive: true }).catch(() => [])).some((name) => name.endsWith('postgres/PG_VERSION'));
    await until(isIncomplete);
    await endProcess(child.process);
    await expect(stat(path.join(pgdataOf(dataDir), 'PG_VERSION'))).rejects.toMatchObject({ code: 'ENOENT' });
    const server = await harness.start(dataDir);
    expect(await query(server, 'select 1')).toEqual([[1]]);
    await server.stop();
    await harness.start(dataDir);
    expect(await readdir(dataDir)).toEqual(['postgres', 'postgres.password']);
  });

  it('succeeds for one of two concurrent processes', async () => {
    const dataDir = await harness.dataDir();
    const starts = await Promise.all([messageOf(harness.start(dataDir)), messageOf(harness.start(dataDir))]);
    expect(starts.sort()).toEqual([expect.stringContaining('Another Afterword is already using'), 'it started']);
    const otherDir = await harness.dataDir();
    const children = [await harness.node(otherDir), await harness.node(otherDir)];
    await until(() => children.every((child) => child.printed() !== ''));
    expect(children.map((child) => child.printed()).sort()).toEqual([
      expect.stringContaining('Another Afterword is already using'),
      'ready\n',
    ]);
  });
});
