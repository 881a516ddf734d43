import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { type DrawnPages, drawEach } from './drawn.ts';
import { DEMO_DOCUMENT, firstLoad, PROGRAMS } from './first-load.ts';
import { guides } from './guides.ts';
import { usedOfReact } from './used-of-react.ts';

/* What the build consists of, each part into the folder that is given. */

const root = path.resolve(import.meta.dirname, '..');

const base: InlineConfig = { root, configFile: false, plugins: [react()], logLevel: 'warn', mode: 'production' };

const ENTRIES = { form: 'form/entry-client.tsx', preview: 'form/entry-preview.tsx' };

/** The visitors' pages: their program, that of their preview, and what the server renders them with. */
export async function buildForm(dist: string): Promise<void> {
  await buildPage(dist, { page: 'form', plugins: [react(), usedOfReact()] });
  // Built alone: shared with another program, its code would be split into two files, and visitors would load both.
  await buildPage(dist, { page: 'preview', plugins: [react()] });
  await build({
    ...base,
    build: { outDir: path.join(dist, 'form-server'), ssr: path.join(root, 'form/entry-server.tsx'), target: 'node22', minify: false },
  });
}

/** A page of the form, whose files the server finds by its manifest. */
async function buildPage(dist: string, { page, plugins }: { page: 'form' | 'preview'; plugins: InlineConfig['plugins'] }): Promise<void> {
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

/** What the server renders mails with. */
export async function buildMail(dist: string): Promise<void> {
  await build({
    ...base,
    // Bundled with what it uses of its libraries, so that a server installs none of them. React is the server's.
    ssr: { noExternal: true, external: ['react', 'react-dom'] },
    build: { outDir: path.join(dist, 'mail-server'), ssr: path.join(root, 'mail/entry-server.ts'), target: 'node22', minify: false },
  });
}

/** The team's pages. The server gives their document out itself, with a fresh nonce each time; only assets are served as they are. */
export async function buildDashboard(dist: string): Promise<void> {
  const dashboard = path.join(root, 'dashboard');
  const drawn = await drawPages(dashboard, path.join(dist, 'drawn'));
  const start = await buildStart(dashboard);
  await build({
    ...base,
    root: dashboard,
    plugins: [react(), guides(), firstLoad(drawn, start)],
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
  await rename(path.join(dist, 'public', DEMO_DOCUMENT), path.join(dist, DEMO_DOCUMENT));
}

/** What the documents show first, drawn by the dashboard itself. */
async function drawPages(dashboard: string, outDir: string): Promise<DrawnPages> {
  await build({
    ...base,
    root: dashboard,
    plugins: [react(), guides()],
    build: {
      outDir,
      emptyOutDir: true,
      ssr: path.join(dashboard, 'prerender.tsx'),
      target: 'node22',
      minify: false,
      // One file, so that each import of it is a program of its own.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const drawn = await drawEach(path.join(outDir, 'prerender.js'));
  await rm(outDir, { recursive: true });
  return drawn;
}

/** The script at the end of the documents, as text. */
async function buildStart(dashboard: string): Promise<string> {
  const built = await build({
    ...base,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: path.join(dashboard, 'start.ts'), formats: ['iife'], name: 'start', fileName: 'start' },
    },
  });
  const [bundle] = Array.isArray(built) ? built : [];
  const [chunk] = bundle?.output ?? [];
  if (!chunk) throw new Error('The script of the documents was not built');
  return chunk.code.trim();
}

/** The program that shows what is pushed. Its name stays, so it is served apart from the assets. */
export async function buildPushWorker(dist: string): Promise<void> {
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
