import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { MOUTHS } from '#contract/feedback/rating.ts';
import { KIOSK_PATH, KIOSK_PREVIEW_PATH, KIOSK_WORKER } from '#contract/kiosk/kiosk-page.ts';
import type { Config } from '../platform/config/config.ts';
import { previewPolicy } from '../platform/http/headers.ts';

/** The built page of a kiosk. */
interface KioskDocument {
  readonly html: string;
  /** Changes whenever the page does. */
  readonly version: string;
  readonly contentSecurityPolicy: string;
  /** The script of its service worker. */
  readonly worker: string;
  /** The page in the dashboard's preview frame. It makes no request and can't send anything. */
  readonly preview: { readonly html: string; readonly contentSecurityPolicy: string };
}

const MANIFEST_PATH = '/kiosk.webmanifest';
const ICON_PATH = '/kiosk-icon.svg';

const MANIFEST = JSON.stringify({
  name: 'Afterword kiosk',
  short_name: 'Kiosk',
  start_url: KIOSK_PATH,
  scope: KIOSK_PATH,
  display: 'fullscreen',
  background_color: '#f6f6f3',
  icons: [{ src: ICON_PATH, type: 'image/svg+xml', sizes: 'any', purpose: 'any' }],
});

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 36 36"><path fill="#0a5563" d="M-6-6h36v36H-6z"/>' +
  '<g fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round"><circle cx="12" cy="12" r="10.6"/>' +
  `<path d="${MOUTHS[5]}"/></g><g fill="#fff"><circle cx="8.6" cy="9.6" r="1.5"/><circle cx="15.4" cy="9.6" r="1.5"/></g></svg>`;

/**
 * If the page doesn't start within 15 seconds, opens the stored version that last worked (`stored`, for `kiosk/worker.ts`). If that doesn't
 * start within a minute, loads the page again, whose fault may be corrected by then.
 */
const RESCUE =
  `setTimeout(function () { if ('live' in document.documentElement.dataset) return;` +
  ` location.replace(location.search ? '${KIOSK_PATH}' : '${KIOSK_PATH}?stored=' + document.documentElement.dataset.version); },` +
  ' location.search ? 60000 : 15000);';

/** Reads the built page. Throws if there is no build. */
export function openKioskDocument({ builtDir }: Pick<Config, 'builtDir'>): KioskDocument {
  const { script, links } = filesOf(builtDir, { page: 'kiosk', entry: 'kiosk/entry.tsx' });
  const preview = filesOf(builtDir, { page: 'kiosk-preview', entry: 'kiosk/entry-preview.tsx' });
  const page = (version: string) =>
    `<!doctype html><html lang="en" data-version="${version}"><head>${META}` +
    '<meta name="mobile-web-app-capable" content="yes"><meta name="apple-mobile-web-app-capable" content="yes">' +
    `<title>Kiosk</title><link rel="icon" href="${ICON_PATH}"><link rel="manifest" href="${MANIFEST_PATH}">${links}<script>${RESCUE}</script></head>` +
    `<body><div id="kiosk"></div><noscript>A kiosk needs JavaScript.</noscript><script type="module" src="/${script}"></script></body></html>`;
  const version = createHash('sha256').update(page('')).digest('hex').slice(0, 12);
  return {
    html: page(version),
    version,
    contentSecurityPolicy: [
      "default-src 'none'",
      `script-src 'self' 'sha256-${createHash('sha256').update(RESCUE).digest('base64')}'`,
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types kiosk-worker',
    ].join('; '),
    worker: readFileSync(path.join(builtDir, 'kiosk-worker.js'), 'utf8'),
    preview: {
      html:
        `<!doctype html><html lang="en"><head>${META}<title>Preview of a kiosk</title><link rel="icon" href="data:,">${preview.links}</head>` +
        `<body><div id="kiosk"></div><script type="module" src="/${preview.script}"></script></body></html>`,
      contentSecurityPolicy: previewPolicy("'self'"),
    },
  };
}

const META =
  '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">';

interface BuiltEntry {
  readonly page: 'kiosk' | 'kiosk-preview';
  readonly entry: string;
}

/** Returns the script's address, and the links to its style sheets. */
function filesOf(builtDir: string, { page, entry }: BuiltEntry): { readonly script: string; readonly links: string } {
  const manifest = readFileSync(path.join(builtDir, `public/${page}.json`), 'utf8');
  const built = (JSON.parse(manifest) as Record<string, { file: string; css?: string[] }>)[entry];
  if (!built) throw new Error('The build of the kiosk has no entry; run npm run build');
  return { script: built.file, links: (built.css ?? []).map((style) => `<link rel="stylesheet" href="/${style}">`).join('') };
}

/** Adds `/kiosk`, its worker, its manifest, its icon and its preview. */
export function addKioskPage(http: FastifyInstance, { html, contentSecurityPolicy, worker, preview }: KioskDocument): void {
  const files = [
    [KIOSK_PATH, 'text/html; charset=utf-8', html, contentSecurityPolicy],
    [KIOSK_WORKER, 'text/javascript; charset=utf-8', worker, "default-src 'none'; connect-src 'self'"],
    [MANIFEST_PATH, 'application/manifest+json', MANIFEST, "default-src 'none'"],
    [ICON_PATH, 'image/svg+xml', ICON, "default-src 'none'"],
    [KIOSK_PREVIEW_PATH, 'text/html; charset=utf-8', preview.html, preview.contentSecurityPolicy],
  ] as const;
  for (const [address, type, content, policy] of files)
    http.get(address, async (_request, reply) =>
      reply.type(type).header('cache-control', 'no-cache').header('content-security-policy', policy).send(content),
    );
}
