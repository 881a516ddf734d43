import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { type Ahead, DEMO_DOCUMENT, firstLoad, PROGRAMS } from './first-load.ts';
import { guides } from './guides.ts';
import { usedOfReact } from './used-of-react.ts';

/* The parts of the build, each written to a given folder. */

const root = path.resolve(import.meta.dirname, '..');

const base: InlineConfig = { root, configFile: false, plugins: [react()], logLevel: 'warn', mode: 'production' };

const ENTRIES = { form: 'form/entry-client.tsx', preview: 'form/entry-preview.tsx' };

/** Builds the visitors' pages: their script, the preview's, and the server's renderer. */
export async function buildForm(dist: string): Promise<void> {
  await buildPage(dist, { page: 'form', plugins: [react(), usedOfReact()] });
  // A separate build: otherwise shared code becomes a file of its own, and the visitors' page loads two.
  await buildPage(dist, { page: 'preview', plugins: [react()] });
  await build({
    ...base,
    build: { outDir: path.join(dist, 'form-server'), ssr: path.join(root, 'form/entry-server.tsx'), target: 'node22', minify: false },
  });
}

/** Builds a page of the form. The server finds its files in the manifest. */
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

/** Builds the server's renderer of mails. */
export async function buildMail(dist: string): Promise<void> {
  await build({
    ...base,
    // Libraries except React are bundled, so that a server needs none of them.
    ssr: { noExternal: true, external: ['react', 'react-dom'] },
    build: { outDir: path.join(dist, 'mail-server'), ssr: path.join(root, 'mail/entry-server.ts'), target: 'node22', minify: false },
  });
}

/** Builds the team's pages. The server adds a new nonce to their document on each request; only assets are static. */
export async function buildDashboard(dist: string): Promise<void> {
  const dashboard = path.join(root, 'dashboard');
  const ahead = await drawAhead(dashboard, path.join(dist, 'ahead'));
  await build({
    ...base,
    root: dashboard,
    plugins: [react(), guides(), firstLoad(ahead)],
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

/** Renders what the documents show first, with the dashboard's components. */
async function drawAhead(dashboard: string, outDir: string): Promise<Ahead> {
  await build({
    ...base,
    root: dashboard,
    plugins: [react(), guides()],
    build: {
      outDir,
      emptyOutDir: true,
      ssr: true,
      rollupOptions: { input: { skeleton: path.join(dashboard, 'shell/skeleton.tsx'), demo: path.join(dashboard, 'demo/drawn.tsx') } },
      target: 'node22',
      minify: false,
      cssMinify: true,
    },
  });
  const built = (name: string) => import(pathToFileURL(path.join(outDir, `${name}.js`)).href);
  const [skeleton, { drawDemo }] = [await built('skeleton'), await built('demo')];
  const ahead = { frame: skeleton.frame, signIn: skeleton.signIn, demo: await drawDemo(), demoScript: await buildDemoScript(dashboard) };
  await rm(outDir, { recursive: true });
  return ahead;
}

/** Builds the demo's inline script. */
async function buildDemoScript(dashboard: string): Promise<string> {
  const built = await build({
    ...base,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: path.join(dashboard, 'demo/ahead.ts'), formats: ['iife'], name: 'ahead', fileName: 'ahead' },
    },
  });
  const [bundle] = Array.isArray(built) ? built : [];
  const [chunk] = bundle?.output ?? [];
  if (!chunk) throw new Error('The demo’s inline script was not built');
  return chunk.code.trim();
}

/** Builds the service worker for push notifications. Its name is fixed, so it isn't among the assets. */
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
