import { PurgeCSS } from 'purgecss';
import type { Plugin, Rolldown } from 'vite';
import { WIDE } from '../dashboard/ui/theme/media.ts';

/** HTML that the documents show before any script runs, from dashboard/shell/skeleton.tsx and dashboard/demo/drawn.tsx. */
export interface Ahead {
  readonly frame: string;
  readonly signIn: string;
  readonly demo: {
    /** For phones and desktops. */
    readonly narrow: string;
    readonly wide: string;
  };
  /** The demo's inline script, from dashboard/demo/ahead.ts: shows relative times, and makes way for the page. */
  readonly demoScript: string;
}

/**
 * The dashboard's chunks, one file each with all that it needs (docs/decisions/0007-the-first-load.md): a dozen files would cost 20 kB
 * in headers and worse compression. Code that two of them need is in the first of the two.
 */
export const PROGRAMS = [
  { name: 'start', tags: ['$initial' as const], priority: 3 },
  // Contains what the user pool's library and the frame's drawers share. Otherwise signing in would wait for the frame.
  { name: 'sign-in', test: /[\\/]pages[\\/]sign-in[\\/]SignIn\.tsx$|[\\/]node_modules[\\/]tslib[\\/]/, priority: 2 },
  // Loaded after the page.
  {
    name: 'overlays',
    test: /[\\/]ui[\\/](overlays\.ts|OpenedBy\.tsx|Sheet\.tsx)$|[\\/](AccountItems|ExportItem|ViewItems)\.tsx$/,
    priority: 0,
  },
  { name: 'team', test: /[\\/]shell[\\/]team\.ts$|[\\/]contract[\\/][\w-]+\.ts$/, priority: 1 },
];

/** The modules of each kind of page, as distinguished by the document's script. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  team: ['shell/team.ts', 'session/auth.ts'],
  demo: ['demo/DemoArea.tsx', 'shell/team.ts'],
  outside: ['pages/sign-in/SignIn.tsx'],
  signup: ['pages/sign-up/SignUp.tsx'],
  docs: ['pages/docs/Docs.tsx'],
};

/** The file of the demo's document. All other pages share one. */
export const DEMO_DOCUMENT = 'demo.html';

/** A first picture in a document: its name, its markup and the rule that hides it. */
type Picture = readonly [name: string, markup: string, hidden: string];

/** Returns a picture shown by the document's script. */
const shownByScript = (name: string, markup: string): Picture => [
  name,
  markup,
  `html:not([data-start=${name}]) #ahead-${name}{display:none}`,
];
/** Returns a picture shown by the window's width, without a script. */
const shownByWidth = (name: string, markup: string, unless: string): Picture => [
  name,
  markup,
  `@media ${unless}{#ahead-${name}{display:none}}`,
];

/**
 * Adds to the document its first pictures, the files of each page, and the styles of both. The demo has its own document
 * (docs/decisions/0007-the-first-load.md).
 */
export function firstLoad({ frame, signIn, demo, demoScript }: Ahead): Plugin {
  const pictures = [shownByScript('frame', frame), shownByScript('sign-in', signIn)];
  const demoPictures = [shownByWidth('narrow', demo.narrow, WIDE), shownByWidth('wide', demo.wide, `not all and ${WIDE}`)];
  const script = `<script nonce="__NONCE__">${demoScript}</script>`;
  let demoDocument = '';
  return {
    name: 'first-load',
    transformIndexHtml: {
      order: 'post',
      async handler(page, { bundle = {} }) {
        demoDocument = await documentOf(page, bundle, { pictures: demoPictures, script });
        return documentOf(page, bundle, { pictures, script: '' });
      },
    },
    generateBundle: {
      order: 'post',
      handler() {
        this.emitFile({ type: 'asset', fileName: DEMO_DOCUMENT, source: demoDocument });
      },
    },
  };
}

interface ShownAhead {
  readonly pictures: readonly Picture[];
  /** The inline script after them. */
  readonly script: string;
}

