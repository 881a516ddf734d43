import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import zopfli from '@gfx/zopfli';
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

/** Brotli and gzip beside each asset, made once, as small as they get. */
async function compress(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(?:js|css|svg|html|json)$/.test(file));
  await Promise.all(files.map((file) => compressFile(path.join(folder, file))));
}

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    // Some 3 % smaller than zlib's best, which is what the form's budget hangs on where brotli is not taken.
    zopfli.gzipAsync(content, {}),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
