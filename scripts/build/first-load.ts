import { PurgeCSS } from 'purgecss';
import type { Plugin, Rolldown } from 'vite';
import { documentNames, TEAM_LANGUAGES, type TeamLanguage } from '#contract/language/team.ts';
import { spokenIn } from '#contract/language/team-words.ts';
import type { PrerenderedPages } from './prerender.ts';

/**
 * The dashboard's programs, each in one file with everything it needs (docs/decisions/0005-the-dashboard.md): split into a dozen files,
 * headers and weaker compression would cost 20 kB. Code that two of them need is in the one with the higher priority.
 */
export const PROGRAMS = [
  { name: 'start', tags: ['$initial' as const], priority: 6 },
  // What signing in, the frame and the user pool's library share. Otherwise, one of the first two would load the other.
  {
    name: 'controls',
    test: /[\\/](?:(?:Fields|MailHint|Rich)\.tsx|(?:usePublicConfig|hold)\.ts)$|[\\/]components[\\/](?:ActionIcon|Checkbox|CloseButton)[\\/]|[\\/]tslib[\\/]/,
    priority: 5,
  },
  { name: 'sign-in', test: /[\\/]pages[\\/]sign-in[\\/]SignIn\.tsx$/, priority: 4 },
  // The pattern of mentions belongs to comments, which a desk opens at once. Otherwise, it would load the contract.
  { name: 'team', test: /[\\/](?:shell[\\/]team-chunk|comment[\\/]mention)\.ts$/, priority: 3 },
  // Menus use a part of it. Otherwise, signing up would load the overlays.
  { name: 'radio', test: /[\\/]components[\\/]Radio[\\/]/, priority: 2 },
  // Loaded once the page is shown.
  {
    name: 'overlays',
    test: /[\\/]ui[\\/]layers[\\/](overlays\.ts|OpenedBy\.tsx|Sheet\.tsx)$|[\\/](AccountItems|CommentMenu|ViewItems)\.tsx$/,
    priority: 1,
  },
  // What only other pages and the demo need, except what is large and needed by few: texts in other languages and topics' words.
  {
    name: 'contract',
    test: /[\\/]contract[\\/](?!topic[\\/]|language[\\/](?:(?:team|words)[\\/]|all\.ts$)).+\.ts$/,
    priority: 0,
  },
];

/** The modules that each kind of page loads. dashboard/start.ts chooses among them. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  team: ['shell/team-chunk.ts', 'session/auth.ts'],
  demo: ['demo/DemoArea.tsx', 'shell/team-chunk.ts'],
  outside: ['pages/sign-in/SignIn.tsx'],
  signup: ['pages/sign-up/SignUp.tsx'],
  docs: ['pages/docs/Docs.tsx'],
  ...Object.fromEntries(TEAM_LANGUAGES.filter((tag) => tag !== 'en').map((tag) => [tag, [`contract/language/team/${tag}.ts`]])),
};

export type PagesByLanguage = Readonly<Record<TeamLanguage, PrerenderedPages>>;

/**
 * Creates the documents of each language from the page: what they show first, with its styles, and the names of the files to load
 * next. The demo has its own document (docs/decisions/0005-the-dashboard.md).
 */
export function firstLoad(pages: PagesByLanguage, start: string): Plugin {
  const documents: Record<string, string> = {};
  return {
    name: 'first-load',
    transformIndexHtml: {
      order: 'post',
      async handler(page, { bundle = {} }) {
        for (const language of TEAM_LANGUAGES) {
          const { narrow, wide, ...others } = pages[language];
          const end = `${wordsOf(language, start)}<script nonce="__NONCE__">${start}</script>`;
          const translated = page.replace('lang="en"', `lang="${language}"`);
          const [name, demoName] = documentNames(language);
          documents[name] = await documentOf(translated, bundle, templatesOf(others) + end);
          documents[demoName] = await documentOf(translated, bundle, templatesOf({ narrow, wide }) + end);
        }
        return page;
      },
    },
    generateBundle: {
      order: 'post',
      handler() {
        for (const [fileName, source] of Object.entries(documents)) this.emitFile({ type: 'asset', fileName, source });
      },
    },
  };
}