async function documentOf(page: string, bundle: Rolldown.OutputBundle, { pictures, script }: ShownAhead): Promise<string> {
  const drawn = drawnFrom(pictures.map(([name, markup]) => `<div id="ahead-${name}">${markup}</div>`).join(''));
  const hidden = pictures.map(([, , rule]) => rule).join('');
  const outputs = Object.values(bundle);
  const sheets = outputs.flatMap((output) => (output.type === 'asset' && output.fileName.endsWith('.css') ? [String(output.source)] : []));
  const css = await usedOf([...sheets, ...drawn.sheets], drawn.html);
  const chunks = outputs.filter((output) => output.type === 'chunk');
  checkApart(chunks);
  const programs = Object.fromEntries(Object.entries(MODULES).map(([area, modules]) => [area, addressesOf(modules, chunks)] as const));
  const styles = page.match(/ *<link rel="stylesheet"[^>]*>\n?/g) ?? [];
  const scripts = page.match(/ *<script type="module"[^>]*><\/script>\n?/g) ?? [];
  return [...styles, ...scripts]
    .reduce((left, tag) => left.replace(tag, ''), page)
    .replace(/^ *\/\/ .*\n/gm, '')
    .replace('</head>', () => `<style nonce="__NONCE__">${css}${hidden}</style></head>`)
    .replace('<!-- __AHEAD__ -->', () => drawn.html + script)
    .replace('__PROGRAMS__', () => JSON.stringify(programs))
    .replace('</body>', () => `${styles.join('')}${scripts.join('')}</body>`);
}

interface DrawnAhead {
  readonly html: string;
  readonly sheets: readonly string[];
}

/** Moves inline styles, which the document's policy forbids, into rules. */
function drawnFrom(markup: string): DrawnAhead {
  const sheets: string[] = [];
  const bare = markup.replaceAll(/<style[^>]*>(.*?)<\/style>/gs, (_tag, rules: string) => {
    sheets.push(rules);
    return '';
  });
  const names = new Map<string, string>();
  const html = bare.replaceAll(/ style="([^"]*)"/g, (_attribute, declarations: string) => {
    const name = names.get(declarations) ?? `ahead-${names.size}`;
    names.set(declarations, name);
    return ` data-style="${name}"`;
  });
  for (const [declarations, name] of names) sheets.push(`[data-style="${name}"]{${declarations}}`);
  return { html, sheets: [...new Set(sheets)] };
}

/** Returns the rules that the markup needs, in both themes and on hover. */
async function usedOf(sheets: readonly string[], html: string): Promise<string> {
  const used = await new PurgeCSS().purge({
    content: [{ raw: `<html data-mantine-color-scheme="light"><body>${html}</body></html>`, extension: 'html' }],
    // One sheet, so that variables used across sheets stay.
    css: [{ raw: sheets.join('') }],
    safelist: { standard: ['data-mantine-color-scheme', 'light', 'dark'], variables: html.match(/--[\w-]+(?=\))/g) ?? [] },
    keyframes: true,
    variables: true,
  });
  return used.map(({ css }) => css).join('');
}

/** Throws if the sign-in page imports the frame's chunk and would have to wait for it. */
function checkApart(chunks: readonly Rolldown.OutputChunk[]): void {
  const [frame = ''] = addressesOf(['shell/team.ts'], chunks);
  for (const module of ['pages/sign-in/SignIn.tsx', 'session/auth.ts'])
    if (addressesOf([module], chunks).includes(frame)) throw new Error(`${module} imports the frame’s chunk`);
}

/** Returns the files of modules with all their imports and styles, except those that every page starts with. */
function addressesOf(modules: readonly string[], chunks: readonly Rolldown.OutputChunk[]): string[] {
  const files = new Set<string>();
  const add = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const chunk = chunks.find(({ fileName }) => fileName === file);
    for (const next of [...(chunk?.imports ?? []), ...(chunk?.viteMetadata?.importedCss ?? [])]) add(next);
  };
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.replaceAll('\\', '/').endsWith(`/dashboard/${module}`)));
    if (!chunk) throw new Error(`The document refers to the unknown module ${module}`);
    add(chunk.fileName);
  }
  for (const { isEntry, fileName, imports, viteMetadata } of chunks)
    if (isEntry) for (const file of [fileName, ...imports, ...(viteMetadata?.importedCss ?? [])]) files.delete(file);
  return [...files].map((file) => `/${file}`);
}
