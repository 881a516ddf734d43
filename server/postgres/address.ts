import { createServer } from 'node:net';
import path from 'node:path';

/** Where the server listens: `host` is a socket's folder, or 127.0.0.1. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';
/** Part of the socket's name; no port is taken. */
const SOCKET_PORT = 5432;
/** What fits into the system's `sun_path`, in bytes, without the closing zero. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

/** A socket in the data directory; a free port of this machine where its path would be too long, and on Windows. */
export async function chooseAddress(pgdata: string): Promise<Address> {
  return fitsSocket(pgdata) ? socketIn(pgdata) : { host: LOOPBACK, port: await freePort() };
}

/** What a running server wrote about itself. */
export const addressOf = (pgdata: string, running: { port: number; hasSocket: boolean }): Address =>
  running.hasSocket ? { host: pgdata, port: running.port } : { host: LOOPBACK, port: running.port };

export const isSocket = ({ host }: Address): boolean => host !== LOOPBACK;

const socketIn = (pgdata: string): Address => ({ host: pgdata, port: SOCKET_PORT });

const fitsSocket = (pgdata: string): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(path.join(pgdata, `.s.PGSQL.${SOCKET_PORT}`)) <= LONGEST_PATH;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}
