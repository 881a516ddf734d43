import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FormBundle } from '#contract/form/form-page.ts';
import { WORDS } from '#contract/language/all.ts';
import { directionOf, type LanguageTag } from '#contract/language/languages.ts';
import type { Config } from '../platform/config/config.ts';

/** The parts of every page of the form. */
export interface FormDocument {
  readonly bundle: FormBundle;
  /** Everything up to the first visible element. `style` is a brand's. */
  head(title: string, language: LanguageTag, style?: string): string;
  /** Returns the placeholder for a form whose data is late. */
  skeleton(language: LanguageTag): string;
  /** Hides the skeleton without JavaScript. */
  readonly afterSkeleton: string;
  /** The scripts and the end of the page. */
  readonly tail: string;
  /** Returns a page that contains a message instead of a form. */
  message(content: PageMessage): string;
  /** Returns the message without a head, for a page whose head was already sent. */
  messageWithoutHead(content: PageMessage): string;
  /** The policy of a page with a brand's style, or without. */
  contentSecurityPolicy(style: string | undefined): string;
  /** The script of the form's service worker. */
  readonly worker: string;
  /** The page in the dashboard's preview frame. It makes no request and can't send anything. */
  readonly preview: { readonly html: string; readonly contentSecurityPolicy: string };
}

/** A message in place of a form. `retry` is an address to try again. */
export interface PageMessage {
  readonly language: LanguageTag;
  readonly title: string;
  readonly text: string;
  readonly retry?: string;
}

const HIDE = '.skeleton{display:none}';

/** Reads the built form. Throws if there is no build. */
export async function openDocument({ builtDir }: Pick<Config, 'builtDir'>): Promise<FormDocument> {
  const { bundle } = (await import(pathToFileURL(path.join(builtDir, 'form-server/entry-server.js')).href)) as { bundle: FormBundle };
  const script = scriptAddress(path.join(builtDir, 'public/form.json'), 'form/entry-client.tsx');
  const preview = scriptAddress(path.join(builtDir, 'public/preview.json'), 'form/entry-preview.tsx');
  const css = bundle.CSS.trim();
  const head = (title: string, language: LanguageTag, style?: string) =>
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${escaped(title)}</title><link rel="icon" href="data:,"><script>${bundle.THEME_SCRIPT}</script><style>${css}</style>${style === undefined ? '' : `<style>${style}</style>`}</head><body>`;
  const styles = `style-src ${hashOf(css)} ${hashOf(HIDE)}`;
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashOf(bundle.THEME_SCRIPT)} ${hashOf(bundle.EARLY_SCRIPT)}`,
    styles,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Only the address of the service worker (form/offline.ts).
    'trusted-types form-worker',
  ].join('; ');
  return {
    bundle,
    head,
    skeleton: (language) =>
      `<div class="card skeleton" role="status" aria-label="${escaped(WORDS[language].messages.loading)}"><i></i><i></i><div class="faces">${'<i></i>'.repeat(5)}</div><i></i><i></i>` +
      `<span class="button" aria-disabled="true">${escaped(WORDS[language].page.submit)}</span></div>`,
    afterSkeleton: `<style>${HIDE}</style>`,
    tail: `<script>${bundle.EARLY_SCRIPT}</script><script type="module" async src="${script}"></script></body></html>`,
    message: (content) => head(content.title, content.language) + message(bundle.FACE, content),
    messageWithoutHead: (content) => message(bundle.FACE, content),
    contentSecurityPolicy: (style) => (style === undefined ? policy : policy.replace(styles, `${styles} ${hashOf(style)}`)),
    worker: readFileSync(path.join(builtDir, 'form-worker.js'), 'utf8'),
    preview: {
      html:
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
        `<meta name="robots" content="noindex"><title>Preview of a form</title><link rel="icon" href="data:,"><style>${css}</style></head>` +
        `<body><div id="form"></div><script type="module" src="${preview}"></script></body></html>`,
      contentSecurityPolicy: [
        "default-src 'none'",
        "script-src 'self'",
        `style-src ${hashOf(css)}`,
        'img-src data:',
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
    },
  };
}

function message(face: string, { language, title, text, retry }: PageMessage): string {
  const paragraph = text === '' ? '' : `<p>${escaped(text)}</p>`;
  const button =
    retry === undefined ? '' : `<p><a class="button" href="${escaped(retry)}">${escaped(WORDS[language].messages.tryAgain)}</a></p>`;
  return `<main class="card"><div class="done"><div class="chosen r3">${face}</div><h1>${escaped(title)}</h1>${paragraph}${button}</div></main></body></html>`;
}

function scriptAddress(manifest: string, source: string): string {
  const files = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, { file: string }>;
  const entry = files[source];
  if (!entry) throw new Error('The build of the form has no entry; run npm run build');
  return `/${entry.file}`;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
