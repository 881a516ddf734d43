import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { hostOf, isThisMachine } from './network.ts';

/** Times in milliseconds. */
const LIMITS = {
  sockets: 2_000,
  /** A /64 of IPv6 is one host. */
  socketsPerHost: 100,
  /** Requests a socket may send while one is answered: browsers send one, and wait. */
  pipelined: 16,
  /** How long a socket may neither take nor send anything while an answer is due. */
  inactive: 12_000,
  /** How long answers may take to be read, however slowly. */
  reading: 120_000,
  /** How often that is looked at. */
  sweep: 5_000,
  /** How long answers that are under way may take to come to their end when the server closes. */
  closing: 5_000,
} as const;

/** What a socket is lent for. */
interface Loan {
  /** The request that is being answered. */
  current?: IncomingMessage | undefined;
  /** Those that wait for it. */
  readonly next: (() => void)[];
  /** Since when there has been one without a pause, in UTC ms. */
  since: number;
  /** Its last answer that has no end. */
  endless?: ServerResponse;
}

const loans = new WeakMap<Socket, Loan>();

/**
 * For an answer that has no end, or is long: until its sender ends it, the sender looks after readers that do not read. Those
 * who read nothing for `inactive` ms are closed all the same; 0 is never.
 */
export function keepOpen(answer: ServerResponse, inactive = 0): void {
  const loan = answer.socket && loans.get(answer.socket);
  if (!loan) return;
  loan.endless = answer;
  answer.socket.setTimeout(inactive);
}

/**
 * Limits sockets and what each may ask at a time. Where all are lent, the one that has been idle longest is closed for the newcomer,
 * so clients that send nothing, or half a request, keep no one out. Requests on one socket are answered one after the other. Behind a
 * proxy every socket is the proxy's, so no host has a limit.
 */
export function limitSockets(http: FastifyInstance, { trustedProxies }: Pick<Config, 'trustedProxies'>): void {
  /** The longest idle first. */
  const open = new Set<Socket>();
  const hosts = new Map<string, number>();
  http.server.setTimeout(LIMITS.inactive);
  http.server.on('connection', (socket) => {
    if (!isAdmitted(socket) || !hasRoom()) return void socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    return undefined;
  });
  // Before fastify: what it makes of a request costs more than all of this, and most of a flood is never answered.
  const [handle] = http.server.listeners('request') as RequestListener[];
  http.server.removeAllListeners('request');
  http.server.on('request', (request, answer) => take(request, answer));
  const sweep = setInterval(closeUnread, LIMITS.sweep).unref();
  http.addHook('preClose', async () => {
    clearInterval(sweep);
    // Whoever is connected and asks nothing, or never reads, cannot hold up a stop.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => http.server.closeAllConnections(), LIMITS.closing).unref();
  });

  /** A proxy on this machine speaks for many, so loopback is exempt. */
  function isAdmitted(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    if (trustedProxies > 0 || isThisMachine(remoteAddress)) return true;
    const host = hostOf(remoteAddress);
    const count = (hosts.get(host) ?? 0) + 1;
    if (count > LIMITS.socketsPerHost) return false;
    hosts.set(host, count);
    socket.once('close', () => {
      const left = (hosts.get(host) ?? 1) - 1;
      if (left === 0) hosts.delete(host);
      else hosts.set(host, left);
    });
    return true;
  }

  /** Makes room, where it has to and can. */
  function hasRoom(): boolean {
    if (open.size < LIMITS.sockets) return true;
    for (const socket of open) {
      if (loans.get(socket)?.current?.complete) continue;
      socket.destroy();
      open.delete(socket);
      return true;
    }
    return false;
  }

  /** Handles a request once its socket's earlier ones are answered. What arrived in one piece is parsed even after its socket was closed. */
  function take(request: IncomingMessage, answer: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const loan = loans.get(socket) ?? { next: [], since: 0 };
    loans.set(socket, loan);
    if (!loan.current) {
      loan.since = Date.now();
      begin();
    } else if (loan.next.length < LIMITS.pipelined) loan.next.push(begin);
    else socket.destroy();

    function begin(): void {
      loan.current = request;
      answer.once('close', end);
      handle?.(request, answer);
    }

    function end(): void {
      loan.current = undefined;
      if (open.delete(socket)) open.add(socket);
      if (!socket.destroyed) loan.next.shift()?.();
    }
  }

  function closeUnread(): void {
    const late = Date.now() - LIMITS.reading;
    for (const socket of open) {
      const { current, since = 0, endless } = loans.get(socket) ?? {};
      const isKeptOpen = endless?.writableEnded === false;
      if (current && since < late && !isKeptOpen) socket.destroy();
    }
  }
}
