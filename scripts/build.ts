import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import type { ManifestChunk } from 'vite';
import { buildDashboard, buildForm, buildMail, buildPushWorker } from './bundles.ts';

const root = path.resolve(import.meta.dirname, '..');
const current = path.join(root, 'dist');
/** What is built stands beside what is served, until all of it is there. */
const dist = path.join(root, 'dist.next');

/** Longer than a page stays open (ms). */
const KEPT_FOR = 14 * 24 * 60 * 60_000;

/** Builds what browsers get, and what the server renders with. */
await rm(dist, { recursive: true, force: true });
await buildForm(dist);
await buildMail(dist);
await buildDashboard(dist);
await buildPushWorker(dist);
await compress(path.join(dist, 'public/assets'));
await keepAssets();
await switchOver();

/** Pages that are open, and a product that runs still, ask for the assets of earlier builds. */
async function keepAssets(): Promise<void> {
  const [from, to] = [path.join(current, 'public/assets'), path.join(dist, 'public/assets')];
  const names = await readdir(from).catch(() => []);
  const oldest = Date.now() - KEPT_FOR;
  for (const name of names) {
    const { mtimeMs } = await stat(path.join(from, name));
    // One that is built again is there already.
    if (mtimeMs > oldest) await link(path.join(from, name), path.join(to, name)).catch(passOver('EEXIST'));
  }
}

/** In a moment: a build that fails, or is ended, changes nothing. */
async function switchOver(): Promise<void> {
  const previous = path.join(root, 'dist.previous');
  await rm(previous, { recursive: true, force: true });
  await rename(current, previous).catch(passOver('ENOENT'));
  await rename(dist, current);
  await rm(previous, { recursive: true, force: true });
}

function passOver(code: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

/** Brotli and gzip beside each asset, made once. */
async function compress(folder: string): Promise<void> {
  const visitors = await visitorsFiles();
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(?:js|css|svg|html|json)$/.test(file));
  await Promise.all(files.map((file) => compressFile(path.join(folder, file), { isVisitors: visitors.has(file) })));
}

/** What a visitor's page consists of, by the name in the folder of assets. */
async function visitorsFiles(): Promise<Set<string>> {
  const manifest = JSON.parse(await readFile(path.join(dist, 'public/form.json'), 'utf8')) as Record<string, ManifestChunk>;
  return new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css].map((each) => path.basename(each))));
}

async function compressFile(file: string, { isVisitors }: { isVisitors: boolean }): Promise<void> {
  const content = await readFile(file);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    // Some 3 % smaller than zlib's best, at a hundred times its work: what the form's budget hangs on where brotli is not taken.
    isVisitors ? zopfli.gzipAsync(content, {}) : promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
