import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '#database/seed.ts';
import { query } from '../test/support/global.ts';
import { cloneDatabase, type TestDatabase } from '../test/support/postgres/database.ts';
import { openInstallation } from './admin/installation.ts';
import { type App, createApp } from './app.ts';
import { readConfig } from './platform/config/config.ts';
import { createLog } from './platform/log/log.ts';
import { loadSample, planSample, type Sample } from './sample.ts';

it('returns its password only if the database accepts it', async () => {
  const database = await cloneDatabase();
  const folders = await Promise.all([0, 1].map(() => mkdtemp(path.join(tmpdir(), 'afterword-sample-'))));
  const [folder = '', otherFolder = ''] = folders;
  const start = async (dataDir: string): Promise<Sample | undefined> => {
    const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://of-this-test/alone', SEED: 'demo', ROLES: 'web' });
    await planSample(config);
    const app = await createApp({ config, log: createLog({ logLevel: 'silent' }), connection: database.app });
    return loadSample(app).finally(() => app.stop());
  };
  try {
    const sample = await start(folder);
    expect(sample?.password).toMatch(/./);
    expect(await start(folder)).toEqual(sample);
    // Another folder with the same database, such as after a restore.
    expect(await start(otherFolder)).toBeUndefined();
    expect(await readdir(otherFolder)).not.toContain('sample-password.txt.new');
    // A folder whose database was replaced.
    await writeFile(path.join(otherFolder, 'sample-password.txt'), 'of another database');
    expect(await start(otherFolder)).toBeUndefined();
    // A start that was killed before it renamed the file.
    await rename(path.join(folder, 'sample-password.txt'), path.join(folder, 'sample-password.txt.new'));
    expect(await start(folder)).toEqual(sample);
  } finally {
    await database.drop();
    for (const each of folders) await rm(each, { recursive: true, force: true });
  }
});

it('is loaded once if several processes start at the same time', async () => {
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

it('is loaded whole after a start that ended in the middle', async () => {
  const database = await cloneDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-sample-'));
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://of-this-test/alone' });
  const { platform, signUp, stop } = await createApp({ config, log: createLog({ logLevel: 'silent' }), connection: database.app });
  const of = { signUp, password: 'correct horse battery', hasViews: true };
  const isStored = async (table: string) => ((await query(database.owner, `select from ${table} limit 1`)).rowCount ?? 0) > 0;
  let times = 0;
  const now = (): number => {
    times += 1;
    if (times > 3) throw new Error('ended');
    return platform.now();
  };
  try {
    await expect(seed({ platform: { ...platform, now }, ...of })).rejects.toThrow('ended');
    expect(await seed({ platform, ...of })).toBe(true);
    expect(await Promise.all(['comment', 'notification', 'saved_view', 'view'].map(isStored))).toEqual([true, true, true, true]);
  } finally {
    await stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

describe('billing if BILLING is not set', () => {
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

  /** Starts the product, and returns the billing in the public configuration and the terms. */
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

  it('is the sandbox when the sample business is loaded, which gets a trial', async () => {
    const planned = path.join(dataDir, 'sample-password.txt.new');
    await writeFile(planned, 'correct horse battery');
    const loaded = await startWith({}, loadSample);
    expect(loaded).toEqual(['sandbox', true, true]);
    const trials = await database.stored("select trial_ends_at > now() + interval '19 days' as runs from subscription");
    expect(trials).toEqual([{ runs: true }]);
  });

  it('is the sandbox at later starts and in the command line, but none in production or in a process with one role', async () => {
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
