import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '#database/seed.ts';
import { cloneDatabase, type TestDatabase } from '../test/support/database.ts';
import { openInstallation } from './admin/installation.ts';
import { type App, createApp } from './app.ts';
import { readConfig } from './platform/config/config.ts';
import { createLog } from './platform/log/log.ts';
import { loadSample, planSample, type Sample } from './sample.ts';

it('prints its password only where it is the one in the database', async () => {
  const database = await cloneDatabase();
  const folders = await Promise.all([0, 1].map(() => mkdtemp(path.join(tmpdir(), 'afterword-sample-'))));
  const [own = '', other = ''] = folders;
  const start = async (dataDir: string): Promise<Sample | undefined> => {
    const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://of-this-test/alone', SEED: 'demo', ROLES: 'web' });
    await planSample(config);
    const app = await createApp({ config, log: createLog({ logLevel: 'silent' }), connection: database.app });
    return loadSample(app).finally(() => app.stop());
  };
  const kept = path.join(other, 'sample-password.txt');
  try {
    const shown = await start(own);
    expect(shown?.password).toMatch(/./);
    expect(await start(own)).toEqual(shown);
    // Another folder on the same database, or the same database restored into it.
    expect(await start(other)).toBeUndefined();
    expect(await readdir(other)).not.toContain('sample-password.txt.new');
    // A folder whose own database was replaced.
    await writeFile(kept, 'of another database');
    expect(await start(other)).toBeUndefined();
    // A start that was killed between loading and noting it.
    await rename(path.join(own, 'sample-password.txt'), path.join(own, 'sample-password.txt.new'));
    expect(await start(own)).toEqual(shown);
  } finally {
    await database.drop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
});

it('is loaded once by processes that start side by side, and found by the others', async () => {
  const database = await cloneDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-sample-'));
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://of-this-test/alone' });
  const log = createLog({ logLevel: 'silent' });
  const apps = await Promise.all([0, 1, 2].map(() => createApp({ config, log, connection: database.app })));
  try {
    const outcomes = await Promise.all(apps.map(({ platform, signUp }) => seed({ platform, signUp, password: 'correct horse battery' })));
    expect(outcomes.toSorted()).toEqual([false, false, true]);
  } finally {
    await Promise.all(apps.map((app) => app.stop()));
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

describe('billing where BILLING is not set', () => {
  let database: TestDatabase;
  let dataDir: string;
  beforeAll(async () => {
    database = await cloneDatabase();
    dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-billing-'));
  });
  afterAll(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Starts the product, and returns what stands in the public configuration. */
  async function startWith(settings: NodeJS.ProcessEnv = {}, work: (app: App) => Promise<unknown> = async () => undefined) {
    const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://of-this-test/alone', ...settings });
    const app = await createApp({ config, log: createLog({ logLevel: 'silent' }), connection: database.app, recurring: false });
    try {
      await work(app);
      const [{ billing }, terms] = [(await app.http.inject('/api/config')).json(), (await app.http.inject('/terms')).body];
      return [billing.kind, terms.includes('free trial'), terms.includes('Test mode')];
    } finally {
      await app.stop();
    }
  }

  it('is none without the sample business', async () => {
    expect(await startWith()).toEqual(['none', false, false]);
  });

  it('is the sandbox at the start that loads the sample business, which gets a trial', async () => {
    const planned = path.join(dataDir, 'sample-password.txt.new');
    await writeFile(planned, 'correct horse battery');
    const loaded = await startWith({}, loadSample);
    expect(loaded).toEqual(['sandbox', true, true]);
    const trials = await database.stored("select trial_ends_at > now() + interval '19 days' as runs from subscription");
    expect(trials).toEqual([{ runs: true }]);
  });

  it('is the sandbox at every later start, of the command line, too, and none in production or where a process has one role', async () => {
    await rm(path.join(dataDir, 'sample-password.txt'), { force: true });
    expect(await startWith()).toEqual(['sandbox', true, true]);
    expect(await startWith({ BILLING: 'none' })).toEqual(['none', false, false]);
    expect(await startWith({ NODE_ENV: 'production' })).toEqual(['none', false, false]);
    expect(await startWith({ ROLES: 'web' })).toEqual(['none', false, false]);
    const settings = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://of-this-test/alone' };
    const installation = await openInstallation(
      { config: readConfig(settings), log: createLog({ logLevel: 'silent' }), now: Date.now },
      database.owner,
    );
    expect(installation.billing.provider?.kind).toBe('sandbox');
    await installation.stop();
  });
});
