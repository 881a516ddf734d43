import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FormBundle } from '#contract/form/form-page.ts';
import { WORDS } from '#contract/language/all.ts';
import { directionOf, type LanguageTag } from '#contract/language/languages.ts';
import type { Config } from '../platform/config/config.ts';
import { previewPolicy } from '../platform/http/headers.ts';
import { escaped } from '../platform/http/markup.ts';
import { sha256 } from '../platform/sha256.ts';

/** The parts of every page of the form. */
export interface FormDocument {
  readonly bundle: FormBundle;
  /** Everything up to the first visible element. */
  head(title: string, language: LanguageTag, variant: PageVariant): string;
  /** Returns the placeholder for a form whose data is late. */
  skeleton(language: LanguageTag): string;
  /** Hides the skeleton without JavaScript. */
  readonly afterSkeleton: string;
  /** The scripts and the end of the page. */
  tail(variant: PageVariant): string;
  /** Returns a page that contains a message instead of a form. */
  message(content: PageMessage, variant: PageVariant): string;
  /** Returns the message without a head, for a page whose head was already sent. */
  messageWithoutHead(content: PageMessage): string;
  contentSecurityPolicy(variant: PageVariant): string;
  /** The script of the form's service worker. */
  readonly worker: string;
  /** The script of a visitor's private page. */
  readonly conversation: string;
  /** The script for other sites' pages. */
  readonly embed: string;
  /** The page in the dashboard's preview frame. It makes no request and can't send anything. */
  readonly preview: { readonly html: string; readonly contentSecurityPolicy: string };
}

/** What a page has besides a form's usual parts. */
export interface PageVariant {
  /** A brand's style. */
  readonly style?: string | undefined;
  /** Allows a brand's style that is sent after the headers. */
  readonly nonce?: string;
  /** The page is in another site's frame. */
  readonly isEmbedded?: boolean;
  /** The page was opened from a face in a mail, which its script saves. */
  readonly isFromMail?: boolean;
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
  const preview = scriptAddress(path.join(builtDir, 'public/preview.json'), 'form/preview/entry.tsx');
  const css = bundle.CSS.trim();
  const head = (title: string, language: LanguageTag, { style, isEmbedded }: PageVariant) =>
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${escaped(title)}</title><link rel="icon" href="data:,"><script>${bundle.HEAD_SCRIPT}</script><style>${css}</style>${style === undefined ? '' : `<style>${style}</style>`}${isEmbedded ? embedded : ''}</head><body>`;
  const embedCss = bundle.EMBED_CSS.trim();
  const embedded = `<style>${embedCss}</style><script>${bundle.EMBED_SCRIPT}</script>`;
  const [scripts, styles] = [hashesOf(bundle.HEAD_SCRIPT, bundle.EARLY_SCRIPT), hashesOf(css, HIDE)];
  const [embedScript, embedStyle, mailScript] = [hashOf(bundle.EMBED_SCRIPT), hashOf(embedCss), hashOf(bundle.MAIL_SCRIPT)];
  return {
    bundle,
    head,
    skeleton: (language) =>
      `<div class="card skeleton" role="status" aria-label="${escaped(WORDS[language].messages.loading)}"><i></i><i></i><div class="faces">${'<i></i>'.repeat(5)}</div><i></i><i></i>` +
      `<span class="button" aria-disabled="true">${escaped(WORDS[language].page.submit)}</span></div>`,
    afterSkeleton: `<style>${HIDE}</style>`,
    tail: ({ isFromMail }) =>
      `${isFromMail ? `<script>${bundle.MAIL_SCRIPT}</script>` : ''}<script>${bundle.EARLY_SCRIPT}</script>` +
      `<script type="module" async src="${script}"></script></body></html>`,
    message: (content, variant) => head(content.title, content.language, variant) + message(bundle.FACE, content),
    messageWithoutHead: (content) => message(bundle.FACE, content),
    contentSecurityPolicy: ({ style, nonce, isEmbedded, isFromMail }) =>
      [
        "default-src 'none'",
        `script-src 'self' ${scripts}${isEmbedded ? ` ${embedScript}` : ''}${isFromMail ? ` ${mailScript}` : ''}`,
        `style-src ${styles}${style === undefined ? '' : ` ${hashOf(style)}`}${nonce === undefined ? '' : ` 'nonce-${nonce}'`}${isEmbedded ? ` ${embedStyle}` : ''}`,
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        `frame-ancestors ${isEmbedded ? '*' : "'none'"}`,
        "require-trusted-types-for 'script'",
        // Only the address of the service worker (form/offline/register.ts).
        'trusted-types form-worker',
      ].join('; '),
    worker: readFileSync(path.join(builtDir, 'form-worker.js'), 'utf8'),
    conversation: readFileSync(path.join(builtDir, 'conversation.js'), 'utf8'),
    embed: readFileSync(path.join(builtDir, 'embed.js'), 'utf8'),
    preview: {
      html:
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
        `<meta name="robots" content="noindex"><title>Preview of a form</title><link rel="icon" href="data:,"><style>${css}</style></head>` +
        `<body><div id="form"></div><script type="module" src="${preview}"></script></body></html>`,
      contentSecurityPolicy: previewPolicy(hashOf(css)),
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

const hashesOf = (...texts: string[]): string => texts.map(hashOf).join(' ');
const hashOf = (text: string): string => `'sha256-${sha256(text).toString('base64')}'`;
