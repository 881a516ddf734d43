import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { documentNames, TEAM_LANGUAGES, type TeamLanguage } from '#contract/language/team.ts';
import { firstLoad, type PagesByLanguage, PROGRAMS } from './first-load.ts';
import { guides } from './guides.ts';
import { type PrerenderedPages, prerender } from './prerender.ts';
import { removeUnusedReact } from './unused-react.ts';

/* Builds each part of the product into a given folder. */

const root = path.resolve(import.meta.dirname, '../..');

const base: InlineConfig = { root, configFile: false, plugins: [react()], logLevel: 'warn', mode: 'production' };

const ENTRIES = {
  form: 'form/entry-client.tsx',
  preview: 'form/preview/entry.tsx',
  kiosk: 'kiosk/entry.tsx',
  'kiosk-preview': 'kiosk/entry-preview.tsx',
};

/** Builds the form, its preview, and the server's renderer of both. */
export async function buildForm(dist: string): Promise<void> {
  await buildPage(dist, { page: 'form', plugins: [react(), removeUnusedReact()] });
  // A separate build: a shared one would move common code to a second file, which visitors would also load.
  await buildPage(dist, { page: 'preview', plugins: [react()] });
  await build({
    ...base,
    build: { outDir: path.join(dist, 'form-server'), ssr: path.join(root, 'form/entry-server.tsx'), target: 'node22', minify: false },
  });
}

/** Builds the page of a kiosk, and its preview. */
export async function buildKiosk(dist: string): Promise<void> {
  for (const page of ['kiosk', 'kiosk-preview'] as const) await buildPage(dist, { page, plugins: [react()] });
}

interface BuiltPage {
  readonly page: keyof typeof ENTRIES;
  readonly plugins: InlineConfig['plugins'];
}

/** Builds a page of the form, or the kiosk's. The server finds its files through the manifest. */
async function buildPage(dist: string, { page, plugins }: BuiltPage): Promise<void> {
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
    // Includes the parts of its libraries that it uses, so a server doesn't install them. It shares the server's React.
    ssr: { noExternal: true, external: ['react', 'react-dom'] },
    build: { outDir: path.join(dist, 'mail-server'), ssr: path.join(root, 'mail/entry-server.ts'), target: 'node22', minify: false },
  });
}

/** Builds the dashboard. The server adds a new nonce to the document in each response, so only the assets are static. */
export async function buildDashboard(dist: string): Promise<void> {
  const dashboard = path.join(root, 'dashboard');
  const pages = await prerenderPages(dashboard, path.join(dist, 'prerender'));
  const start = await buildStart(dashboard);
  await build({
    ...base,
    root: dashboard,
    plugins: [react(), guides(), firstLoad(pages, start)],
    build: {
      outDir: path.join(dist, 'public'),
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 800,
      rolldownOptions: { output: { codeSplitting: { groups: PROGRAMS } } },
    },
  });
  await rm(path.join(dist, 'public/index.html'));
  for (const name of TEAM_LANGUAGES.flatMap(documentNames)) await rename(path.join(dist, 'public', name), path.join(dist, name));
}

/** Prerenders what the documents show first. */
async function prerenderPages(dashboard: string, outDir: string): Promise<PagesByLanguage> {
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
      // One file, so that each import has its own state.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const pages: [TeamLanguage, PrerenderedPages][] = [];
  // One after another, because they replace the clock.
  for (const language of TEAM_LANGUAGES) pages.push([language, await prerender(path.join(outDir, 'prerender.js'), language)]);
  await rm(outDir, { recursive: true });
  return Object.fromEntries(pages) as PagesByLanguage;
}

/** Returns the script at the end of the documents. */
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
  if (!chunk) throw new Error('dashboard/start.ts was not built');
  return chunk.code.trim();
}

/** Scripts whose addresses never change, so they aren't served as assets. */
const SCRIPTS = {
  'push-worker': 'dashboard/push-worker.ts',
  'form-worker': 'form/offline/worker.ts',
  'kiosk-worker': 'kiosk/worker.ts',
  embed: 'embed/embed.ts',
  conversation: 'form/conversation.ts',
};

/** Builds the service workers of the dashboard, the form and the kiosk, and the scripts of customers' and of private pages. */
export async function buildScripts(dist: string): Promise<void> {
  for (const [name, source] of Object.entries(SCRIPTS))
    await build({
      ...base,
      build: {
        outDir: dist,
        emptyOutDir: false,
        target: 'es2022',
        lib: { entry: path.join(root, source), formats: ['iife'], name: 'script', fileName: () => `${name}.js` },
      },
    });
}
