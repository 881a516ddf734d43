import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import type { ConnectionSettings } from '../../server/platform/database/database.ts';

/** A TCP proxy in front of the database that can stall its open connections while new ones work. */
export interface TcpProxy {
  /** The settings of a connection through the proxy, with the product's own deadlines. */
  readonly connection: ConnectionSettings;
  /** Its host and port. */
  readonly address: string;
  /** Stops traffic in both directions on the open connections, and keeps them open. */
  stall(): void;
  /** Returns how many stalled connections the product still has open. */
  stalled(): number;
  stop(): Promise<void>;
}

export async function openTcpProxy(target: ConnectionSettings): Promise<TcpProxy> {
  const pairs = new Set<readonly [client: Socket, server: Socket]>();
  const dead = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(addressOf(target));
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.pipe(upstream).pipe(client);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.once('close', () => {
        dead.delete(client);
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening server has a port.
  const { port } = server.address() as AddressInfo;
  return {
    connection: through(target, port),
    address: `127.0.0.1:${port}`,
    stall() {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream);
        upstream.unpipe(client);
        // Reads and drops data, so that the end of the connection is noticed.
        client.resume();
        dead.add(client);
      }
    },
    stalled: () => dead.size,
    async stop() {
      for (const [client] of pairs) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function addressOf({ connectionString, host = '', port = 5432 }: ConnectionSettings): NetConnectOpts {
  if (connectionString !== undefined) return { host: new URL(connectionString).hostname, port: Number(new URL(connectionString).port) };
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

function through(settings: ConnectionSettings, port: number): ConnectionSettings {
  // Without a pooler, which connects past the proxy.
  const { connectionString, connectionTimeoutMillis, statement_timeout, idle_in_transaction_session_timeout, pooler, ...target } = settings;
  if (connectionString === undefined) return { ...target, host: '127.0.0.1', port };
  const url = new URL(connectionString);
  url.host = `127.0.0.1:${port}`;
  return { ...target, connectionString: url.href };
}
