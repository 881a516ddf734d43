import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestSmtp, type TestSmtp } from '../../../test/support/smtp.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { createHttp } from '../http/http.ts';
import { readMail } from './eml.ts';
import { type Mailer, MailNotSent, MailRefused, type Message, openMailer } from './mailer.ts';
import { isAddress } from './message.ts';
import { addOutboxPage } from './page.ts';
import type { SmtpTiming } from './smtp.ts';

const MESSAGE: Message = {
  id: 'DELIVERY_a1B2c3D4e5',
  to: 'dana@harbor.example',
  subject: 'Reset your Afterword password',
  html: '<p>123456</p>',
  text: 'Your code: 123456\n\nTomás & <b>Co</b> — http://localhost:8080/#reset=123456&email=dana%40harbor.example\n',
};
const SILENT = pino({ level: 'silent' });

let dataDir: string;
let ends: (() => unknown)[];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-mailer-'));
  ends = [() => rm(dataDir, { recursive: true, force: true })];
});

afterEach(async () => {
  for (const end of ends.reverse()) await end();
});

const configOf = (settings: NodeJS.ProcessEnv = {}) => readConfig({ DATA_DIR: dataDir, ...settings });

function openTestMailer(settings: NodeJS.ProcessEnv, timing?: Partial<SmtpTiming>): Mailer {
  const mailer = openMailer({ config: configOf(settings), log: SILENT, now: Date.now, ...(timing && { timing }) });
  ends.push(() => mailer.stop());
  return mailer;
}

async function openServer(script?: Parameters<typeof openTestSmtp>[0]): Promise<TestSmtp> {
  const smtp = await openTestSmtp(script);
  ends.push(() => smtp.stop());
  return smtp;
}

describe('the settings', () => {
  it.each([
    'mail.example.com',
    'http://mail.example.com',
    'smtp://a:secret@',
    'smtp://user:%E0%A4%A@host',
    'smtp://host/path',
    'smtp://host?pool=no',
  ])('refuse %s as a mail server', (url) => {
    expect(() => configOf({ SMTP_URL: url })).toThrow(ConfigError);
    expect(() => configOf({ SMTP_URL: url })).not.toThrow(url);
  });

  it.each(['nobody', 'a@b@c', 'Shop <a@b>, c@d', 'Shop\r\nBcc: x@y.example <a@b.example>', '<>', 'a b@c.example'])(
    'refuse %j as a sender',
    (from) => {
      expect(() => configOf({ MAIL_FROM: from })).toThrow(ConfigError);
    },
  );

  it('accept a mail server URL', () => {
    const serverOf = (url: string) => configOf({ SMTP_URL: url }).mail.server;
    expect(serverOf('')).toBeUndefined();
    expect(serverOf('smtp://localhost')).toEqual({ host: 'localhost', port: 587, secure: false, auth: undefined, requireTLS: false });
    expect(serverOf('smtps://a%40b:c%2Fd@mail.example.com')).toEqual({
      host: 'mail.example.com',
      port: 465,
      secure: true,
      auth: { user: 'a@b', pass: 'c/d' },
      requireTLS: false,
    });
    expect(serverOf('smtp://a:b@mail.example.com:2525')).toMatchObject({ port: 2525, requireTLS: true });
  });

  it('accept a sender, or derive one from the public URL', () => {
    const fromOf = (settings: NodeJS.ProcessEnv) => configOf(settings).mail.from;
    expect(fromOf({ PUBLIC_URL: 'https://feedback.example.com' })).toEqual({ name: 'Afterword', address: 'no-reply@feedback.example.com' });
    expect(fromOf({ PUBLIC_URL: 'http://192.0.2.7:8080' })).toEqual({ name: 'Afterword', address: 'no-reply@localhost' });
    expect(fromOf({ MAIL_FROM: 'Café Harbor <hello@harbor.example>' })).toEqual({ name: 'Café Harbor', address: 'hello@harbor.example' });
    expect(fromOf({ MAIL_FROM: 'hello@harbor.example' })).toEqual({ name: '', address: 'hello@harbor.example' });
  });
});

