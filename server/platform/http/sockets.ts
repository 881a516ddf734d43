import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { hostOf, isThisMachine } from './network.ts';

/** Times in milliseconds. */
const LIMITS = {
  /** Connections in all. For one more, the longest idle is closed. @limit sockets */
  sockets: 2_000,
  /** Connections per IP address or IPv6 /64, but not behind a trusted proxy or for loopback. @limit sockets */
  socketsPerHost: 100,
  /** Requests that a socket may send while one is being answered; browsers send one and wait. */
  pipelined: 16,
  /** How long a connection may be idle while an answer is due (ms). @limit unread */
  inactive: 12_000,
  /** How long a client may take to read its answers (ms). @limit unread */
  reading: 120_000,
  /** Interval between those checks. */
  sweep: 5_000,
  /** How long pending answers may take when the server closes (ms). @limit stop */
  closing: 5_000,
} as const;

/** The requests of a socket. */
interface SocketRequests {
  /** The request that is being answered. */
  current?: IncomingMessage | undefined;
  /** Starts the requests that wait for it. */
  readonly next: (() => void)[];
  /** Since when the socket has always had a request, in UTC ms. */
  since: number;
  /** Its latest streaming answer. */
  stream?: ServerResponse;
}

const requestsOf = new WeakMap<Socket, SocketRequests>();

/**
 * Exempts a long or endless answer from the reading limit until it ends; its sender must handle clients that don't read. Sockets idle
 * for `inactive` ms are still closed, unless it's 0.
 */
export function keepOpen(answer: ServerResponse, inactive = 0): void {
  const requests = answer.socket && requestsOf.get(answer.socket);
  if (!requests) return;
  requests.stream = answer;
  answer.socket.setTimeout(inactive);
}

/**
 * Limits the number of sockets and the requests of each. At the limit, the socket that has been idle longest is closed for a new one,
 * so clients that send nothing, or half a request, don't block others. Requests on one socket are answered one at a time. Behind a
 * proxy there is no limit per host, because every socket is the proxy's.
 */
export function limitSockets(http: FastifyInstance, { trustedProxies }: Pick<Config, 'trustedProxies'>): void {
  /** Open sockets, the longest idle first. */
  const open = new Set<Socket>();
  const hosts = new Map<string, number>();
  http.server.setTimeout(LIMITS.inactive);
  http.server.on('connection', (socket) => {
    if (!(trustedProxies > 0 || isAdmitted(socket, hosts)) || !hasRoom(open)) return void socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    return undefined;
  });
  // Runs before Fastify, whose handling costs more than this, because most requests of a flood are never answered.
  const [handle] = http.server.listeners('request') as RequestListener[];
  http.server.removeAllListeners('request');
  http.server.on('request', (request, answer) =>
    inTurn(request, answer, () => {
      answer.once('close', () => {
        if (open.delete(request.socket)) open.add(request.socket);
      });
      handle?.(request, answer);
    }),
  );
  const sweep = setInterval(() => closeUnread(open), LIMITS.sweep).unref();
  http.addHook('preClose', async () => {
    clearInterval(sweep);
    // Clients that send nothing or never read must not delay the stop.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => http.server.closeAllConnections(), LIMITS.closing).unref();
  });
}

/** Counts a socket of its host. Loopback is exempt, because a proxy on this machine forwards many clients. */
function isAdmitted(socket: Socket, hosts: Map<string, number>): boolean {
  const { remoteAddress = '' } = socket;
  if (isThisMachine(remoteAddress)) return true;
  const host = hostOf(remoteAddress);
  const count = (hosts.get(host) ?? 0) + 1;
  if (count > LIMITS.socketsPerHost) return false;
  hosts.set(host, count);
  socket.once('close', () => {
    const remaining = (hosts.get(host) ?? 1) - 1;
    if (remaining === 0) hosts.delete(host);
    else hosts.set(host, remaining);
  });
  return true;
}

/** Returns whether another socket fits, after closing an idle one if necessary. */
function hasRoom(open: Set<Socket>): boolean {
  if (open.size < LIMITS.sockets) return true;
  for (const socket of open) {
    if (requestsOf.get(socket)?.current?.complete) continue;
    socket.destroy();
    open.delete(socket);
    return true;
  }
  return false;
}

/** Runs a request once its socket's earlier ones are answered. Requests that arrived together are parsed even after the socket closed. */
function inTurn(request: IncomingMessage, answer: ServerResponse, run: () => void): void {
  const { socket } = request;
  if (socket.destroyed) return;
  const requests = requestsOf.get(socket) ?? { next: [], since: 0 };
  requestsOf.set(socket, requests);
  if (!requests.current) {
    requests.since = Date.now();
    begin();
  } else if (requests.next.length < LIMITS.pipelined) requests.next.push(begin);
  else socket.destroy();

  function begin(): void {
    requests.current = request;
    answer.once('close', end);
    run();
  }

  function end(): void {
    requests.current = undefined;
    if (!socket.destroyed) requests.next.shift()?.();
  }
}

/** Closes sockets whose clients don't read their answers. */
function closeUnread(open: ReadonlySet<Socket>): void {
  const late = Date.now() - LIMITS.reading;
  for (const socket of open) {
    const { current, since = 0, stream } = requestsOf.get(socket) ?? {};
    const isStreaming = stream?.writableEnded === false;
    if (current && since < late && !isStreaming) socket.destroy();
  }
}
