import type { FastifyReply } from 'fastify';
import { directionOf, type LanguageTag } from '#contract/language/languages.ts';
import { FORM_REFERRER } from '../mailer/sender.ts';
import { sha256 } from '../sha256.ts';
import { type Html, html } from './markup.ts';

/** The default light theme, with the colors of dashboard/ui/theme/tokens.css. */
const CSS = `
body{margin:0;background:#f6f6f3;color:#1c1b19;font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:42rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{margin:0 0 .5rem;font-size:1.75rem;line-height:1.25}
h2{margin:2rem 0 .25rem;font-size:1.125rem}
p,ul,dl,pre{margin:.5rem 0}
ul{padding-left:1.25rem}
li{margin:.375rem 0}
dt{color:#56554f}
dd{margin:0 0 .5rem}
pre{padding:1rem;border:1px solid #e0dfda;border-radius:12px;background:#fff;font:inherit;white-space:pre-wrap}
a{color:#3d4cc2}
a:focus-visible{outline:2px solid #3d4cc2;outline-offset:2px}
.home{display:inline-block;margin-bottom:1.5rem;color:inherit;font-weight:650;text-decoration:none}
.quiet{color:#56554f}
`.trim();

/** For pages opened from a mail: adds a button and a dark theme. */
const FORM_CSS = `
${CSS}
blockquote{margin:.75rem 0;padding:.25rem 0 .25rem 1rem;border-left:3px solid #8a8880}
button{min-height:44px;margin:1rem 0;padding:.75rem 1.375rem;border:0;border-radius:8px;background:#3d4cc2;color:#fff;font:inherit;font-weight:600;cursor:pointer}
button:focus-visible{outline:2px solid #3d4cc2;outline-offset:2px}
@media (prefers-color-scheme:dark){
body{background:#121215;color:#ececef}
a{color:#a3aeff}
button{background:#a3aeff;color:#14163a}
a:focus-visible,button:focus-visible{outline-color:#a3aeff}
.quiet{color:#ababb6}
}
`.trim();

/** For the pages about the product: pictures, a logo, and both themes. */
const SITE_CSS = `
${CSS}
.home{display:inline-flex;align-items:center;gap:.5rem;min-height:44px}
.logo{fill:#3d4cc2}
.logo path{fill:#fff}
.actions{display:flex;flex-wrap:wrap;align-items:center;gap:0 1.25rem;margin:1.25rem 0}
.actions a{padding:.625rem 0}
.actions .primary{padding:.625rem 1.25rem;border-radius:8px;background:#3d4cc2;color:#fff;font-weight:600;text-decoration:none}
.lead{font-size:1.125rem}
.price{padding:.75rem 1rem;border:1px solid #e0dfda;border-radius:12px;background:#fff}
.pictures{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin:1.5rem 0}
figure{margin:0}
figcaption{margin-top:.5rem;color:#56554f;font-size:.875rem;line-height:1.4}
img{display:block;width:100%;height:auto;border:1px solid #e0dfda;border-radius:12px;box-sizing:border-box}
@media (min-width:60rem){
main:has(.split){max-width:64rem}
.split{display:grid;grid-template:auto 1fr/1fr 1fr;column-gap:3rem}
.split .pictures{grid-area:1/2/span 2;margin-top:0}
}
@media (prefers-color-scheme:dark){
body{background:#121215;color:#ececef}
a{color:#a3aeff}
a:focus-visible{outline-color:#a3aeff}
.home{color:inherit}
.logo{fill:#a3aeff}
.logo path{fill:#14163a}
.actions .primary{background:#a3aeff;color:#14163a}
.quiet,figcaption{color:#ababb6}
.price{border-color:#313138;background:#1a1a1e}
img{border-color:#313138}
}
`.trim();

const policyOf = (css: string, formAction: string, images = 'data:'): string =>
  `default-src 'none'; style-src 'sha256-${sha256(css).toString('base64')}'; img-src ${images}; frame-ancestors 'none'; base-uri 'none'; form-action ${formAction}`;
const PAGE_KINDS = {
  words: { css: CSS, scheme: 'light', policy: policyOf(CSS, "'none'"), referrer: 'no-referrer' },
  form: { css: FORM_CSS, scheme: 'light dark', policy: policyOf(FORM_CSS, "'self'"), referrer: FORM_REFERRER },
  site: { css: SITE_CSS, scheme: 'light dark', policy: policyOf(SITE_CSS, "'none'", "'self' data:"), referrer: 'no-referrer' },
} as const;

interface PlainPage {
  readonly title: string;
  readonly body: Html;
  readonly cacheControl: string;
  /** `form` allows a form that posts to this site, `site` its pictures; `words` by default. */
  readonly look?: keyof typeof PAGE_KINDS;
  /** English by default. */
  readonly language?: LanguageTag;
}

/** Sends a self-contained page without scripts. */
export function sendPlainPage(
  reply: FastifyReply,
  { title, body, cacheControl, look = 'words', language = 'en' }: PlainPage,
): FastifyReply {
  const { css, scheme, policy, referrer } = PAGE_KINDS[look];
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="${scheme}"><title>${title}</title><link rel="icon" href="data:,">`;
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', cacheControl)
    .header('content-security-policy', policy)
    .header('referrer-policy', referrer)
    .send(
      `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head>${head.markup}<style>${css}</style></head><body><main>${body.markup}</main></body></html>`,
    );
}
