import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../test/support/certificate.ts';
import { isPublic } from './addresses.ts';
import { openOutbound, type Resolve } from './outbound.ts';

const CALL = { caller: 'one', headers: { 'webhook-id': 'x' }, body: '{"a":1}' };
const listening = (server: Server, host: string, port = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

describe('an address of a private network', () => {
  /** A port that the settings allow, with a listener on every address of this machine. */
  let port: number;
  let connections: number;
  const listeners: Server[] = [];
  beforeAll(async () => {
    const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const addresses = [...new Set(['127.0.0.1', '::1', ...interfaces.filter(({ scopeid }) => !scopeid).map(({ address }) => address)])];
    for (const address of addresses) {
      const server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      try {
        port = await listening(server, address, port ?? 0);
        listeners.push(server);
      } catch {
        // This machine doesn't support this address family.
      }
    }
    expect(listeners.length).toBeGreaterThan(0);
  });
  beforeEach(() => {
    connections = 0;
  });
  afterAll(() => Promise.all(listeners.map(closed)));

  const guarded = (resolve?: Resolve) => openOutbound({ config: { allowPrivate: false, ports: [port] }, ...(resolve && { resolve }) });
  const urlsOf = (host: string): string[] => [`https://${host}:${port}/hook`, `https://${host}/hook`];

  it('is not connected to, however it is spelled', async () => {
    const outbound = guarded(async () => {
      throw new Error('None of these may be looked up');
    });
    const hosts = [...new Set([...SPELLINGS, ...spellingsOf(PRIVATE_IPV4), ...PRIVATE_IPV6.flatMap(spellingsOfIPv6)])];
    expect(hosts.length).toBeGreaterThan(300);
    for (const host of hosts)
      for (const url of urlsOf(host)) {
        const { status, error } = await outbound.post({ url, ...CALL });
        expect([host, status]).toEqual([host, undefined]);
        expect(['not-public', 'bad-address'], host).toContain(error);
        expect(outbound.problemWith(url), host).toBe(error);
      }
    expect(connections).toBe(0);
  });

  it('is not connected to if any address of a name is private', async () => {
    for (const address of [...PRIVATE_IPV4, ...PRIVATE_IPV6.filter((each) => !each.includes('%'))])
      for (const answers of [[address], ['93.184.215.14', address], [address, '2606:2800:21f:cb07:6820:80da:af6b:8b2c']]) {
        const outbound = guarded(async () => answers);
        expect(await outbound.post({ url: `https://hooks.example.com:${port}/`, ...CALL }), address).toMatchObject({ error: 'not-public' });
      }
    expect(connections).toBe(0);
  });

  it('is not connected to if a name resolves to it the second time', async () => {
    let lookups = 0;
    // The first answer is an unassigned address of the internet.
    const outbound = openOutbound({
      config: { allowPrivate: false, ports: [port] },
      resolve: async () => (lookups++ % 2 === 0 ? ['2000::1'] : ['127.0.0.1', '::1']),
      limits: { connecting: 200 },
    });
    for (let round = 0; round < 6; round += 1) {
      const { status, error } = await outbound.post({ url: `https://hooks.example.com:${port}/`, ...CALL });
      expect(status).toBeUndefined();
      if (round % 2 === 0) expect(error).not.toBe('not-public');
      else expect(error).toBe('not-public');
    }
    // One lookup per call, so the checked address is the one connected to.
    expect(lookups).toBe(6);
    expect(connections).toBe(0);
  });

  it('is refused without a lookup if the URL is not valid for a webhook', () => {
    const { problemWith } = guarded();
    for (const url of [
      ...['http://hooks.example.com/', 'ftp://hooks.example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'hooks.example.com', ''],
      ...['https://user@hooks.example.com/', 'https://user:password@hooks.example.com/', 'https://:password@hooks.example.com/'],
      ...['https://hooks.example.com:25/', 'https://hooks.example.com:80/', 'https://hooks.example.com:0/', 'https://'],
    ])
      expect(problemWith(url), url).toBe('bad-address');
    for (const url of [
      'https://hooks.example.com/a?b',
      `https://hooks.example.com:${port}/`,
      'https://münchen.example/',
      'https://8.8.8.8/',
    ])
      expect(problemWith(url), url).toBeUndefined();
  });

  it('is not public', () => {
    for (const address of ['8.8.8.8', '93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'])
      expect(isPublic(address), address).toBe(true);
    for (const address of [...PRIVATE_IPV4, ...PRIVATE_IPV6, 'not an address', '']) expect(isPublic(address), address).toBe(false);
  });
});

it('connects to private addresses if they are allowed, so these tests can fail', async () => {
  let connections = 0;
  const server = http.createServer((_request, answer) => {
    connections += 1;
    answer.end();
  });
  const port = await listening(server, '127.0.0.1');
  const open = openOutbound({ config: { allowPrivate: true, ports: [] }, resolve: async () => ['127.0.0.1'] });
  for (const host of ['127.1', '2130706433', '0x7f000001', 'hooks.example.com'])
    expect(await open.post({ url: `http://${host}:${port}/`, ...CALL })).toMatchObject({ status: 200 });
  expect(connections).toBe(4);
  await closed(server);
});

describe('a receiver', () => {
  let server: http.Server;
  let port: number;
  let requests: IncomingMessage[];
  let answerWith: (answer: ServerResponse, request: IncomingMessage) => void;
  beforeAll(async () => {
    server = http.createServer((request, answer) => {
      requests.push(request);
      answerWith(answer, request);
    });
    port = await listening(server, '127.0.0.1');
  });
  beforeEach(() => {
    requests = [];
  });
  afterEach(() => server.closeAllConnections());
  afterAll(() => closed(server));

  const local = (limits = {}) => openOutbound({ config: { allowPrivate: true, ports: [] }, limits });
  const post = (limits = {}) => local(limits).post({ url: `http://127.0.0.1:${port}/hook?x=1`, ...CALL });

  it('receives the body with our headers, and its status is returned', async () => {
    let body = '';
    answerWith = (answer, request) => {
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => answer.writeHead(204).end());
    };
    expect(await post()).toEqual({ status: 204, duration: expect.any(Number) });
    const [request] = requests;
    expect([request?.method, request?.url, body]).toEqual(['POST', '/hook?x=1', CALL.body]);
    expect(request?.headers).toMatchObject({ 'webhook-id': 'x', 'content-type': 'application/json', 'user-agent': 'Afterword-Webhooks/1' });
  });

  it('that redirects is not followed', async () => {
    answerWith = (answer) => answer.writeHead(302, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    expect(await post()).toMatchObject({ status: 302 });
    expect(requests).toHaveLength(1);
  });

  it('sets the retry time, in seconds or as a date, up to a day', async () => {
    const waits: (number | undefined)[] = [];
    for (const value of ['120', new Date(Date.now() + 60_000).toUTCString(), '99999999', 'soon', '-5']) {
      answerWith = (answer) => answer.writeHead(429, { 'retry-after': value }).end();
      waits.push((await post()).retryAfter);
    }
    const [seconds, date = 0, long, word, negative] = waits;
    expect([seconds, long, word, negative]).toEqual([120_000, 86_400_000, undefined, undefined]);
    expect(date).toBeGreaterThan(50_000);
  });

  it('that never ends its answer is cut off, and its status is returned', async () => {
    let [sent, isCut] = [0, false];
    answerWith = (answer) => {
      answer.writeHead(200);
      answer.on('close', () => {
        isCut = true;
      });
      const writeMore = (): void => {
        if (isCut || sent > 1e9) return;
        sent += 65_536;
        if (answer.write(Buffer.alloc(65_536))) writeMore();
        else answer.once('drain', writeMore);
      };
      writeMore();
    };
    expect(await post()).toMatchObject({ status: 200 });
    await expect.poll(() => isCut).toBe(true);
    expect(sent).toBeLessThan(32e6);
  });

  it('that hangs, stalls or breaks off is given up', async () => {
    answerWith = () => undefined;
    expect(await post({ total: 100 })).toMatchObject({ error: 'timeout' });
    answerWith = (answer) => void answer.writeHead(200).write('x');
    expect(await post({ total: 100 })).toMatchObject({ status: 200 });
    answerWith = (answer) => answer.socket?.destroy();
    expect(await post()).toMatchObject({ error: 'broken-off' });
    const closedServer = createServer();
    const freePort = await listening(closedServer, '127.0.0.1');
    await closed(closedServer);
    expect(await local().post({ url: `http://127.0.0.1:${freePort}/`, ...CALL })).toMatchObject({ error: 'unreachable' });
  });

  it.each(['255.255.255.255', '::ffff:255.255.255.255', 'ff02::1'])(
    'whose name resolves to %s, which the platform refuses at once, is unreachable',
    async (address) => {
      const outbound = openOutbound({ config: { allowPrivate: true, ports: [] }, resolve: async () => [address] });
      for (const protocol of ['http', 'https'])
        expect(await outbound.post({ url: `${protocol}://hooks.example.com/`, ...CALL })).toMatchObject({ error: 'unreachable' });
    },
  );

  it('whose name does not resolve in time is not found', async () => {
    const config = { allowPrivate: true, ports: [] };
    const url = 'http://hooks.example.com/';
    const unknown = openOutbound({ config, resolve: async () => [] });
    expect(await unknown.post({ url, ...CALL })).toMatchObject({ error: 'not-found' });
    const slow = openOutbound({ config, resolve: () => new Promise(() => undefined), limits: { resolving: 50 } });
    expect(await slow.post({ url, ...CALL })).toMatchObject({ error: 'not-found' });
  });

  it('gets at most 20 connections at a time from one caller', async () => {
    answerWith = () => undefined;
    const outbound = local({ total: 300 });
    const url = `http://127.0.0.1:${port}/`;
    const errors = (await Promise.all(Array.from({ length: 22 }, () => outbound.post({ url, ...CALL })))).map(({ error }) => error);
    expect(errors.filter((error) => error === 'timeout')).toHaveLength(20);
    expect(errors.filter((error) => error === 'busy')).toHaveLength(2);
    answerWith = (answer) => answer.end();
    expect(await outbound.post({ url, ...CALL })).toMatchObject({ status: 200 });
  });

  it('gets at most 60 from all callers, and a caller whose calls hang does not block others', async () => {
    const outbound = local({ total: 1_000 });
    const url = `http://127.0.0.1:${port}/`;
    const callsOf = (caller: string) => Array.from({ length: 22 }, () => outbound.post({ url, ...CALL, caller }));
    answerWith = () => undefined;
    const hanging = callsOf('one');
    await expect.poll(() => requests.length).toBe(20);
    answerWith = (answer) => answer.end();
    expect(await outbound.post({ url, ...CALL, caller: 'another' })).toMatchObject({ status: 200 });
    answerWith = () => undefined;
    const errors = (await Promise.all([...hanging, ...['b', 'c', 'd', 'e', 'f'].flatMap(callsOf)])).map(({ error }) => error);
    expect(errors.filter((error) => error === 'timeout')).toHaveLength(60);
  });

  it('is given up when the caller aborts', async () => {
    answerWith = () => undefined;
    const controller = new AbortController();
    const outcome = local().post({ url: `http://127.0.0.1:${port}/`, ...CALL, signal: controller.signal });
    await expect.poll(() => requests.length).toBe(1);
    controller.abort();
    await expect(outcome).rejects.toThrow();
  });
});

it('a receiver behind TLS is reached by its name at the checked address, and must have a valid certificate', async () => {
  const { key, cert } = selfSigned('hooks.example.com');
  let received: object = {};
  const server = https.createServer({ key, cert }, (request, answer) => {
    received = { host: request.headers.host, servername: (request.socket as unknown as { servername: string }).servername };
    answer.end();
  });
  const port = await listening(server, '127.0.0.1');
  const options = { config: { allowPrivate: true, ports: [] }, resolve: async () => ['127.0.0.1'] };
  const url = `https://hooks.example.com:${port}/`;
  expect(await openOutbound({ ...options, ca: cert }).post({ url, ...CALL })).toMatchObject({ status: 200 });
  expect(received).toEqual({ host: `hooks.example.com:${port}`, servername: 'hooks.example.com' });
  expect(await openOutbound(options).post({ url, ...CALL })).toMatchObject({ error: 'insecure' });
  const otherUrl = `https://other.example.com:${port}/`;
  expect(await openOutbound({ ...options, ca: cert }).post({ url: otherUrl, ...CALL })).toMatchObject({ error: 'insecure' });
  await closed(server);
});

const PRIVATE_IPV4 = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.254', '192.168.0.1'],
  ...['192.168.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.254', '169.254.169.254', '169.254.0.1', '192.0.0.1', '192.0.0.192'],
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.254', '192.88.99.1', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255', '168.63.129.16'],
];
const PRIVATE_IPV6 = [
  ...['::', '::1', 'fd00::1', 'fc00::1', 'fd00:ec2::254', 'fdff:ffff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::1'],
  ...['::ffff:127.0.0.1', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1'],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::808:808',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2002:808:808::',
  ],
  ...['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '3fff::1', '100::1'],
  ...['5f00::1', '::ffff:0:127.0.0.1', '4000::1', '1::1'],
];

/** Private names, and unusual spellings of addresses. */
const SPELLINGS = [
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.localhost.',
    'localhost.localdomain',
    'metadata',
    'intranet',
    'wiki.intranet',
  ],
  ...['metadata.google.internal', 'metadata.google.internal.', 'METADATA.GOOGLE.INTERNAL', 'instance-data.ec2.internal', 'x.internal'],
  ...['printer.local', 'nas.lan', 'router.home.arpa', 'example.onion', 'hooks.example.com.', 'kubernetes', 'db', 'a.b.c.local'],
  ...[
    '127.1',
    '127.0.1',
    '0',
    '0x0',
    '00',
    '0x7f000001',
    '0X7F000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '0177.0.0.01',
    '0x7f.1',
  ],
  ...['0x7f.0x0.0x0.0x1', '127.0.0.1.', '127。0。0。1', '127．0．0．1', '１２７.０.０.１', '①②⑦.⓪.⓪.①', '%31%32%37.0.0.1', '127.0.0.%31'],
  ...[
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'loc\u00adalhost',
    'local\u200bhost',
    'localhost。',
    'metadata。google。internal',
    '0xa9fea9fe',
    '2852039166',
  ],
  ...[
    '0251.0376.0251.0376',
    '0xA9.0xFE.0xA9.0xFE',
    '169.254.43518',
    '169.16689662',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:7f00:1]',
  ],
  ...[
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::FFFF:127.0.0.1]',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[::127.0.0.1]',
    '[::1',
    '::1',
  ],
  ...['127.0.0.1@hooks.example.com', 'hooks.example.com@127.0.0.1', 'hooks.example.com:443@127.0.0.1', '127.0.0.1#@hooks.example.com'],
  ...[
    '127.0.0.1?@hooks.example.com',
    '127.0.0.1/@hooks.example.com',
    '127.0.0.1\\@hooks.example.com',
    '127.0.0.1 ',
    '127.0.0.1\t',
    '127.0.0.1\n',
  ],
  ...['256.256.256.256', '1.2.3.4.5', '0x100000000', '4294967296', '127.0.0.256', '09.0.0.1'],
];

/** Returns each IPv4 address in the spellings that URLs allow: parts omitted, octal, hexadecimal, one number, wide digits and dots. */
function spellingsOf(addresses: readonly string[]): string[] {
  return addresses.flatMap((address) => {
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    const whole = ((a * 256 + b) * 256 + c) * 256 + d;
    const fullWidth = address.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
    return [
      ...[address, `${a}.${b}.${c * 256 + d}`, `${a}.${(b * 256 + c) * 256 + d}`, String(whole), `0x${whole.toString(16)}`],
      ...[`0${whole.toString(8)}`, [a, b, c, d].map((part) => `0x${part.toString(16)}`).join('.')],
      ...[[a, b, c, d].map((part) => `0${part.toString(8)}`).join('.'), `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`],
      ...[fullWidth, address.replaceAll('.', '。'), `${address}.`, `[::ffff:${address}]`, `[::${address}]`, `[64:ff9b::${address}]`],
    ];
  });
}

const spellingsOfIPv6 = (address: string): string[] => {
  const parsed = ipaddr.IPv6.parse(address);
  return [`[${address}]`, `[${address.toUpperCase()}]`, `[${parsed.toString()}]`, `[${parsed.toNormalizedString()}]`];
};
