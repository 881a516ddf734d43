import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { documentNames, TEAM_LANGUAGES, type TeamLanguage } from '#contract/language/team.ts';
import type { Config } from './platform/config/config.ts';
import { sendCompressed } from './platform/http/http.ts';
import { teamLanguage } from './platform/http/team-language.ts';
import { senderOf } from './platform/mailer/sender.ts';

const HTML = 'text/html; charset=utf-8';
/** Placeholder in the built page for the answer's nonce. */
const NONCE = '__NONCE__';
/** Placeholder for the public configuration. */
const CONFIG = '"__CONFIG__"';
/** Paths that are never a page: those of the API, and files such as /favicon.ico. */
const NO_PAGE = /^\/(?:api|assets|health)\/|^[^?]*\.[a-z0-9]{2,5}(?:\?|$)/;

/** Cleared by the browser on sign-out, so that "back" shows no page of the team. Its storage stays: it also has visitors' unsent feedback. */
const CLEARED = '"cache"';

/** The manifest that an iPhone needs to add the product to the home screen; only from there it shows notifications. */
const APP = { name: 'Afterword', short_name: 'Afterword', start_url: '/', scope: '/', display: 'standalone' };

/** The built documents of the team's pages in a language. */
interface LanguageDocuments {
  readonly page: string;
  /** The demo's feed, prerendered (docs/decisions/0005-the-dashboard.md). */
  readonly demo: string;
}

export type Documents = Readonly<Record<TeamLanguage, LanguageDocuments>>;

export async function openDocuments({ builtDir }: Pick<Config, 'builtDir'>): Promise<Documents> {
  const read = (name: string) => readFile(path.join(builtDir, name), 'utf8');
  const documents = TEAM_LANGUAGES.map(async (language) => {
    const [page, demo] = await Promise.all(documentNames(language).map(read));
    return [language, { page, demo }] as const;
  });
  return Object.fromEntries(await Promise.all(documents)) as Documents;
}

interface Dashboard {
  readonly documents: Documents;
  /** Other origins that the page connects to. */
  readonly origins: readonly string[];
  readonly publicConfig: (request: FastifyRequest) => PublicConfig;
}

/** Serves the push worker without caching, because it must never be outdated, and the web app manifest. */
export async function addPushWorker(http: FastifyInstance, { builtDir }: Pick<Config, 'builtDir'>): Promise<void> {
  const program = await readFile(path.join(builtDir, 'push-worker.js'), 'utf8');
  http.get('/push-worker.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(program),
  );
  http.get('/app.webmanifest', async (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', 'no-cache').send(JSON.stringify(APP)),
  );
}

/** The demo's feed without a filter or an open item. */
const IS_DEMO = /^\/demo\/?$/;

/** Serves the team's document at every other path, and the demo's feed; the client-side router does the rest. */
export function addDashboard(http: FastifyInstance, { documents, origins, publicConfig }: Dashboard): void {
  http.get('/*', async (request, reply) => {
    if (NO_PAGE.test(request.url)) return reply.callNotFound();
    const nonce = randomBytes(16).toString('base64');
    // Only a `<` could end the script element.
    const facts = publicConfig(request);
    const config = JSON.stringify(facts).replaceAll('<', '\\u003c');
    // The browser's language, which most people use. Where another was chosen, the page is drawn by its program.
    const { page: team, demo } = documents[teamLanguage(request)];
    const page = IS_DEMO.test(request.url) ? demo : team;
    const html = page.replaceAll(NONCE, nonce).replace(CONFIG, () => config);
    const isCheckout = facts.billing.kind === 'paddle' && IS_PAY.test(request.url);
    if (isCheckout) void reply.headers(CHECKOUT_HEADERS);
    return sendCompressed(request, pageHeaders(reply, policyFor({ nonce, origins, isCheckout })), html);
  });
  http.post('/signout', async (request, reply) => {
    // Another site must not be able to clear our visitors' cache.
    if (senderOf(request) === 'ours') void reply.header('clear-site-data', CLEARED);
    return reply.code(204).header('cache-control', 'no-store').send();
  });
}

function pageHeaders(reply: FastifyReply, policy: string): FastifyReply {
  return reply
    .type(HTML)
    .header('cache-control', 'no-store')
    .header('vary', 'accept-encoding, accept-language')
    .header('content-security-policy', policy);
}

/** The payment page, in any spelling of its path. */
const IS_PAY = /^\/pay\/?(?:\?|$)/i;

/** Origins of the payment provider's checkout (docs/rules.md#security-headers). */
const CHECKOUT = {
  script: ['https://cdn.paddle.com'],
  /** Its styles and pictures, and its frame for errors. */
  parts: ['https://cdn.paddle.com', 'https://sandbox-cdn.paddle.com'],
  frame: ['https://buy.paddle.com', 'https://sandbox-buy.paddle.com'],
  connect: ['https://*.paddle.com'],
} as const;
const NO_CHECKOUT = { script: [], parts: [], frame: [], connect: [] } as const;

/** The checkout opens windows of banks, and may use the browser's payment request. */
const CHECKOUT_HEADERS = {
  'cross-origin-opener-policy': 'unsafe-none',
  'permissions-policy': `camera=(), geolocation=(), microphone=(), payment=(self ${CHECKOUT.frame.map((host) => `"${host}"`).join(' ')}), usb=()`,
};

interface Policy {
  readonly nonce: string;
  /** Other origins that the page connects to. */
  readonly origins: readonly string[];
  /** Whether the payment provider's script runs on the page; it doesn't support Trusted Types. */
  readonly isCheckout: boolean;
}

function policyFor({ nonce, origins, isCheckout }: Policy): string {
  const { script, parts, frame, connect } = isCheckout ? CHECKOUT : NO_CHECKOUT;
  return [
    "default-src 'none'",
    [`script-src 'self' 'nonce-${nonce}'`, ...script].join(' '),
    [`style-src 'self' 'nonce-${nonce}'`, ...parts].join(' '),
    // The checkout positions its overlay with style attributes.
    ...(isCheckout ? ["style-src-attr 'unsafe-inline'"] : []),
    ["img-src 'self' data:", ...parts].join(' '),
    // For the preview of a form.
    ["frame-src 'self'", ...frame, ...parts].join(' '),
    "manifest-src 'self'",
    // For the push worker.
    "worker-src 'self'",
    ["connect-src 'self'", ...origins, ...connect].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // dashboard/ui/trusted-types.ts creates this policy.
    ...(isCheckout ? [] : ["require-trusted-types-for 'script'", 'trusted-types default']),
  ].join('; ');
}
