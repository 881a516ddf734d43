import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { firstLoad, PROGRAMS, type Skeleton } from './first-load.ts';
import { guides } from './guides.ts';
import { usedOfReact } from './used-of-react.ts';

const root = path.resolve(import.meta.dirname, '..');
const current = path.join(root, 'dist');
/** What is built stands beside what is served, until all of it is there. */
const dist = path.join(root, 'dist.next');

/** Longer than a page stays open (ms). */
const KEPT_FOR = 14 * 24 * 60 * 60_000;

const base: InlineConfig = { root, configFile: false, plugins: [react()], logLevel: 'warn', mode: 'production' };

const ENTRIES = { form: 'form/entry-client.tsx', preview: 'form/entry-preview.tsx' };

/** Builds what browsers get, and what the server renders with. */
await rm(dist, { recursive: true, force: true });
await buildPage('form', [react(), usedOfReact()]);
// By itself: what two programs share would be a file of its own, and the visitors' page be loaded in two.
await buildPage('preview', [react()]);
await build({
  ...base,
  build: { outDir: path.join(dist, 'form-server'), ssr: path.join(root, 'form/entry-server.tsx'), target: 'node22', minify: false },
});
await build({
  ...base,
  // Only what the mails use of their components comes along: the package loads all of it otherwise.
  ssr: { noExternal: [/^@react-email\/(?!render$)/] },
  build: { outDir: path.join(dist, 'mail-server'), ssr: path.join(root, 'mail/entry-server.ts'), target: 'node22', minify: false },
});
await buildDashboard();
await buildPushWorker();
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

/** The team's pages. The server gives their document out itself, with a fresh nonce each time; only assets are served as they are. */
async function buildDashboard(): Promise<void> {
  const dashboard = path.join(root, 'dashboard');
  const ahead = path.join(dist, 'ahead');
  await build({
    ...base,
    root: dashboard,
    build: {
      outDir: ahead,
      emptyOutDir: true,
      ssr: path.join(dashboard, 'shell/skeleton.tsx'),
      target: 'node22',
      minify: false,
      cssMinify: true,
    },
  });
  const skeleton: Skeleton = await import(pathToFileURL(path.join(ahead, 'skeleton.js')).href);
  await rm(ahead, { recursive: true });
  await build({
    ...base,
    root: dashboard,
    plugins: [react(), guides(), firstLoad(skeleton)],
    build: {
      outDir: path.join(dist, 'public'),
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 800,
      rolldownOptions: { output: { codeSplitting: { groups: PROGRAMS } } },
    },
  });
  await rename(path.join(dist, 'public/index.html'), path.join(dist, 'dashboard.html'));
}

/** The program that shows what is pushed. Its name stays, so it is served apart from the assets. */
async function buildPushWorker(): Promise<void> {
  await build({
    ...base,
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry: path.join(root, 'dashboard/push-worker.ts'), formats: ['iife'], name: 'push', fileName: () => 'push-worker.js' },
    },
  });
}

/** A page of the form, whose files the server finds by its manifest. */
async function buildPage(page: 'form' | 'preview', plugins: InlineConfig['plugins']): Promise<void> {
  await build({
    ...base,
    plugins: plugins ?? [],
    build: {
      outDir: path.join(dist, 'public'),
      emptyOutDir: false,
      manifest: `${page}.json`,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: path.join(root, ENTRIES[page]) },
    },
  });
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
