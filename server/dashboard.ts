import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

const HTML = 'text/html; charset=utf-8';
/** Where the page's build leaves room for this answer's nonce. */
const NONCE = '__NONCE__';
/** Addresses that are never a page: what programs ask, and files such as /favicon.ico. */
const NO_PAGE = /^\/(?:api|assets|health)\/|^[^?]*\.[a-z0-9]{2,5}(?:\?|$)/;

/** What the browser drops as somebody signs out. Its storage also holds visitors' unsent feedback (docs/limits.md#cleared). */
const CLEARED = '"cache"';

/** The team's page as the build made it. */
export const openDashboard = (built: string): Promise<string> => readFile(path.join(built, 'dashboard.html'), 'utf8');

interface Dashboard {
  readonly page: string;
  /** Where the page connects to beside this site: those who sign people in. */
  readonly origins: readonly string[];
}

/** The team's pages: one document for every address that is nothing else. The router in it knows the rest. */
export function addDashboard(http: FastifyInstance, { page, origins }: Dashboard): void {
  http.get('/*', async (request, reply) => {
    if (NO_PAGE.test(request.url)) return reply.callNotFound();
    const nonce = randomBytes(16).toString('base64');
    return pageHeaders(reply, policyWith(nonce, origins)).send(page.replaceAll(NONCE, nonce));
  });
  http.post('/signout', async ({ headers }, reply) => {
    // From another site it would only slow that site's visitors down here.
    if (headers['sec-fetch-site'] === 'same-origin') void reply.header('clear-site-data', CLEARED);
    return reply.code(204).header('cache-control', 'no-store').send();
  });
}

function pageHeaders(reply: FastifyReply, policy: string): FastifyReply {
  return reply.type(HTML).header('cache-control', 'no-store').header('content-security-policy', policy);
}

const policyWith = (nonce: string, origins: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    ["connect-src 'self'", ...origins].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The policy that dashboard/ui/trusted-types.ts makes.
    'trusted-types default',
  ].join('; ');
