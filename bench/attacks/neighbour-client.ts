import { get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { type NeighbourBusiness, storedId, tap } from './business.ts';
import { addressOf, ask, askToSignIn, type HttpAnswer, keepConnections } from './client.ts';
import type { Observation, Watched } from './neighbour.ts';

/*
 * A separate thread, so that the attackers' load doesn't affect its measurements. It sends requests at a steady rate, whether or not
 * responses arrive, and measures from when each was due, so that a stall shows in every request it delays.
 */

// Passed by `openNeighbour`, which starts the thread.
const business = workerData as NeighbourBusiness;
const { address, accountId, token, form } = business;
const DAY = 86_400_000;
const connections = keepConnections();
const CLIENT_ADDRESS = '172.16.9.9';
const person = { token, from: CLIENT_ADDRESS, agent: connections };
let visitors = 0;

interface SteadyRequest {
  /** Requests per second. */
  readonly rate: number;
  readonly ask: () => Promise<HttpAnswer>;
}

const REQUESTS: Readonly<Record<Watched, SteadyRequest>> = {
  visitor: {
    rate: 25,
    ask: async () => {
      visitors += 1;
      // Each has its own network and connection.
      const answer = await ask(address, tap(form, visitors), { from: addressOf(10, visitors) });
      if (answer.status === 200) stored.push(storedId(answer.text));
      return answer;
    },
  },
  feed: { rate: 25, ask: () => ask(address, { service: 'feedback', action: 'list', accountId }, person) },
  counts: { rate: 10, ask: () => ask(address, { service: 'feedback', action: 'summary', accountId, ...lastMonth() }, person) },
  'sign-in': { rate: 2, ask: () => askToSignIn(address, business, { from: CLIENT_ADDRESS }) },
  stream: { rate: 2, ask: openStream },
  health: { rate: 5, ask: () => ask(address, '', { path: '/health/ready', method: 'GET' }) },
};

const lastMonth = () => ({ from: Date.now() - 31 * DAY, to: Date.now(), zone: 'Europe/Berlin' });

/** Opens the live stream and closes it after the first bytes. */
function openStream(): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': CLIENT_ADDRESS };
    const opening = get(`${address}/api/live`, { agent: false, headers, signal: AbortSignal.timeout(15_000) });
    opening.on('error', () => resolve({ status: 0, text: '' }));
    opening.on('response', (answer) => {
      answer.on('error', () => undefined);
      answer.once('data', () => {
        resolve({ status: answer.statusCode ?? 0, text: '' });
        opening.destroy();
      });
    });
  });
}

let observed: Observation[] = [];
let stored: string[] = [];
let pending: Promise<void>[] = [];
let timers: NodeJS.Timeout[] = [];

parentPort?.on('message', async (watched: readonly Watched[] | 'stop') => {
  if (watched !== 'stop') return watched.forEach(start);
  for (const timer of timers) clearTimeout(timer);
  await Promise.all(pending);
  parentPort?.postMessage({ observed, stored });
  [observed, stored, pending, timers] = [[], [], [], []];
});

function start(kind: Watched): void {
  const { rate, ask: send } = REQUESTS[kind];
  const index = timers.length;
  timers.push(setTimeout(() => undefined));
  let due = performance.now();
  next();

  function next(): void {
    while (due <= performance.now()) {
      pending.push(observe(kind, { due, send }));
      due += 1_000 / rate;
    }
    timers[index] = setTimeout(next, Math.max(0, due - performance.now()));
  }
}

async function observe(kind: Watched, { due, send }: { due: number; send: SteadyRequest['ask'] }): Promise<void> {
  const { status } = await send();
  observed.push({ kind, status, ms: performance.now() - due });
}
