import { PurgeCSS } from 'purgecss';
import type { Plugin, Rolldown } from 'vite';

/** What the document shows before anything runs, as HTML: dashboard/shell/skeleton.tsx, built. */
export interface Skeleton {
  readonly frame: string;
  readonly signIn: string;
}

/**
 * The dashboard's programs, each in one file with all that it needs (docs/decisions/0030-the-first-load.md): in a dozen, headers and
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

/** The script in the document says which of them is shown. */
const HIDDEN = 'html:not([data-start=frame]) #ahead-frame,html:not([data-start=sign-in]) #ahead-sign-in{display:none}';

/** Lays into the document what it shows first, the names of what comes next, and the styles behind both. */
export function firstLoad({ frame, signIn }: Skeleton): Plugin {
  const drawn = drawnFrom(`<div id="ahead-frame">${frame}</div><div id="ahead-sign-in">${signIn}</div>`);
  return {
    name: 'first-load',
    transformIndexHtml: {
      order: 'post',
      async handler(page, { bundle = {} }) {
        const sheets = Object.values(bundle).flatMap((output) =>
          output.type === 'asset' && output.fileName.endsWith('.css') ? [String(output.source)] : [],
        );
        const css = await usedOf([...sheets, ...drawn.sheets], drawn.html);
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        checkApart(chunks);
        const programs = Object.fromEntries(Object.entries(NEEDED).map(([area, modules]) => [area, addressesOf(modules, chunks)] as const));
        const styles = page.match(/ *<link rel="stylesheet"[^>]*>\n?/g) ?? [];
        const scripts = page.match(/ *<script type="module"[^>]*><\/script>\n?/g) ?? [];
        return [...styles, ...scripts]
          .reduce((left, tag) => left.replace(tag, ''), page)
          .replace('</head>', () => `<style nonce="__NONCE__">${css}${HIDDEN}</style></head>`)
          .replace('<!-- __AHEAD__ -->', () => drawn.html)
          .replace('__PROGRAMS__', () => JSON.stringify(programs))
          .replace('</body>', () => `${styles.join('')}${scripts.join('')}</body>`);
      },
    },
  };
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
  const html = bare.replaceAll(/ style="([^"]*)"/g, (_attribute, declarations: string) => {
    const name = `ahead-${sheets.length}`;
    sheets.push(`[data-style="${name}"]{${declarations}}`);
    return ` data-style="${name}"`;
  });
  return { html, sheets };
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