/** Returns the language's texts that the script at the end of the document shows, which runs before the language is loaded. */
function wordsOf(language: TeamLanguage, start: string): string {
  const words = Object.entries(spokenIn(language).words ?? {}).filter(
    ([text]) => start.includes(JSON.stringify(text)) || start.includes(`\`${text}\``),
  );
  return `<script type="application/json" id="words">${JSON.stringify(Object.fromEntries(words))}</script>`;
}

/** The content security policy forbids style attributes, so the script sets them. */
const templatesOf = (pages: Partial<PrerenderedPages>): string =>
  Object.entries(pages)
    .map(([name, markup]) => `<template id="drawn-${name}">${markup.replaceAll(' style="', ' data-style="')}</template>`)
    .join('');

async function documentOf(page: string, bundle: Rolldown.OutputBundle, templates: string): Promise<string> {
  const outputs = Object.values(bundle);
  const sheets = outputs.flatMap((output) => (output.type === 'asset' && output.fileName.endsWith('.css') ? [String(output.source)] : []));
  // The kit's own styles are in the markup.
  const kit = [...new Set(templates.match(STYLE))].map((style) => style.replace(STYLE, '$1'));
  const css = await usedStyles([...sheets, ...kit], templates.replaceAll(STYLE, ''));
  const chunks = outputs.filter((output) => output.type === 'chunk');
  checkSeparate(chunks);
  const programs = Object.fromEntries(Object.entries(NEEDED).map(([area, modules]) => [area, addressesOf(modules, chunks)] as const));
  const styles = page.match(/ *<link rel="stylesheet"[^>]*>\n?/g) ?? [];
  const scripts = page.match(/ *<script type="module"[^>]*><\/script>\n?/g) ?? [];
  const json = `<script type="application/json" id="programs">${JSON.stringify(programs)}</script>`;
  return [...styles, ...scripts]
    .reduce((html, tag) => html.replace(tag, ''), page)
    .replace(/^ *\/\/ .*\n/gm, '')
    .replace('</head>', () => `<style nonce="__NONCE__">${css}</style></head>`)
    .replace('<!-- __DRAWN__ -->', () => json + templates)
    .replace('</body>', () => `${styles.join('')}${scripts.join('')}</body>`);
}

const STYLE = /<style[^>]*>(.*?)<\/style>/gs;

/** Returns the CSS rules that this markup needs, in both themes and on hover. */
async function usedStyles(sheets: readonly string[], html: string): Promise<string> {
  const used = await new PurgeCSS().purge({
    content: [{ raw: `<html data-mantine-color-scheme="light"><body>${html}</body></html>`, extension: 'html' }],
    // Joined, so that variables used in other sheets stay.
    css: [{ raw: sheets.join('') }],
    safelist: { standard: ['data-mantine-color-scheme', 'light', 'dark'], variables: html.match(/--[\w-]+(?=\))/g) ?? [] },
    keyframes: true,
    variables: true,
  });
  return used.map(({ css }) => css).join('');
}

/** Throws if signing in would have to wait for the frame, because a module that both need is in the frame's program. */
function checkSeparate(chunks: readonly Rolldown.OutputChunk[]): void {
  const [frame = ''] = addressesOf(['shell/team-chunk.ts'], chunks);
  for (const module of ['pages/sign-in/SignIn.tsx', 'session/auth.ts'])
    if (addressesOf([module], chunks).includes(frame)) throw new Error(`${module} imports the program of the frame`);
}

/** Returns the files of these modules and their imports, styles included, except those that every page loads. */
function addressesOf(modules: readonly string[], chunks: readonly Rolldown.OutputChunk[]): string[] {
  const files = new Set<string>();
  const add = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const chunk = chunks.find(({ fileName }) => fileName === file);
    for (const next of [...(chunk?.imports ?? []), ...(chunk?.viteMetadata?.importedCss ?? [])]) add(next);
  };
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.replaceAll('\\', '/').endsWith(`/${module}`)));
    if (!chunk) throw new Error(`The build has no ${module}, which pages load`);
    add(chunk.fileName);
  }
  for (const { isEntry, fileName, imports, viteMetadata } of chunks)
    if (isEntry) for (const file of [fileName, ...imports, ...(viteMetadata?.importedCss ?? [])]) files.delete(file);
  return [...files].map((file) => `/${file}`);
}
