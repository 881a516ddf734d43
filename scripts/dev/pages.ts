import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, type Plugin, type ProxyOptions, type ViteDevServer } from 'vite';
import { isThisMachine } from '../../server/kernel/network.ts';
import { guides } from '../guides.ts';
import type { Product } from './product.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Everything below it is Vite's, everything else the product's. */
const BASE = '/@dashboard/';
/** What the team's pages are made of. Nothing else is given out: in the folder beside them lie secrets. */
const SERVED = ['contract', 'dashboard', 'dist.dev/vite', 'docs/guides', 'fixtures', 'node_modules'];

/** Vite's server, and how it listens. */
export interface PageServer {
  readonly vite: ViteDevServer;
  listen(): Promise<void>;
  close(): Promise<void>;
}

interface PagesOptions {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  /** Where the product listens on this machine. */
  readonly behind: number;
  readonly product: Pick<Product, 'isThere'>;
}

/**
 * Vite's server at the address of the product: gives out the modules of the team's pages as they are edited, and passes
 * everything else on to the product, once it is there.
 */
export async function createPages({ host, port, publicUrl, behind, product }: PagesOptions): Promise<PageServer> {
  // By itself Vite would end this process at a signal, and at the end of its input, before the product has ended.
  const server = createHttpServer();
  const vite = await createServer({
    configFile: false,
    envDir: false,
    appType: 'custom',
    root: path.join(root, 'dashboard'),
    base: BASE,
    cacheDir: path.join(root, 'dist.dev/vite'),
    plugins: [react(), guides(), holdUntil(product)],
    clearScreen: false,
    // As in the document that the product gives out.
    html: { cspNonce: '__NONCE__' },
    server: {
      middlewareMode: { server },
      ws: { server },
      cors: false,
      allowedHosts: [new URL(publicUrl).hostname],
      fs: { allow: SERVED.map((folder) => realPath(path.join(root, folder))) },
      proxy: { [`^(?!${BASE})`]: passedOn(behind) },
    },
  });
  server.on('request', vite.middlewares);
  return {
    vite,
    async listen() {
      await once(server.listen(port, host), 'listening');
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await vite.close();
    },
  };
}

/** Packages may lie elsewhere, linked to. */
const realPath = (folder: string): string => (existsSync(folder) ? realpathSync(folder) : folder);

/** Keeps the name that the page was asked by, and says who asked where that is another machine. */
const passedOn = (behind: number): ProxyOptions => ({
  target: `http://127.0.0.1:${behind}`,
  configure: (proxy) =>
    void proxy.on('proxyReq', (out, { socket: { remoteAddress = '' } }) => {
      if (!isThisMachine(remoteAddress)) out.setHeader('x-forwarded-for', remoteAddress);
    }),
});

function holdUntil(product: Pick<Product, 'isThere'>): Plugin {
  return {
    name: 'hold-until-there',
    configureServer: ({ middlewares }) =>
      void middlewares.use((request, response, next) => {
        if (request.url?.startsWith(BASE)) return next();
        void product.isThere().then((isThere) => (isThere ? next() : sayAway(response)));
      }),
  };
}

function sayAway(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', refresh: '1' });
  response.end('The server does not run; its terminal says why. The next save starts it again, and this page follows.\n');
}

/** The document of the team's pages with Vite's client in it. The frame that the build draws ahead is left out. */
export async function documentOf(vite: ViteDevServer, source: string): Promise<string> {
  const html = await vite.transformIndexHtml('/index.html', source, `${BASE}index.html`);
  return html.replace('<!-- __AHEAD__ -->', '').replace('__PROGRAMS__', '{}');
}
