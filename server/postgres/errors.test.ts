import { chmod, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { messageOf, openPostgresHarness, type PostgresHarness, pgdataOf, postmasterPid } from '../../test/support/postgres/harness.ts';

let harness: PostgresHarness;
beforeEach(() => {
  harness = openPostgresHarness();
});
afterEach(() => harness.cleanUp(), 60_000);

describe('the error message', () => {
  it('names both versions for a database of another one', async () => {
    const dataDir = await stoppedDatabase();
    await writeFile(path.join(pgdataOf(dataDir), 'PG_VERSION'), '17\n');
    const message = await messageOf(harness.start(dataDir));
    expect(message).toContain('was created by PostgreSQL 17, but this Afterword includes PostgreSQL 18');
    expect(message).toContain('DATABASE_URL');
  });

  it('quotes the server’s output for a damaged database', async () => {
    const dataDir = await stoppedDatabase();
    await truncate(path.join(pgdataOf(dataDir), 'global', 'pg_control'), 100);
    expect(await messageOf(harness.start(dataDir))).toMatch(/could not start on the database in .* Its last output:\n[\s\S]*pg_control/);
  });

  it('quotes the server’s log for a damaged journal', async () => {
    const dataDir = await stoppedDatabase();
    const journal = path.join(pgdataOf(dataDir), 'pg_wal');
    for (const name of (await readdir(journal)).filter((each) => each.length === 24)) await rm(path.join(journal, name));
    expect(await messageOf(harness.start(dataDir))).toMatch(/Its last output:\n[\s\S]*could not locate a valid checkpoint record/);
  });

  it('names the file of a missing or wrong password', async () => {
    const dataDir = await stoppedDatabase();
    const file = path.join(dataDir, 'postgres.password');
    await writeFile(file, 'another');
    expect(await messageOf(harness.start(dataDir))).toContain(`The password in ${file} doesn’t match the database`);
    expect(await postmasterPid(dataDir)).toBe(0);
    await rm(file);
    expect(await messageOf(harness.start(dataDir))).toContain('The password of the database');
  });

  it('reports a folder with other files', async () => {
    const dataDir = await harness.dataDir();
    await mkdir(pgdataOf(dataDir), { recursive: true });
    await chmod(dataDir, 0o711);
    await writeFile(path.join(pgdataOf(dataDir), 'note.txt'), '');
    expect(await messageOf(harness.start(dataDir))).toContain('is not a PostgreSQL database');
  });

  async function stoppedDatabase(): Promise<string> {
    const dataDir = await harness.dataDir();
    await (await harness.start(dataDir)).stop();
    return dataDir;
  }
});