describe('a mail server', () => {
  it('receives one mail for one person', async () => {
    const smtp = await openServer();
    const settings = { MAIL_FROM: 'Café Harbor <hello@harbor.example>', MAIL_REPLY_TO: 'help@harbor.example' };
    await openTestMailer({ SMTP_URL: smtp.url, ...settings }).send(MESSAGE);
    expect(smtp.received).toHaveLength(1);
    const [{ from, to, mail } = { mail: undefined }] = smtp.received;
    expect([from, to]).toEqual(['hello@harbor.example', ['dana@harbor.example']]);
    expect(mail?.messageId).toBe('<DELIVERY_a1B2c3D4e5@harbor.example>');
    expect(mail?.from).toMatchObject({ name: 'Café Harbor', address: 'hello@harbor.example' });
    expect(mail?.replyTo).toMatchObject([{ address: 'help@harbor.example' }]);
    expect(mail?.to).toMatchObject([{ address: 'dana@harbor.example' }]);
    expect(mail?.text?.trim()).toBe(MESSAGE.text.trim());
    expect(mail?.html?.trim()).toBe(MESSAGE.html);
  });

  it('that refuses permanently causes MailRefused without quoting its text', async () => {
    const smtp = await openServer({ refuse: () => ({ code: 550, text: '5.1.1 <dana@harbor.example> is unknown' }) });
    const sent = openTestMailer({ SMTP_URL: smtp.url }).send(MESSAGE);
    await expect(sent).rejects.toThrow(MailRefused);
    await expect(sent).rejects.toThrow(/^The mail server refused the mail \(550 5\.1\.1\)$/);
  });

  it('that refuses temporarily causes MailNotSent without quoting its text', async () => {
    const smtp = await openServer({ refuse: () => ({ code: 451, text: 'later, dana@harbor.example' }) });
    const error = await openTestMailer({ SMTP_URL: smtp.url })
      .send(MESSAGE)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MailNotSent);
    expect(error).not.toBeInstanceOf(MailRefused);
    expect(String(error)).not.toContain('dana');
  });

  it('that rejects the password causes MailNotSent, not MailRefused', async () => {
    const port = await listen((socket) => {
      socket.write('220 here\r\n');
      socket.on('data', (line) => socket.write(/^EHLO/.test(String(line)) ? '250-here\r\n250 AUTH PLAIN\r\n' : '535 5.7.8 no\r\n'));
    });
    const error = await openTestMailer({ SMTP_URL: `smtp://a:b@127.0.0.1:${port}` })
      .send(MESSAGE)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MailNotSent);
    expect(error).not.toBeInstanceOf(MailRefused);
  });

  it('that is unreachable or closes the connection causes MailNotSent', async () => {
    const port = await listen((socket) => socket.destroy());
    for (const url of [`smtp://127.0.0.1:${port}`, 'smtp://127.0.0.1:1']) {
      const error = await openTestMailer({ SMTP_URL: url }, { total: 2_000 })
        .send(MESSAGE)
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(MailNotSent);
      expect(error).not.toBeInstanceOf(MailRefused);
    }
  });

  // Longer than a test may take, so that only the limit under test can apply.
  const ENDLESS = { greeting: 600_000, socket: 600_000, total: 600_000 };

  it.each<[string, Partial<SmtpTiming>, (socket: Socket) => void]>([
    ['sends nothing', { ...ENDLESS, greeting: 300 }, () => undefined],
    [
      'goes silent',
      { ...ENDLESS, socket: 300 },
      (socket) => {
        socket.write('220 here\r\n');
      },
    ],
    [
      'sends a byte now and then',
      { ...ENDLESS, total: 600 },
      (socket) => {
        const drip = setInterval(() => socket.write('2'), 100);
        socket.on('close', () => clearInterval(drip));
      },
    ],
  ])('that %s times out', async (_name, timing, answer) => {
    const port = await listen(answer);
    await expect(openTestMailer({ SMTP_URL: `smtp://127.0.0.1:${port}` }, timing).send(MESSAGE)).rejects.toThrow(
      'The mail server did not answer in time',
    );
  });

  it('is abandoned when the product stops', async () => {
    const port = await listen(() => undefined);
    const sent = openTestMailer({ SMTP_URL: `smtp://127.0.0.1:${port}` }).send(MESSAGE, { signal: AbortSignal.timeout(200) });
    await expect(sent).rejects.toThrow(MailNotSent);
  });

  async function listen(answer: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      answer(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    // A server listening on TCP has an `AddressInfo`.
    return (server.address() as AddressInfo).port;
  }
});

