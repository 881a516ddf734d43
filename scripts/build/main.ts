import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import type { ManifestChunk } from 'vite';
import { buildDashboard, buildForm, buildKiosk, buildMail, buildScripts } from './bundles.ts';
import { addEarlierAssets } from './earlier-assets.ts';

const root = path.resolve(import.meta.dirname, '../..');
const current = path.join(root, 'dist');
/** The new build, beside the served one until it is complete. */
const dist = path.join(root, 'dist.next');

/** Builds the browsers' files and the server's renderers. */
await rm(dist, { recursive: true, force: true });
await buildForm(dist);
await buildKiosk(dist);
await buildMail(dist);
await buildDashboard(dist);
await buildScripts(dist);
await compress(path.join(dist, 'public/assets'));
await addEarlierAssets(current, dist, Date.now());
await switchOver();

/** Replaces the served build by renames, so that a failed or interrupted build changes nothing. */
async function switchOver(): Promise<void> {
  const previous = path.join(root, 'dist.previous');
  await rm(previous, { recursive: true, force: true });
  await rename(current, previous).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(dist, current);
  await rm(previous, { recursive: true, force: true });
}

/** Writes a Brotli and a gzip file beside each asset. */
async function compress(folder: string): Promise<void> {
  const visitors = await visitorsFiles();
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(?:js|css|svg|html|json)$/.test(file));
  await Promise.all(files.map((file) => compressFile(path.join(folder, file), { isVisitors: visitors.has(file) })));
}

/** Returns the names of the assets that a visitor's page loads. */
async function visitorsFiles(): Promise<Set<string>> {
  const manifest = JSON.parse(await readFile(path.join(dist, 'public/form.json'), 'utf8')) as Record<string, ManifestChunk>;
  return new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css].map((name) => path.basename(name))));
}

async function compressFile(file: string, { isVisitors }: { isVisitors: boolean }): Promise<void> {
  const content = await readFile(file);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    // About 3 % smaller than zlib's best, at a hundred times the work. The form's size limit needs it for clients without Brotli.
    isVisitors ? zopfli.gzipAsync(content, {}) : promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
