import { PurgeCSS } from 'purgecss';
import type { Plugin, Rolldown } from 'vite';
import { WIDE } from '../dashboard/ui/theme/media.ts';

/** What the documents show before anything runs, as HTML: dashboard/shell/skeleton.tsx and dashboard/demo/drawn.tsx, built. */
export interface Ahead {
  readonly frame: string;
  readonly signIn: string;
  readonly demo: {
    /** On a phone, and on a desk. */
    readonly narrow: string;
    readonly wide: string;
  };
  /** What tells the demo's moments, and gives its place to the page: dashboard/demo/ahead.ts, built. */
  readonly demoScript: string;
}

/**
 * The dashboard's programs, each in one file with all that it needs (docs/decisions/0007-the-first-load.md): in a dozen, headers and
 * worse compression cost 20 kB. What two of them need stands in the first of the two.
 */
export const PROGRAMS = [
  { name: 'start', tags: ['$initial' as const], priority: 3 },
  // What the user pool's library and the frame's drawers both need is laid here: else signing in would wait for the frame.
  { name: 'sign-in', test: /[\\/]pages[\\/]sign-in[\\/]SignIn\.tsx$|[\\/]node_modules[\\/]tslib[\\/]/, priority: 2 },
  // Fetched when the page is there.
  {
    name: 'overlays',
    test: /[\\/]ui[\\/](overlays\.ts|OpenedBy\.tsx|Sheet\.tsx)$|[\\/](AccountItems|ExportItem|ViewItems)\.tsx$/,
    priority: 0,
  },
  { name: 'team', test: /[\\/]shell[\\/]team\.ts$|[\\/]contract[\\/][\w-]+\.ts$/, priority: 1 },
];

/** The modules that each kind of page loads, as its script in the document tells them apart. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  team: ['shell/team.ts', 'session/auth.ts'],
  demo: ['demo/DemoArea.tsx', 'shell/team.ts'],
  outside: ['pages/sign-in/SignIn.tsx'],
  signup: ['pages/sign-up/SignUp.tsx'],
  docs: ['pages/docs/Docs.tsx'],
};

/** The address of the demo's document beside that of every other page. */
export const DEMO_DOCUMENT = 'demo.html';

/** One of the pictures that a document holds: its name, its markup, and where it is not shown. */
type Picture = readonly [name: string, markup: string, hidden: string];

/** Shown where the script in the document says so. */
const told = (name: string, markup: string): Picture => [name, markup, `html:not([data-start=${name}]) #ahead-${name}{display:none}`];
/** Shown by the window's width: it is painted as it comes. */
const fitting = (name: string, markup: string, unless: string): Picture => [name, markup, `@media ${unless}{#ahead-${name}{display:none}}`];

/**
 * Lays into the document what it shows first, the names of what comes next, and the styles behind both. The demo gets a document
 * of its own (docs/decisions/0007-the-first-load.md).
 */
export function firstLoad({ frame, signIn, demo, demoScript }: Ahead): Plugin {
  const pictures = [told('frame', frame), told('sign-in', signIn)];
  const demoPictures = [fitting('narrow', demo.narrow, WIDE), fitting('wide', demo.wide, `not all and ${WIDE}`)];
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
  /** Runs below them. */
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
  const programs = Object.fromEntries(Object.entries(NEEDED).map(([area, modules]) => [area, addressesOf(modules, chunks)] as const));
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

/** The markup without the styles in it, which the document's policy forbids there: those of elements become rules. */
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

/** The rules that this markup needs, in both themes and under a pointer. */
async function usedOf(sheets: readonly string[], html: string): Promise<string> {
  const used = await new PurgeCSS().purge({
    content: [{ raw: `<html data-mantine-color-scheme="light"><body>${html}</body></html>`, extension: 'html' }],
    // One, so that what one sheet uses of another's variables stays.
    css: [{ raw: sheets.join('') }],
    safelist: { standard: ['data-mantine-color-scheme', 'light', 'dark'], variables: html.match(/--[\w-]+(?=\))/g) ?? [] },
    keyframes: true,
    variables: true,
  });
  return used.map(({ css }) => css).join('');
}

/** Throws where signing in would have to wait for the frame: two programs share a module that stands in the other one. */
function checkApart(chunks: readonly Rolldown.OutputChunk[]): void {
  const [frame = ''] = addressesOf(['shell/team.ts'], chunks);
  for (const module of ['pages/sign-in/SignIn.tsx', 'session/auth.ts'])
    if (addressesOf([module], chunks).includes(frame)) throw new Error(`${module} imports the program of the frame`);
}

/** The files of these modules with all that they import, styles too, but for what every page starts with. */
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
    if (!chunk) throw new Error(`The document names ${module}, which is not there`);
    add(chunk.fileName);
  }
  for (const { isEntry, fileName, imports, viteMetadata } of chunks)
    if (isEntry) for (const file of [fileName, ...imports, ...(viteMetadata?.importedCss ?? [])]) files.delete(file);
  return [...files].map((file) => `/${file}`);
}
