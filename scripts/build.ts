import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { usedOfReact } from './used-of-react.ts';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');

const base: InlineConfig = { root, configFile: false, plugins: [react()], logLevel: 'warn', mode: 'production' };

/** Builds what browsers get, and what the server renders with. */
await rm(dist, { recursive: true, force: true });
await build({
  ...base,
  plugins: [react(), usedOfReact()],
  build: {
    outDir: path.join(dist, 'public'),
    emptyOutDir: false,
    manifest: 'form.json',
    target: 'es2022',
    modulePreload: false,
    rollupOptions: { input: path.join(root, 'form/entry-client.tsx') },
  },
});
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
await build({
  ...base,
  root: path.join(root, 'dashboard'),
  build: {
    outDir: path.join(dist, 'public'),
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // All that starts the page in one file: in a dozen, headers and worse compression cost 20 kB.
      output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
    },
  },
});
// The server gives this page out itself, with a fresh nonce each time; only assets are served as they are.
await rename(path.join(dist, 'public/index.html'), path.join(dist, 'dashboard.html'));
await compress(path.join(dist, 'public/assets'));

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
