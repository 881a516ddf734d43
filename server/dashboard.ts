import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

interface DashboardOptions {
  /** Where the build put the pages. */
  readonly built: string;
  /** Where the browser may send requests to besides us. */
  readonly connect?: readonly string[];
}

const HTML = 'text/html; charset=utf-8';
/** Where the page's build leaves room for this answer's nonce. */
const NONCE = '__NONCE__';

/** The team's pages: one document for every address that is nothing else. The router in it knows the rest. */
export async function addDashboard(http: FastifyInstance, { built, connect = [] }: DashboardOptions): Promise<void> {
  const page = await readFile(path.join(built, 'dashboard.html'), 'utf8');

  http.get('/*', { exposeHeadRoute: true }, async (request, reply) => {
    if (request.url.startsWith('/api/') || request.url.startsWith('/assets/')) return reply.callNotFound();
    const nonce = randomBytes(16).toString('base64');
    return pageHeaders(reply, nonce).send(page.replaceAll(NONCE, nonce));
  });

  function pageHeaders(reply: FastifyReply, nonce: string): FastifyReply {
    return reply
      .type(HTML)
      .header('cache-control', 'no-store')
      .header(
        'content-security-policy',
        [
          "default-src 'none'",
          `script-src 'self' 'nonce-${nonce}'`,
          `style-src 'self' 'nonce-${nonce}'`,
          "img-src 'self' data:",
          `connect-src ${["'self'", ...connect].join(' ')}`,
          "form-action 'self'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ].join('; '),
      );
  }
}
