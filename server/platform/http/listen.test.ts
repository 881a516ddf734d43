import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createHttp } from './http.ts';
import { listen } from './listen.ts';

const HOST = '127.0.0.1';
const VISITORS = 300;

let http: FastifyInstance;
let port: number;
/** Resolves when `/slow` is asked, to a function that answers. */
let asked: Promise<() => void>;

beforeEach(async () => {
  http = createServer();
  http.get('/', async () => 'ok');
  asked = new Promise((resolve) => {
    http.get('/slow', () => new Promise((answer) => resolve(() => answer('ok'))));
  });
  await listen(http, { host: HOST, port: 0 });
  ({ port } = http.server.address() as AddressInfo);
});
afterEach(() => http.close());

const createServer = () => createHttp({ trustedProxies: 0, hsts: 'off', publicUrl: 'http://localhost' }, pino({ level: 'silent' }));

it('accepts a crowd that arrived during one turn of the event loop in a few turns', async () => {
  let accepted = 0;
  http.server.on('connection', () => {
    accepted += 1;
  });
  const crowd = openCrowd();
  // This blocks the event loop until the kernel has connected everyone.
  Atomics.wait(crowd.connected, 0, 0);
  expect(accepted).toBe(0);
  for (let turn = 0; turn < 30; turn += 1) await nextTurn();
  expect(accepted).toBe(VISITORS);
  await crowd.worker.terminate();
});

/** Connects visitors in another thread, which sets `connected` to 1 when all of them are. */
function openCrowd() {
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const program = `
    const { connect } = require('node:net');
    const { workerData: { connected, port, visitors } } = require('node:worker_threads');
    let count = 0;
    for (let visitor = 0; visitor < visitors; visitor += 1)
      connect(port, '${HOST}', () => {
        count += 1;
        if (count < visitors) return;
        Atomics.store(connected, 0, 1);
        Atomics.notify(connected, 0);
      });`;
  const worker = new Worker(program, { eval: true, workerData: { connected, port, visitors: VISITORS } });
  return { worker, connected };
}

it('answers on every listener, and ends idle connections when it closes', async () => {
  const agent = new Agent({ keepAlive: true });
  const statuses = await Promise.all(Array.from({ length: VISITORS / 3 }, () => statusOf('/', agent)));
  expect(statuses).toEqual(Array(VISITORS / 3).fill(200));
  // Ends connections by force if they are still open seconds later.
  const force = vi.spyOn(http.server, 'closeAllConnections');
  await http.close();
  expect(force).not.toHaveBeenCalled();
  agent.destroy();
});

it('waits for answers that are due when it closes', async () => {
  const status = statusOf('/slow', new Agent());
  const answer = await asked;
  const closed = http.close();
  await nextTurn();
  answer();
  expect(await status).toBe(200);
  await closed;
});

it('refuses a port that another server listens on', async () => {
  const second = createServer();
  await expect(listen(second, { host: HOST, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await second.close();
});

async function statusOf(path: string, agent: Agent): Promise<number | undefined> {
  const [response] = await once(get({ host: HOST, port, path, agent }), 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}
