import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import process from 'node:process';
import type { FastifyInstance } from 'fastify';

/**
 * A listener accepts one connection in each turn of the event loop, so under load a crowd of new visitors would wait in the kernel for
 * seconds. Several listeners on the same port accept that many.
 */
const LISTENERS = 32;

/** Connections that may wait for each listener; the system may allow fewer. */
const BACKLOG = 4_096;

/** Whether the kernel distributes connections among listeners; Node refuses `reusePort` elsewhere. */
const SHARES_PORTS = process.platform === 'linux';

/** Accepts connections until the server closes. Rejects if another process listens on the port. */
export async function listen(http: FastifyInstance, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const address = { host, port, backlog: BACKLOG };
  if (!SHARES_PORTS) return void (await http.listen(address));
  const others: Server[] = [];
  http.addHook('preClose', async () => {
    const closed = others.map((listener) => once(listener.close(), 'close'));
    http.server.closeIdleConnections();
    await Promise.all(closed);
  });
  await refuseInUse(address);
  await http.listen({ ...address, ...SHARED });
  const bound = { ...address, ...SHARED, port: (http.server.address() as AddressInfo).port };
  while (others.length < LISTENERS - 1) others.push(await openListener(http, bound));
}

const SHARED = { reusePort: true };

/** Two processes can share a port, so this makes the listeners' port exclusive. */
async function refuseInUse(address: { readonly host: string; readonly port: number }): Promise<void> {
  const probe = createServer().listen(address);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

async function openListener({ server }: FastifyInstance, address: object): Promise<Server> {
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  listener.listen(address);
  await once(listener, 'listening');
  return listener;
}
