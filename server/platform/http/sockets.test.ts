import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttp } from './http.ts';

/* Strangers at the socket: they connect and ask nothing, ask much and read nothing, or never hang up. */

const LARGE = 'x'.repeat(50_000_000);
let http: FastifyInstance;
let port: number;
let asked: number;
let sockets: Socket[];
/** Requests whose answers wait, in the order in which they were handled, and what ends the latest. */
let turns: string[];
let endTurn: () => void;

beforeEach(async () => {
  [http, asked, sockets] = [
    createHttp({ trustedProxies: 0, hsts: 'off', publicUrl: 'http://localhost' }, pino({ level: 'silent' })),
    0,
    [],
  ];
  http.get('/small', async () => {
    asked += 1;
    return { status: 'ok' };
  });
  http.get('/large', async () => LARGE);
  turns = [];
  http.get<{ Params: { name: string } }>('/turn/:name', ({ params }) => {
    turns.push(params.name);
    return new Promise((resolve) => {
      endTurn = () => resolve(params);
    });
  });
  http.post('/hangs', () => new Promise(() => undefined));
  await http.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 });
  ({ port } = http.server.address() as AddressInfo);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await http.close();
});

/** A client that keeps its side open, whatever the server does. */
async function open(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const connections = (): Promise<number> =>
  new Promise((resolve, reject) => http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

const GET_SMALL = 'GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('sockets', () => {
  it.each([
    ['ask nothing', ''],
    ['ask half of something', 'GET /small HTTP/1.1\r\nHost: local'],
    ['promise a body', 'POST /hangs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'],
  ])(
    'that %s make room for whoever asks',
    async (_what, sent) => {
      for (let place = 0; place < 40; place += 1) {
        const opened = await Promise.all(Array.from({ length: 50 }, open));
        if (sent !== '') for (const socket of opened) socket.write(sent);
      }
      // Half of the crowd could be answered only where the other half is closed.
      const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/small`)));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(await connections()).toBeLessThanOrEqual(2_000);
    },
    30_000,
  );

  it('that send requests without waiting for answers are closed', async () => {
    const socket = await open();
    socket.resume();
    socket.write(GET_SMALL.repeat(200));
    await expect.poll(connections).toBe(0);
    expect(asked).toBeLessThanOrEqual(17);
  });

  it('that pipeline requests have them handled one at a time, in order', async () => {
    const socket = await open();
    let answers = '';
    socket.on('data', (data) => (answers += data));
    socket.write(['a', 'b', 'c'].map((name) => `GET /turn/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join('') + GET_SMALL);
    for (const names of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      await expect.poll(() => turns).toEqual(names);
      // Another request is handled meanwhile, so the next of these would have been, too.
      expect((await fetch(`http://127.0.0.1:${port}/small`)).status).toBe(200);
      expect(turns).toEqual(names);
      endTurn();
    }
    await expect.poll(() => answers.match(/\{.*?\}/g)).toEqual(['{"name":"a"}', '{"name":"b"}', '{"name":"c"}', '{"status":"ok"}']);
  });

  it('that sent what is not HTTP are closed, also where the other side stays open', async () => {
    const socket = await open();
    socket.write('this is no HTTP\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*content-security-policy: default-src 'none'[\s\S]*"code":"bad-input"/);
    await expect.poll(connections).toBe(0);
  });

  it('that read nothing are closed', async () => {
    const unread = await Promise.all(Array.from({ length: 5 }, open));
    for (const socket of unread) socket.pause().write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(connections, { timeout: 60_000, interval: 500 }).toBe(0);
  });

  it('of one network are limited, of a trusted proxy they are not', async () => {
    expect(admitted(http, '2001:db8:0:7::')).toBe(100);
    const proxied = createHttp({ trustedProxies: 1, hsts: 'off', publicUrl: 'http://localhost' }, pino({ level: 'silent' }));
    expect(admitted(proxied, '2001:db8:0:7::')).toBe(150);
    await proxied.close();
  });
});

/** How many of 150 sockets from addresses of one network are taken. */
function admitted({ server }: FastifyInstance, network: string): number {
  const all = Array.from({ length: 150 }, (_, place) =>
    Object.assign(new Stranger(), { remoteAddress: `${network}${place.toString(16)}` }),
  );
  for (const socket of all) server.emit('connection', socket);
  const count = all.filter(({ destroyed }) => !destroyed).length;
  for (const socket of all) socket.destroy();
  return count;
}

/** As much of a socket as a server needs. */
class Stranger extends Duplex {
  setTimeout = () => this;
  setNoDelay = () => this;
  setKeepAlive = () => this;
  override _read(): void {}
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

describe('a request', () => {
  it('is answered for a handler that hangs, though its body was read', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/hangs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(14_000),
    });
    const { code } = (await answer.json()) as { code: string };
    expect([answer.status, code, answer.headers.get('retry-after')]).toEqual([503, 'overloaded', '2']);
  });

  it('whose body dribbles in is told so', async () => {
    const socket = await open();
    socket.write('POST /hangs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
    const dribble = setInterval(() => socket.write(' '), 500);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    clearInterval(dribble);
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('for an address that cannot be read is answered with every header', async () => {
    const { statusCode, headers } = await http.inject('/%zz');
    expect([statusCode, headers['x-content-type-options'], headers['content-security-policy']]).toEqual([
      404,
      'nosniff',
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    ]);
  });

  it('that arrives while the server closes is answered 503 with a retry-after', async () => {
    let release: (value: object) => void = () => undefined;
    const slow = createHttp({ trustedProxies: 0, hsts: 'off', publicUrl: 'http://localhost' }, pino({ level: 'silent' }));
    slow.get('/slow', () => new Promise((resolve) => (release = resolve)));
    let [isClosing, received] = [false, 0];
    // Runs after the product's own hook, by when it refuses requests.
    slow.addHook('preClose', async () => {
      isClosing = true;
    });
    slow.server.on('request', () => {
      received += 1;
    });
    await slow.listen({ host: '127.0.0.1', port: 0 });
    ({ port } = slow.server.address() as AddressInfo);
    const socket = await open();
    let said = '';
    socket.on('data', (data) => (said += data));
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => release.length).toBe(1);
    const closed = slow.close();
    await expect.poll(() => isClosing).toBe(true);
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => received).toBe(2);
    release({});
    await Promise.all([closed, once(socket, 'end')]);
    const [, ...answers] = said.split('HTTP/1.1 ');
    expect(answers.map((each) => each.slice(0, 3))).toEqual(['200', '503']);
    expect(answers[1]).toMatch(/^content-type: application\/problem\+json/im);
    expect(answers[1]).toMatch(/^retry-after: 2/im);
  });
});
