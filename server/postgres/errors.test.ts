import { chmod, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { messageOf, openPostgresHarness, type PostgresHarness, pgdataOf, postmasterPid } from '../../test/support/postgres-harness.ts';

let harness: PostgresHarness;
beforeEach(() => {
  harness = openPostgresHarness();
});
afterEach(() => harness.cleanUp(), 60_000);

describe('what it cannot do is said in plain words', () => {
  it('a database of another version', async () => {
    const dataDir = await stopped();
    await writeFile(path.join(pgdataOf(dataDir), 'PG_VERSION'), '17\n');
    const message = await messageOf(harness.start(dataDir));
    expect(message).toContain('was made by PostgreSQL 17, and this Afterword brings PostgreSQL 18');
    expect(message).toContain('DATABASE_URL');
  });

  it('a damaged database, with what the server says', async () => {
    const dataDir = await stopped();
    await truncate(path.join(pgdataOf(dataDir), 'global', 'pg_control'), 100);
    expect(await messageOf(harness.start(dataDir))).toMatch(/could not start on the database in .* It said:\n[\s\S]*pg_control/);
  });

  it('a damaged journal, with what the server says later', async () => {
    const dataDir = await stopped();
    const journal = path.join(pgdataOf(dataDir), 'pg_wal');
    for (const name of (await readdir(journal)).filter((each) => each.length === 24)) await rm(path.join(journal, name));
    expect(await messageOf(harness.start(dataDir))).toMatch(/It said:\n[\s\S]*could not locate a valid checkpoint record/);
  });

  it('a password that is missing or of another database', async () => {
    const dataDir = await stopped();
    const file = path.join(dataDir, 'postgres.password');
    await writeFile(file, 'another');
    expect(await messageOf(harness.start(dataDir))).toContain(`The password in ${file} is not the one of the database`);
    expect(await postmasterPid(dataDir)).toBe(0);
    await rm(file);
    expect(await messageOf(harness.start(dataDir))).toContain('The password of the database');
  });

  it('a folder with something else in it', async () => {
    const dataDir = await harness.dataDir();
    await mkdir(pgdataOf(dataDir), { recursive: true });
    await chmod(dataDir, 0o711);
    await writeFile(path.join(pgdataOf(dataDir), 'note.txt'), '');
    expect(await messageOf(harness.start(dataDir))).toContain('is not a PostgreSQL database');
  });

  async function stopped(): Promise<string> {
    const dataDir = await harness.dataDir();
    await (await harness.start(dataDir)).stop();
    return dataDir;
  }
});