const MALICIOUS_ADDRESSES = [
  'x\r\nBcc: evil@evil.example',
  'x\nTo: evil@evil.example',
  'x\r\n\r\n<script>',
  '=?utf-8?Q?x=0D=0ABcc:_evil@evil.example?=',
  'x\u2028y',
  'evil@evil.example, dana@harbor.example',
  '"evil@evil.example" <dana@harbor.example>',
  'dana@harbor.example>\r\nRCPT TO:<evil@evil.example',
  'dana@[127.0.0.1]',
  '',
];

describe('a malicious message', () => {
  it.each(MALICIOUS_ADDRESSES)('is refused with the address %j', async (to) => {
    await expect(openTestMailer({}).send({ ...MESSAGE, to })).rejects.toThrow(MailRefused);
    expect(isAddress(to)).toBe(false);
  });

  it.each(['a\r\nb', 'a\nBcc: x@y.example', 'a\0b', 'x'.repeat(201)])('is refused with the subject %j', async (subject) => {
    await expect(openTestMailer({}).send({ ...MESSAGE, subject })).rejects.toThrow(MailRefused);
  });

  it('is refused with an invalid id', async () => {
    await expect(openTestMailer({}).send({ ...MESSAGE, id: '../../x' })).rejects.toThrow(MailRefused);
  });

  it('is never sent as anything but one mail to one person (G39)', async () => {
    const smtp = await openServer();
    const mailer = openTestMailer({ SMTP_URL: smtp.url });
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...MALICIOUS_ADDRESSES));
    const messages = fc.record({ to: fc.oneof(text, fc.emailAddress()), subject: text, text, html: text });
    await fc.assert(
      fc.asyncProperty(messages, async (words) => {
        smtp.received.length = 0;
        const isRefused = await mailer.send({ ...MESSAGE, ...words }).then(
          () => false,
          (error: unknown) => error instanceof MailRefused,
        );
        if (isRefused) {
          expect(smtp.received).toEqual([]);
          return;
        }
        const [{ to, mail } = { to: [], mail: undefined }] = smtp.received;
        // Host names are case-insensitive; the part before them may not be.
        const [local = '', host = ''] = words.to.split('@');
        expect(to).toEqual([`${local}@${host.toLowerCase()}`]);
        expect(HEADERS).toEqual(expect.arrayContaining(mail?.headers.map(({ key }) => key) ?? []));
        expect(mail?.to?.map(({ address }) => address)).toHaveLength(1);
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });
});

const HEADERS = [
  'auto-submitted',
  'content-transfer-encoding',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
  'x-afterword-delivery',
  'x-auto-response-suppress',
];

describe('the outbox', () => {
  const outbox = () => path.join(dataDir, 'outbox');

  it('stores each mail in its own file, readable by this user only', async () => {
    const mailer = openTestMailer({});
    await Promise.all([1, 2, 3].map((number) => mailer.send({ ...MESSAGE, id: `DELIVERY_${number}` })));
    const names = await readdir(outbox());
    expect(names).toHaveLength(3);
    for (const name of names) expect(name).toMatch(/^\d{4}-\d\d-\d\dT[\d-]+Z-DELIVERY_\d\.eml$/);
    const [first = ''] = names;
    expect((await stat(path.join(outbox(), first))).mode & 0o077).toBe(0);
    const mail = await PostalMime.parse(await readFile(path.join(outbox(), first)));
    expect(mail).toMatchObject({ subject: MESSAGE.subject, to: [{ address: MESSAGE.to }] });
    expect(mail.text?.trim()).toBe(MESSAGE.text.trim());
  });

  it('decodes mails as they were written', async () => {
    const mailer = openTestMailer({ MAIL_FROM: 'Café Ünter — 東京 <hello@harbor.example>' });
    const texts = [
      'a=b',
      'ü'.repeat(200),
      '東京 '.repeat(60),
      'line\n\n\nline',
      '.',
      'From me',
      '--x',
      `${'x'.repeat(3_000)}`,
      'trailing  \nspace',
    ];
    for (const text of texts) {
      await rm(outbox(), { recursive: true, force: true });
      await mailer.send({ ...MESSAGE, subject: 'Grüße — 東京', text });
      const [name = ''] = await readdir(outbox());
      const mail = await readMail(await readFile(path.join(outbox(), name), 'utf8'));
      expect(mail.text.replaceAll('\r\n', '\n').trim()).toBe(text.trim());
      expect(mail).toMatchObject({ from: 'Café Ünter — 東京 <hello@harbor.example>', to: MESSAGE.to, subject: 'Grüße — 東京' });
    }
  });
});

describe('the outbox’s page', () => {
  async function pageOf(settings: NodeJS.ProcessEnv = {}) {
    const config = configOf(settings);
    const http = createHttp(config, SILENT);
    addOutboxPage(http, config);
    await http.ready();
    ends.push(() => http.close());
    return (url: string, headers: Record<string, string> = {}) => http.inject({ url, headers: { host: 'localhost:8080', ...headers } });
  }

  it.each([
    ['a mail server is set', { SMTP_URL: 'smtp://localhost' }],
    ['the server is reachable from outside', { HOST: '0.0.0.0' }],
    ['there is a proxy in front', { TRUSTED_PROXIES: '1' }],
    ['the product has a public address', { PUBLIC_URL: 'https://feedback.example.com' }],
  ])('is missing when %s', async (_name, settings) => {
    await openTestMailer({}).send(MESSAGE);
    const ask = await pageOf(settings);
    const [name = ''] = await readdir(path.join(dataDir, 'outbox'));
    expect((await ask('/outbox')).statusCode).toBe(404);
    expect((await ask(`/outbox/${name.replace('.eml', '')}`)).statusCode).toBe(404);
  });

  it.each<[string, Record<string, string>]>([
    ['another site whose name resolves to this machine', { host: 'evil.example' }],
    ['a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['another kind of proxy', { forwarded: 'for=203.0.113.9' }],
  ])('is missing for %s', async (_name, headers) => {
    const ask = await pageOf();
    expect((await ask('/outbox', headers)).statusCode).toBe(404);
  });

  it.each(['..%2f..%2fsample-password', '%2e%2e', 'x', '2026-11-21T12-34-19-022Z-DELIVERY_missing'])(
    'shows no other files: %s',
    async (id) => {
      expect((await (await pageOf())(`/outbox/${id}`)).statusCode).toBe(404);
    },
  );

  it('lists the newest mail first, and shows each mail as text', async () => {
    const ask = await pageOf();
    expect((await ask('/outbox')).body).toContain('No mails yet.');
    let now = Date.UTC(2026, 0, 1);
    const mailer = openMailer({ config: configOf(), log: SILENT, now: () => now });
    await mailer.send({ ...MESSAGE, id: 'DELIVERY_old', subject: 'The older' });
    now += 1_000;
    await mailer.send({ ...MESSAGE, id: 'DELIVERY_new', subject: 'The <b>newer</b>' });
    const list = await ask('/outbox');
    expect(list.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(list.body.indexOf('The &lt;b&gt;newer&lt;/b&gt;')).toBeLessThan(list.body.indexOf('The older'));
    const [, href = ''] = /href="(\/outbox\/[^"]+)"/.exec(list.body) ?? [];
    const page = await ask(href);
    expect(page.body).toContain('Tomás &amp; &lt;b&gt;Co&lt;/b&gt; — ');
    expect(page.body).toContain('<a href="http://localhost:8080/#reset=123456&amp;email=dana%40harbor.example">');
    expect(page.body).not.toMatch(/<script|<b>/);
    expect(page.headers['cache-control']).toBe('no-store');
  });
});
