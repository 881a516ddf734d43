import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import type { ManifestChunk } from 'vite';
import { buildDashboard, buildForm, buildKiosk, buildMail, buildScripts } from './bundles.ts';

const root = path.resolve(import.meta.dirname, '../..');
const current = path.join(root, 'dist');
/** The new build, beside the served one until it is complete. */
const dist = path.join(root, 'dist.next');

/** How long assets of earlier builds stay: longer than a page stays open (ms). */
const ASSET_LIFETIME = 14 * 24 * 60 * 60_000;

/** Builds the browsers' files and the server's renderers. */
await rm(dist, { recursive: true, force: true });
await buildForm(dist);
await buildKiosk(dist);
await buildMail(dist);
await buildDashboard(dist);
await buildScripts(dist);
await compress(path.join(dist, 'public/assets'));
await keepAssets();
await switchOver();

/** Adds recent assets of earlier builds, which open pages and a running product still request. */
async function keepAssets(): Promise<void> {
  const [from, to] = [path.join(current, 'public/assets'), path.join(dist, 'public/assets')];
  const names = await readdir(from).catch(() => []);
  const oldest = Date.now() - ASSET_LIFETIME;
  for (const name of names) {
    const { mtimeMs } = await stat(path.join(from, name));
    // An asset that hasn't changed exists already.
    if (mtimeMs > oldest) await link(path.join(from, name), path.join(to, name)).catch(ignoreError('EEXIST'));
  }
}

/** Replaces the served build by renames, so that a failed or interrupted build changes nothing. */
async function switchOver(): Promise<void> {
  const previous = path.join(root, 'dist.previous');
  await rm(previous, { recursive: true, force: true });
  await rename(current, previous).catch(ignoreError('ENOENT'));
  await rename(dist, current);
  await rm(previous, { recursive: true, force: true });
}

function ignoreError(code: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== code) throw error;
  };
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
