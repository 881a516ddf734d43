import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxActs } from '../acts.ts';
import { ApiRefusal } from '../api-error.ts';
import type { SignedLinks } from '../signed-links.ts';
import type { SandboxWorld } from '../world.ts';
import { addCheckoutPage } from './checkout-page.ts';
import { html, sendPage } from './page.ts';
import { addPanel } from './panel-page.ts';
import { addPortal } from './portal-page.ts';

export interface SandboxPagesOptions {
  readonly world: SandboxWorld;
  readonly acts: SandboxActs;
  readonly links: SignedLinks;
  readonly prefix: string;
  readonly paymentLink: string | undefined;
  readonly mayControl: (request: FastifyRequest) => boolean;
  readonly save: () => Promise<void>;
}

/** What browsers get: the script, the checkout, the portal, invoices and the panel. */
export async function addPages(http: FastifyInstance, options: SandboxPagesOptions): Promise<void> {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => parsed(body));
  http.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    Object.fromEntries(new URLSearchParams(body)),
  );
  http.setErrorHandler((error: Error, _request, reply) => {
    if (!(error instanceof ApiRefusal)) throw error;
    const body = html`<main><p class="test">Test mode: no money moves</p><h1>This did not work</h1><p>${error.message}</p></main>`;
    return sendPage(reply.code(error.status), { title: 'Payment sandbox', body, prefix: options.prefix });
  });
  await addFiles(http);
  addCheckoutPage(http, options);
  addPortal(http, options);
  addPanel(http, options);
}

const FILES = { 'paddle.js': 'text/javascript', 'checkout.js': 'text/javascript', 'style.css': 'text/css' } as const;

async function addFiles(http: FastifyInstance): Promise<void> {
  for (const [name, type] of Object.entries(FILES)) {
    const text = await readFile(path.join(import.meta.dirname, '../browser', name), 'utf8');
    http.get(`/${name}`, async (_request, reply) => reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(text));
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ApiRefusal(400, 'bad_request', 'Invalid request.');
  }
}
