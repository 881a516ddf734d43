import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PublicConfig } from '#contract/identity/identity.ts';
import type { Config } from './platform/config/config.ts';
import { accepts } from './platform/http/http.ts';
import { senderOf } from './platform/mailer/sender.ts';

const HTML = 'text/html; charset=utf-8';
/** Where the page's build leaves room for this answer's nonce. */
const NONCE = '__NONCE__';
/** And where for the public configuration. */
const CONFIG = '"__CONFIG__"';
/** Addresses that are never a page: what programs ask, and files such as /favicon.ico. */
const NO_PAGE = /^\/(?:api|assets|health)\/|^[^?]*\.[a-z0-9]{2,5}(?:\?|$)/;

/** What the browser drops as somebody signs out. Its storage also holds visitors' unsent feedback (docs/limits.md#cleared). */
const CLEARED = '"cache"';

/** What an iPhone asks before it puts the product on the home screen, from where alone it shows notifications. */
const APP = { name: 'Afterword', short_name: 'Afterword', start_url: '/', scope: '/', display: 'standalone' };

/** The documents of the team's pages, as the build made them. */
export interface Documents {
  readonly page: string;
  /** The demo's feed, with what it shows (docs/decisions/0007-the-first-load.md). */
  readonly demo: string;
}

export async function openDocuments({ builtDir }: Pick<Config, 'builtDir'>): Promise<Documents> {
  const read = (name: string) => readFile(path.join(builtDir, name), 'utf8');
  const [page, demo] = await Promise.all([read('dashboard.html'), read('demo.html')]);
  return { page, demo };
}

interface Dashboard {
  readonly documents: Documents;
  /** Where the page connects to beside this site: those who sign people in. */
  readonly origins: readonly string[];
  /** What a page may know before anyone signs in. */
  readonly publicConfig: (request: FastifyRequest) => PublicConfig;
}

/** The program that shows what is pushed, asked for anew each time: it must never be an old one. */
export async function addPushWorker(http: FastifyInstance, { builtDir }: Pick<Config, 'builtDir'>): Promise<void> {
  const program = await readFile(path.join(builtDir, 'push-worker.js'), 'utf8');
  http.get('/push-worker.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(program),
  );
  http.get('/app.webmanifest', async (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', 'no-cache').send(JSON.stringify(APP)),
  );
}

/** Its feed as it stands at first: nothing is filtered by, and nothing open. */
const IS_DEMO = /^\/demo\/?$/;

/** The team's pages: one document for every address that is nothing else, but for the demo's feed. The router in it knows the rest. */
export function addDashboard(http: FastifyInstance, { documents, origins, publicConfig }: Dashboard): void {
  http.get('/*', async (request, reply) => {
    if (NO_PAGE.test(request.url)) return reply.callNotFound();
    const nonce = randomBytes(16).toString('base64');
    // Inside a script element nothing but a `<` could end it.
    const facts = publicConfig(request);
    const config = JSON.stringify(facts).replaceAll('<', '\\u003c');
    const page = IS_DEMO.test(request.url) ? documents.demo : documents.page;
    const html = page.replaceAll(NONCE, nonce).replace(CONFIG, () => config);
    const isCheckout = facts.billing.kind === 'paddle' && IS_PAY.test(request.url);
    if (isCheckout) void reply.headers(CHECKOUT_HEADERS);
    return compressed(request, pageHeaders(reply, policyFor({ nonce, origins, isCheckout })), html);
  });
  http.post('/signout', async (request, reply) => {
    // From another site it would only slow that site's visitors down here.
    if (senderOf(request) === 'ours') void reply.header('clear-site-data', CLEARED);
    return reply.code(204).header('cache-control', 'no-store').send();
  });
}

/** Compressed for whoever reads gzip, which every browser does; beside the loop that answers everybody else. */
async function compressed(request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> {
  void reply.header('vary', 'accept-encoding');
  return accepts(request, 'gzip') ? reply.header('content-encoding', 'gzip').send(await promisify(gzip)(html)) : reply.send(html);
}

function pageHeaders(reply: FastifyReply, policy: string): FastifyReply {
  return reply.type(HTML).header('cache-control', 'no-store').header('content-security-policy', policy);
}

/** The page of payments, however its address is written. */
const IS_PAY = /^\/pay\/?(?:\?|$)/i;

/** Where the payment provider's checkout comes from (docs/limits.md#pay-policy). */
const CHECKOUT = {
  script: ['https://cdn.paddle.com'],
  /** Its styles and pictures, and its frame where it cannot open. */
  parts: ['https://cdn.paddle.com', 'https://sandbox-cdn.paddle.com'],
  frame: ['https://buy.paddle.com', 'https://sandbox-buy.paddle.com'],
  connect: ['https://*.paddle.com'],
} as const;
const NO_CHECKOUT = { script: [], parts: [], frame: [], connect: [] } as const;

/** It opens windows of banks, and may ask the browser for a payment. */
const CHECKOUT_HEADERS = {
  'cross-origin-opener-policy': 'unsafe-none',
  'permissions-policy': `camera=(), geolocation=(), microphone=(), payment=(self ${CHECKOUT.frame.map((host) => `"${host}"`).join(' ')}), usb=()`,
};

interface Policy {
  readonly nonce: string;
  /** Where the page connects to beside this site. */
  readonly origins: readonly string[];
  /** Whether the payment provider's program runs on it, which knows nothing of Trusted Types. */
  readonly isCheckout: boolean;
}

function policyFor({ nonce, origins, isCheckout }: Policy): string {
  const { script, parts, frame, connect } = isCheckout ? CHECKOUT : NO_CHECKOUT;
  return [
    "default-src 'none'",
    [`script-src 'self' 'nonce-${nonce}'`, ...script].join(' '),
    [`style-src 'self' 'nonce-${nonce}'`, ...parts].join(' '),
    // How the overlay of the checkout is laid over the page.
    ...(isCheckout ? ["style-src-attr 'unsafe-inline'"] : []),
    ["img-src 'self' data:", ...parts].join(' '),
    // The preview of a form.
    ["frame-src 'self'", ...frame, ...parts].join(' '),
    "manifest-src 'self'",
    // The program that shows what is pushed.
    "worker-src 'self'",
    ["connect-src 'self'", ...origins, ...connect].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // The policy is the one that dashboard/ui/trusted-types.ts makes.
    ...(isCheckout ? [] : ["require-trusted-types-for 'script'", 'trusted-types default']),
  ].join('; ');
}
