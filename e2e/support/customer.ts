import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A customer's website on another site than the product. */
export interface CustomerSite {
  readonly address: string;
  stop(): Promise<void>;
}

interface CustomerPage {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves a customer's pages by their paths. */
export async function openCustomer(pages: Readonly<Record<string, CustomerPage>>): Promise<CustomerSite> {
  const server = createServer(({ url }, response) => {
    const page = url === undefined ? undefined : pages[url];
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...page?.headers });
    response.end(page && `${HEAD}${page.body}</body></html>`);
  });
  // Another site than 127.0.0.1, where the product is.
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const HEAD =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>Shop</title><link rel="icon" href="data:,"></head><body>';
