import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FormBundle } from '#contract/form/form-page.ts';
import type { Config } from '../platform/config/config.ts';

/** The parts of every page of the form. */
export interface FormDocument {
  readonly bundle: FormBundle;
  /** Everything up to the first visible element. */
  head(title: string): string;
  /** Placeholder for a form whose data is late. */
  readonly skeleton: string;
  /** Hides the skeleton without JavaScript. */
  readonly afterSkeleton: string;
  /** The scripts and the end of the page. */
  readonly tail: string;
  /** Returns a page that contains a message instead of a form. */
  message(title: string, text: string, retry?: string): string;
  /** Returns the message without a head, for a page whose head was already sent. */
  messageWithoutHead(title: string, text: string, retry?: string): string;
  readonly contentSecurityPolicy: string;
  /** The page in the dashboard's preview frame. It makes no request and can't send anything. */
  readonly preview: { readonly html: string; readonly contentSecurityPolicy: string };
}

const HIDE = '.skeleton{display:none}';

/** Reads the built form. Throws if there is no build. */
export async function openDocument({ builtDir }: Pick<Config, 'builtDir'>): Promise<FormDocument> {
  const { bundle } = (await import(pathToFileURL(path.join(builtDir, 'form-server/entry-server.js')).href)) as { bundle: FormBundle };
  const script = scriptAddress(path.join(builtDir, 'public/form.json'), 'form/entry-client.tsx');
  const preview = scriptAddress(path.join(builtDir, 'public/preview.json'), 'form/entry-preview.tsx');
  const css = bundle.CSS.trim();
  const head = (title: string) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${escaped(title)}</title><link rel="icon" href="data:,"><script>${bundle.THEME_SCRIPT}</script><style>${css}</style></head><body>`;
  return {
    bundle,
    head,
    skeleton:
      `<div class="card skeleton" role="status" aria-label="Loading"><i></i><i></i><div class="faces">${'<i></i>'.repeat(5)}</div><i></i><i></i>` +
      `<span class="button" aria-disabled="true">Submit feedback</span></div>`,
    afterSkeleton: `<style>${HIDE}</style>`,
    tail: `<script>${bundle.EARLY_SCRIPT}</script><script type="module" async src="${script}"></script></body></html>`,
    message: (title, text, retry) => head(title) + message(bundle.FACE, { title, text, retry }),
    messageWithoutHead: (title, text, retry) => message(bundle.FACE, { title, text, retry }),
    contentSecurityPolicy: [
      "default-src 'none'",
      `script-src 'self' ${hashOf(bundle.THEME_SCRIPT)} ${hashOf(bundle.EARLY_SCRIPT)}`,
      `style-src ${hashOf(css)} ${hashOf(HIDE)}`,
      "img-src 'self' data:",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
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

function message(face: string, { title, text, retry }: { title: string; text: string; retry: string | undefined }): string {
  const paragraph = text === '' ? '' : `<p>${escaped(text)}</p>`;
  const button = retry === undefined ? '' : `<p><a class="button" href="${escaped(retry)}">Try again</a></p>`;
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
