import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { refusal } from '#contract/errors.ts';
import type { Config } from './config.ts';
import { hostOf, isThisMachine } from './network.ts';

/** Times in milliseconds. */
const LIMITS = {
  sockets: 2_000,
  /** A /64 of IPv6 is one host. */
  socketsPerHost: 100,
  /** Requests that a socket may send before their answers are out: browsers send one, and wait. */
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
  /** Requests whose head has come, and that are not answered. */
  pending: number;
  /** Those of them that have come whole. */
  whole: number;
  /** Since when requests are pending without a pause, in UTC ms. */
  since: number;
  /** The answer to the request that came last. */
  latest?: ServerResponse;
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
  http.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    // What arrived in one piece is parsed to its end, even after its socket was closed; no one is there to answer.
    if (socket.destroyed) return void reply.hijack();
    const previous = lend(socket, reply.raw);
    if (!previous) return done();
    previous.once('close', () => (socket.destroyed ? reply.hijack() : done()));
    return undefined;
  });
  http.addHook('preValidation', async ({ raw: { socket } }) => {
    const loan = loans.get(socket);
    if (loan) loan.whole += 1;
  });
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
      if (loans.get(socket)?.whole) continue;
      socket.destroy();
      open.delete(socket);
      return true;
    }
    return false;
  }

  /** Counts a request against its socket, and returns the answer that it has to wait for. */
  function lend(socket: Socket, answer: ServerResponse): ServerResponse | undefined {
    const loan = loans.get(socket) ?? { pending: 0, whole: 0, since: 0 };
    loans.set(socket, loan);
    const previous = loan.pending > 0 ? loan.latest : undefined;
    loan.latest = answer;
    if (loan.pending === 0) loan.since = Date.now();
    loan.pending += 1;
    answer.once('close', () => {
      loan.pending -= 1;
      loan.whole = Math.min(loan.whole, loan.pending);
      if (open.delete(socket)) open.add(socket);
    });
    if (loan.pending <= LIMITS.pipelined) return previous;
    socket.destroy();
    throw refusal('too-many', { retryAfter: 1 });
  }

  function closeUnread(): void {
    const late = Date.now() - LIMITS.reading;
    for (const socket of open) {
      const { pending = 0, since = 0, endless } = loans.get(socket) ?? {};
      const isKeptOpen = endless?.writableEnded === false;
      if (pending > 0 && since < late && !isKeptOpen) socket.destroy();
    }
  }
}
