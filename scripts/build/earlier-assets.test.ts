import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addEarlierAssets } from './earlier-assets.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'afterword-build-'));
});
afterAll(() => rm(folder, { recursive: true }));

const DAY = 24 * 60 * 60_000;

/** Makes a build of one file, which replaces the build before it at `now`, and returns its assets. */
async function build(number: number, now: number): Promise<string[]> {
  const [current, next] = [number - 1, number].map((each) => path.join(folder, `${each}`)) as [string, string];
  const assets = path.join(next, 'public/assets');
  await mkdir(assets, { recursive: true });
  await writeFile(path.join(assets, `page-${number}.js`), '');
  await utimes(path.join(assets, `page-${number}.js`), now / 1000, now / 1000);
  await addEarlierAssets(current, next, now);
  return (await readdir(assets)).toSorted();
}

it('an asset stays for two weeks after its build was replaced, however old it is', async () => {
  expect(await build(1, 0)).toEqual(['page-1.js']);
  expect(await build(2, 30 * DAY)).toEqual(['page-1.js', 'page-2.js']);
  expect(await build(3, 40 * DAY)).toEqual(['page-1.js', 'page-2.js', 'page-3.js']);
  expect(await build(4, 45 * DAY)).toEqual(['page-2.js', 'page-3.js', 'page-4.js']);
  expect(await build(5, 70 * DAY)).toEqual(['page-4.js', 'page-5.js']);
});
