import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageLink } from '#contract/mail/mail.ts';
import type { Delivery } from '#contract/notification/delivery.ts';
import { ACCOUNT_ID, dana } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../../test/support/other-account.ts';
import { openTestSmtp, type TestSmtp } from '../../../test/support/smtp.ts';
import { ConfigError, readConfig } from '../../platform/config/config.ts';
import { inAccount } from '../../platform/tenancy/access.ts';
import { openMails } from './mails.ts';

const KEY = 'a-key-of-this-test-alone-0123456789';
const GUEST = 'guest@nowhere.example';

/** How long the mail server waits before it accepts a mail (ms). */
let linger = 0;
let smtp: TestSmtp;
let app: TestApp;
let admin: string;

beforeAll(async () => {
  smtp = await openTestSmtp({ linger: () => linger });
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'afterword@feedback.example', MAIL_RETURNS_KEY: KEY };
  app = await openTestApp({ settings, also: addOtherAccount });
  admin = await app.signIn();
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
beforeEach(() => {
  linger = 0;
});

interface PostOptions {
  readonly authorization?: string;
  readonly type?: string;
  readonly from?: string;
  readonly to?: TestApp;
}

async function post(mail: string | Buffer, { authorization = `Bearer ${KEY}`, type, from = '127.0.0.1', to = app }: PostOptions = {}) {
  const headers = { authorization, ...(type !== undefined && { 'content-type': type }) };
  return to.app.http.inject({ method: 'POST', url: '/mail/returns', headers, payload: mail, remoteAddress: from });
}

/** Sends a mail of the account, and returns its delivery's id and its raw header once the mail server has it. */
async function send(reason = 'user.invited'): Promise<{ id: string; header: string }> {
  const props = { name: 'Dana Moss', link: pageLink('https://feedback.example') };
  const { id } = await inAccount(app.app.platform, { accountId: ACCOUNT_ID, actor: dana.id }, (scope) =>
    openMails(app.app.platform).send(scope, { to: GUEST, mail: 'delivery-test', props, reason }),
  );
  await expect.poll(() => smtp.received.some(({ raw }) => raw.includes(id))).toBe(true);
  const raw = smtp.received.find((mail) => mail.raw.includes(id))?.raw ?? '';
  if (linger === 0) await expect.poll(() => statusOf(id)).toBe('sent');
  return { id, header: raw.slice(0, raw.indexOf('\r\n\r\n')) };
}

const byId = async (id: string): Promise<Delivery['data'] | undefined> => {
  const { body } = await app.call('delivery', 'list', { accountId: ACCOUNT_ID, limit: 100 }, admin);
  return body.deliveries.find((delivery: Delivery) => delivery.id === id)?.data;
};
const statusOf = async (id: string) => (await byId(id))?.status;
const eventsOf = async (id: string): Promise<string[]> =>
  (await app.stored<{ name: string }>('select name from event where subject = $1 order by id', [id])).map(({ name }) => name);

const mailOf = (...lines: readonly (string | readonly string[])[]): string => lines.flat().join('\r\n');

interface BounceOptions {
  readonly action?: string;
  readonly status?: string;
  readonly diagnostic?: string;
}

/** A bounce as Postfix writes it, with the whole mail. */
const postfixBounce = (
  header: string,
  { action = 'failed', status = '5.1.1', diagnostic = '550 5.1.1 No such user' }: BounceOptions = {},
) =>
  mailOf(
    'Return-Path: <>',
    'Date: Thu, 26 Nov 2026 10:00:00 +0000 (UTC)',
    'From: MAILER-DAEMON@mx.feedback.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'To: afterword@feedback.example',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="4XyZ12.1764151200/mx.feedback.example"',
    'Message-Id: <4XyZ13@mx.feedback.example>',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--4XyZ12.1764151200/mx.feedback.example',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `I'm sorry to have to inform you that your message to <${GUEST}> could not be delivered.`,
    '',
    '--4XyZ12.1764151200/mx.feedback.example',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.feedback.example',
    'X-Postfix-Queue-ID: 4XyZ12',
    'Arrival-Date: Thu, 26 Nov 2026 09:59:59 +0000 (UTC)',
    '',
    `Final-Recipient: rfc822; ${GUEST}`,
    `Original-Recipient: rfc822;${GUEST}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mx.nowhere.example',
    `Diagnostic-Code: smtp; ${diagnostic}`,
    '',
    '--4XyZ12.1764151200/mx.feedback.example',
    'Content-Description: Undelivered Message',
    'Content-Type: message/rfc822',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Return-Path: <afterword@feedback.example>',
    header,
    '',
    'The words of the mail.',
    '',
    '--4XyZ12.1764151200/mx.feedback.example--',
    '',
  );

/** A bounce with the header only, from a service that replaced the Message-ID. */
const headersOnlyBounce = (header: string, status: string) =>
  mailOf(
    'From: postmaster@mail.example',
    'Subject: Undeliverable: Your mail',
    'MIME-Version: 1.0',
    'content-type: MULTIPART/REPORT; boundary=b1; report-type="delivery-status"',
    '',
    '--b1',
    'Content-Type: multipart/alternative; boundary=b2',
    '',
    '--b2',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Your message could not be delivered.</p>',
    '--b2--',
    '--b1',
    'Content-Type: message/delivery-status',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(
      mailOf('Reporting-MTA: dns;mail.example', '', `Final-Recipient: rfc822;${GUEST}`, 'Action: failed', `Status: ${status}`),
    ).toString('base64'),
    '--b1',
    'Content-Type: text/rfc822-headers',
    '',
    header.replace(/^Message-ID:.*$/im, 'Message-ID: <0100019abc-1234@mail.example>'),
    '--b1--',
    '',
  );

/** A complaint as a feedback loop sends it. */
const complaint = (header: string, type = 'abuse') =>
  mailOf(
    'From: fbl@nowhere.example',
    'Subject: FW: Your mail',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="arf"',
    '',
    '--arf',
    'Content-Type: text/plain',
    '',
    'This is an email abuse report.',
    '--arf',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: Loop/1.0',
    'Version: 1',
    '--arf',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    header,
    '',
    'The words of the mail.',
    '--arf--',
    '',
  );

describe('a bounce', () => {
  it('marks the mail as failed and records the event once', async () => {
    const { id, header } = await send();
    const response = await post(postfixBounce(header));
    expect([response.statusCode, response.body, response.headers['cache-control']]).toEqual([204, '', 'no-store']);
    expect(await byId(id)).toMatchObject({
      status: 'failed',
      lastError: 'The address doesn’t exist (5.1.1)',
      mayRetry: false,
      attempts: 1,
    });
    expect((await post(postfixBounce(header))).statusCode).toBe(204);
    const events = await app.stored('select name, actor, account_id, data from event where subject = $1', [id]);
    expect(events).toEqual([{ name: 'delivery.bounced', actor: 'afterword', account_id: ACCOUNT_ID, data: {} }]);
  });

  it('is recognized with the header only, base64, any type of the request, and a replaced Message-ID', async () => {
    for (const type of ['message/rfc822', 'application/json', 'application/x-www-form-urlencoded']) {
      const { id, header } = await send();
      expect((await post(headersOnlyBounce(header, '5.2.1'), { type })).statusCode).toBe(204);
      expect(await byId(id)).toMatchObject({ status: 'failed', lastError: 'The address doesn’t exist (5.2.1)' });
      expect(await eventsOf(id)).toEqual(['delivery.bounced']);
    }
  });

  it('is recognized by the quoted code where Exim states 5.0.0, with bare line feeds', async () => {
    const { id, header } = await send();
    await post(postfixBounce(header, { status: '5.0.0', diagnostic: '550-5.1.1 No such user' }).replaceAll('\r\n', '\n'));
    expect((await byId(id))?.lastError).toBe('The address doesn’t exist (5.1.1)');
    expect(await eventsOf(id)).toEqual(['delivery.bounced']);
  });

  it.each(['5.7.1', '5.1.8', '5.4.4', '5.0.0'])('with the code %s only marks the mail as failed', async (status) => {
    const { id, header } = await send();
    await post(postfixBounce(header, { status, diagnostic: '554 Refused' }));
    expect(await byId(id)).toMatchObject({ status: 'failed', lastError: `The mail came back (${status})` });
    expect(await eventsOf(id)).toEqual([]);
  });

  it.each([
    ['delayed', '4.4.1'],
    ['delivered', '2.0.0'],
    ['relayed', '2.0.0'],
    ['delayed', '5.1.1'],
    ['failed', '4.4.7'],
  ])('that says %s with %s is ignored', async (action, status) => {
    const { id, header } = await send();
    expect((await post(postfixBounce(header, { action, status }))).statusCode).toBe(204);
    expect([await statusOf(id), await eventsOf(id)]).toEqual(['sent', []]);
  });

  it('that arrives before the attempt is recorded stays', async () => {
    linger = 1_500;
    const { id, header } = await send();
    await post(postfixBounce(header));
    await expect.poll(async () => (await byId(id))?.latest.length).toBe(1);
    expect(await byId(id)).toMatchObject({ status: 'failed', lastError: 'The address doesn’t exist (5.1.1)' });
  });

  it('of a mail to a customer raises no warning for admins', async () => {
    const failures = async () => (await app.call('delivery', 'health', { accountId: ACCOUNT_ID }, admin)).body.failed;
    const before = await failures();
    const [toTeam, toCustomer] = [await send(), await send('feedback-request.added')];
    for (const { id, header } of [toTeam, toCustomer]) {
      await post(postfixBounce(header));
      expect(await statusOf(id)).toBe('failed');
    }
    expect(await failures()).toBe(before + 1);
  });

  it('is shown to the account’s admins only, without an address in events or the log', async () => {
    const address = await app.app.http.listen({ host: '127.0.0.1', port: 0 });
    const controller = new AbortController();
    const listen = async (token: string) => {
      const { body } = await fetch(`${address}/api/live`, { headers: { authorization: `Bearer ${token}` }, signal: controller.signal });
      let text = '';
      void (async () => {
        for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
      })().catch(() => undefined);
      return () => text;
    };
    const [mine, others] = [await listen(admin), await listen(await app.signIn(otherAccount.email))];
    const { id, header } = await send();
    await post(postfixBounce(header));
    await expect.poll(mine).toContain('event: delivery.bounced');
    // Events are sent in order: the other account's own event comes after the bounce.
    await app.call('delivery', 'test', {}, await app.signIn(otherAccount.email));
    await expect.poll(others).toContain('event: delivery.test-requested');
    controller.abort();
    expect(mine()).toContain(id);
    expect(others()).not.toContain('bounced');
    expect(mine()).not.toContain('nowhere.example');
    expect(app.log.join('')).not.toMatch(/nowhere\.example|guest@/);
  });
});

describe('a complaint', () => {
  it('marks the mail as failed and records the event once', async () => {
    const { id, header } = await send();
    for (let repeat = 0; repeat < 2; repeat += 1) expect((await post(complaint(header))).statusCode).toBe(204);
    expect(await byId(id)).toMatchObject({ status: 'failed', lastError: 'The recipient reported it as spam' });
    expect(await eventsOf(id)).toEqual(['delivery.complained']);
  });

  it('counts after the mail came back for another reason', async () => {
    const { id, header } = await send();
    await post(postfixBounce(header, { status: '5.7.1' }));
    await post(complaint(header));
    expect(await eventsOf(id)).toEqual(['delivery.complained']);
  });

  it.each(['not-spam', 'other', 'auth-failure'])('of the type %s is ignored', async (type) => {
    const { id, header } = await send();
    expect((await post(complaint(header, type))).statusCode).toBe(204);
    expect([await statusOf(id), await eventsOf(id)]).toEqual(['sent', []]);
  });
});

describe('any other mail', () => {
  it('changes nothing if it names no delivery in the returned header', async () => {
    const { id, header } = await send();
    const unnamed = mailOf(header.split('\r\n').filter((line) => !line.includes(id)));
    const mails = [
      postfixBounce(header.replaceAll(id, 'DELIVERY_0000000000')),
      postfixBounce(unnamed),
      postfixBounce(unnamed).replace('The words of the mail.', header),
      postfixBounce(unnamed).replace('This is a MIME-encapsulated message.', header),
      postfixBounce(`${unnamed}\r\nIn-Reply-To: <${id}@feedback.example>`),
      postfixBounce(header).replace('multipart/report', 'multipart/mixed'),
      postfixBounce(header).replace('Content-Type: message/rfc822', 'Content-Type: text/plain'),
      mailOf(header, '', 'A reply.'),
    ];
    for (const mail of mails) expect((await post(mail)).statusCode).toBe(204);
    expect([await statusOf(id), await eventsOf(id)]).toEqual(['sent', []]);
  });

  it('changes nothing if it returns a mail of no account', async () => {
    const before = smtp.received.length;
    await app.pool('ForgotPassword', { Username: dana.data.emailAddress });
    await expect.poll(() => smtp.received.length).toBe(before + 1);
    const raw = smtp.received.at(-1)?.raw ?? '';
    const [id = 'no id'] = /DELIVERY_\w{10}/.exec(raw) ?? [];
    const status = () => app.stored('select status from delivery where id = $1', [id]);
    await expect.poll(status).toEqual([{ status: 'sent' }]);
    expect((await post(postfixBounce(raw.slice(0, raw.indexOf('\r\n\r\n'))))).statusCode).toBe(204);
    expect([await status(), await eventsOf(id)]).toEqual([[{ status: 'sent' }], []]);
  });

  it('gets the same response, however broken it is', async () => {
    const { id, header } = await send();
    const bounce = postfixBounce(header);
    const nested = Array.from({ length: 400 }, (_, depth) => `Content-Type: multipart/mixed; boundary=n${depth}\r\n\r\n--n${depth}\r\n`);
    const broken: (string | Buffer)[] = [
      '',
      '\r\n\r\n',
      'nonsense',
      randomBytes(100_000),
      'Content-Type: multipart/report; boundary=',
      `Content-Type: multipart/report; boundary=n\r\n\r\n--n\r\n${nested.join('')}`,
      `Content-Type: multipart/report; boundary=n\r\n${'X-Long: value\r\n'.repeat(50_000)}`,
      bounce.replace('Status: 5.1.1', 'Status: 5.1.1.1.1.1 <script>').replace('Action: failed', 'Action'),
      bounce.replace('The words of the mail.', 'x\n'.repeat(300_000)),
      bounce.replaceAll(id, `${id}%00' or 1=1`),
      bounce.replace('message/delivery-status', 'message/delivery-status; charset="\u0000"').replace('Action: failed', '\u0000'),
      ...Array.from({ length: 40 }, (_, part) => bounce.slice(0, (part * bounce.lastIndexOf('Status:')) / 40)),
    ];
    for (const mail of broken) expect((await post(mail)).statusCode).toBe(204);
    expect([await statusOf(id), await eventsOf(id)]).toEqual(['sent', []]);
    expect(app.log.join('')).not.toContain('a bug');
  });

  it('is refused above 1 MiB', async () => {
    expect((await post('x'.repeat(1024 * 1024))).statusCode).toBe(204);
    const response = await post('x'.repeat(1024 * 1024 + 1));
    expect([response.statusCode, response.json().code]).toEqual([413, 'too-large']);
  });
});

describe('the key', () => {
  it('is required, and wrong ones are limited per network', async () => {
    const { id, header } = await send();
    const wrong = ['', 'Bearer ', `Bearer ${KEY}x`, `Bearer ${KEY.slice(0, -1)}`, KEY, `bearer ${KEY}`];
    for (const authorization of wrong) {
      const response = await post(postfixBounce(header), { authorization, from: '192.0.2.1' });
      expect([response.statusCode, response.json().code]).toEqual([401, 'not-signed-in']);
    }
    const guess = async (from: string) => (await post('', { authorization: 'Bearer guess', from })).statusCode;
    for (let guesses = wrong.length; guesses < 100; guesses += 1) expect(await guess('192.0.2.1')).toBe(401);
    expect([await guess('192.0.2.1'), await guess('192.0.2.2')]).toEqual([429, 401]);
    expect([await statusOf(id), await eventsOf(id)]).toEqual(['sent', []]);
  });

  it('must be set for the route to exist', async () => {
    const closed = await openTestApp();
    try {
      for (const authorization of [`Bearer ${KEY}`, 'Bearer undefined', 'Bearer ']) {
        const response = await post('', { authorization, to: closed });
        const unknown = await closed.app.http.inject({ method: 'POST', url: '/mail/unknown' });
        expect([response.statusCode, response.json().code]).toEqual([unknown.statusCode, unknown.json().code]);
        expect(response.statusCode).toBe(404);
      }
    } finally {
      await closed.stop();
    }
  });

  it.each(['k'.repeat(31), `${'k'.repeat(16)} ${'k'.repeat(16)}`])('has 32 characters without spaces', (key) => {
    const read = () => readConfig({ MAIL_RETURNS_KEY: key });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow('MAIL_RETURNS_KEY is "…"; it should be at least 32 characters, without spaces.');
    expect(readConfig({ MAIL_RETURNS_KEY: 'k'.repeat(32) }).mail.returnsKey).toBe('k'.repeat(32));
  });
});
