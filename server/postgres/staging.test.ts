import { mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modeOf, openPostgresHarness, type PostgresHarness } from '../../test/support/postgres/harness.ts';
import { copyTree } from './staging.ts';

let harness: PostgresHarness;
beforeEach(() => {
  harness = openPostgresHarness();
});
afterEach(() => harness.cleanUp(), 60_000);

describe('a copy of the binaries', () => {
  it('is readable by everyone, and created again only when incomplete', async () => {
    const to = path.join(path.dirname(await harness.dataDir()), 'copy');
    const from = path.join(path.dirname(await harness.dataDir()), 'native');
    await mkdir(path.join(from, 'bin'), { recursive: true, mode: 0o700 });
    await writeFile(path.join(from, 'bin', 'postgres'), 'program', { mode: 0o700 });
    await writeFile(path.join(from, 'text'), 'text', { mode: 0o600 });
    await copyTree(from, to);
    const files = [to, path.join(to, 'bin'), path.join(to, 'bin', 'postgres'), path.join(to, 'text')];
    expect(await Promise.all(files.map(modeOf))).toEqual(['755', '755', '755', '644']);
    const { ino } = await stat(to);
    await copyTree(from, to);
    expect((await stat(to)).ino).toBe(ino);
    await truncate(path.join(to, 'text'), 1);
    await copyTree(from, to);
    expect(await readFile(path.join(to, 'text'), 'utf8')).toBe('text');
  });
});
