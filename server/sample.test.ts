import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { seed } from '#database/seed.ts';
import { cloneDatabase } from '../test/support/database.ts';
import { createApp } from './app.ts';
import { readConfig } from './kernel/config.ts';
import { createLog } from './kernel/log.ts';

it('is loaded once by processes that start side by side, and found by the others', async () => {
  const database = await cloneDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-sample-'));
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://of-this-test/alone' });
  const log = createLog({ logLevel: 'silent' });
  const apps = await Promise.all([0, 1, 2].map(() => createApp({ config, log, connection: database.app })));
  try {
    const outcomes = await Promise.all(apps.map(({ kernel, signUp }) => seed({ kernel, signUp, password: 'correct horse battery' })));
    expect(outcomes.toSorted()).toEqual([false, false, true]);
  } finally {
    await Promise.all(apps.map((app) => app.stop()));
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
