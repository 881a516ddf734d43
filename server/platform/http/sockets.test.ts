import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttp } from './http.ts';

/* Misbehaving clients that send no request, don't read answers, or never hang up. */

const LARGE = 'x'.repeat(50_000_000);
let http: FastifyInstance;
let port: number;
let handled: number;
let sockets: Socket[];
/** Requests whose answers are pending, in the order they were handled, and a function that answers the latest. */
let turns: string[];
let endTurn: () => void;

beforeEach(async () => {
  [http, handled, sockets] = [
    createHttp({ trustedProxies: 0, hsts: 'off', publicUrl: 'http://localhost' }, pino({ level: 'silent' })),
    0,
    [],
  ];
  http.get('/small', async () => {
    handled += 1;
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

/** Opens a client that keeps its side open, whatever the server does. */
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
    ['send nothing', ''],
    ['send half a request', 'GET /small HTTP/1.1\r\nHost: local'],
    ['promise a body', 'POST /hangs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'],
  ])('that %s are closed in favor of new ones', async (_name, sent) => {
    for (let round = 0; round < 40; round += 1) {
      const opened = await Promise.all(Array.from({ length: 50 }, open));
      if (sent !== '') for (const socket of opened) socket.write(sent);
    }
    // These can be answered only if other sockets are closed.
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/small`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await connections()).toBeLessThanOrEqual(2_000);
  });

  it('that pipeline too many requests are closed', async () => {
    const socket = await open();
    socket.resume();
    socket.write(GET_SMALL.repeat(200));
    await expect.poll(connections).toBe(0);
    expect(handled).toBeLessThanOrEqual(17);
  });

  it('that pipeline requests have them handled one at a time, in order', async () => {
    const socket = await open();
    let answers = '';
    socket.on('data', (data) => (answers += data));
    socket.write(['a', 'b', 'c'].map((name) => `GET /turn/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join('') + GET_SMALL);
    for (const names of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      await expect.poll(() => turns).toEqual(names);
      // By the time another request is handled, the next of these would have been handled too.
      expect((await fetch(`http://127.0.0.1:${port}/small`)).status).toBe(200);
      expect(turns).toEqual(names);
      endTurn();
    }
    await expect.poll(() => answers.match(/\{.*?\}/g)).toEqual(['{"name":"a"}', '{"name":"b"}', '{"name":"c"}', '{"status":"ok"}']);
  });

  it('that send something other than HTTP are closed, even if the client keeps its side open', async () => {
    const socket = await open();
    socket.write('this is no HTTP\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*content-security-policy: default-src 'none'[\s\S]*"code":"bad-input"/);
    await expect.poll(connections).toBe(0);
  });

  it('that read nothing are closed', async () => {
    const unread = await Promise.all(Array.from({ length: 5 }, open));
    for (const socket of unread) socket.pause().write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(connections).toBe(0);
  });

  it('are limited per network, except behind a trusted proxy', async () => {
    expect(countAdmitted(http, '2001:db8:0:7::')).toBe(100);
    const proxied = createHttp({ trustedProxies: 1, hsts: 'off', publicUrl: 'http://localhost' }, pino({ level: 'silent' }));
    expect(countAdmitted(proxied, '2001:db8:0:7::')).toBe(150);
    await proxied.close();
  });
});

/** Returns how many of 150 sockets from one network are accepted. */
function countAdmitted({ server }: FastifyInstance, network: string): number {
  const all = Array.from({ length: 150 }, (_, index) =>
    Object.assign(new FakeSocket(), { remoteAddress: `${network}${index.toString(16)}` }),
  );
  for (const socket of all) server.emit('connection', socket);
  const count = all.filter(({ destroyed }) => !destroyed).length;
  for (const socket of all) socket.destroy();
  return count;
}

/** A socket with just what the server needs. */
class FakeSocket extends Duplex {
  setTimeout = () => this;
  setNoDelay = () => this;
  setKeepAlive = () => this;
  override _read(): void {}
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

describe('a request', () => {
  it('is answered 503 if its handler hangs after reading the body', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/hangs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(14_000),
    });
    const { code } = (await answer.json()) as { code: string };
    expect([answer.status, code, answer.headers.get('retry-after')]).toEqual([503, 'overloaded', '2']);
  });

  it('whose body arrives too slowly is answered 408', async () => {
    const socket = await open();
    socket.write('POST /hangs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
    const dribble = setInterval(() => socket.write(' '), 500);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    clearInterval(dribble);
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('for a malformed URL is answered with all security headers', async () => {
    const { statusCode, headers } = await http.inject('/%zz');
    expect([statusCode, headers['x-content-type-options'], headers['content-security-policy']]).toEqual([
      404,
      'nosniff',
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    ]);
  });

  it('that arrives while the server closes is answered, and its socket closes', async () => {
    let release: (value: object) => void = () => undefined;
    const slow = createHttp({ trustedProxies: 0, hsts: 'off', publicUrl: 'http://localhost' }, pino({ level: 'silent' }));
    slow.get('/slow', () => new Promise((resolve) => (release = resolve)));
    slow.get('/fast', async () => ({}));
    let [isClosing, requests] = [false, 0];
    slow.addHook('preClose', async () => {
      isClosing = true;
    });
    slow.server.on('request', () => {
      requests += 1;
    });
    await slow.listen({ host: '127.0.0.1', port: 0 });
    ({ port } = slow.server.address() as AddressInfo);
    const socket = await open();
    let received = '';
    socket.on('data', (data) => (received += data));
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => release.length).toBe(1);
    const closed = slow.close();
    await expect.poll(() => isClosing).toBe(true);
    socket.write('GET /fast HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => requests).toBe(2);
    release({});
    await Promise.all([closed, once(socket, 'end')]);
    const [, ...answers] = received.split('HTTP/1.1 ');
    expect(answers.map((each) => each.slice(0, 3))).toEqual(['200', '200']);
    expect(answers[1]).toMatch(/^connection: close/im);
  });
});
