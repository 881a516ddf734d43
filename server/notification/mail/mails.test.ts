import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveryId, invitationLink, lockLink, type MailName, pageLink, resetLink } from '#contract/mail/mail.ts';
import { dana } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { recordBatchSizes } from '../../../test/support/postgres/batch-sizes.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/support/postgres/database.ts';
import { openTestSmtp, type TestSmtp } from '../../../test/support/smtp.ts';
import { JOBS } from '../../jobs.ts';
import { readConfig } from '../../platform/config/config.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import { openJobs } from '../../platform/jobs/jobs.ts';
import { errorForLog } from '../../platform/log/log.ts';
import { readMail } from '../../platform/mailer/eml.ts';
import { openMailer } from '../../platform/mailer/mailer.ts';
import type { OutgoingMail } from '../../platform/mailer/send-mail.ts';
import type { SmtpTiming } from '../../platform/mailer/smtp.ts';
import { openSecret } from '../../platform/secret.ts';
import { inAccount } from '../../platform/tenancy/access.ts';
import { type MailQueue, maintainDeliveries, openMails } from './mails.ts';

const DANA = 'dana@harbor.example';
const SITE = 'https://feedback.example.com';
const reset = (to: string): OutgoingMail<'reset-code'> => {
  const props = { code: '471193', link: resetLink(SITE, { key: '471193', email: to }) };
  return { to, mail: 'reset-code', props, reason: 'identity.reset-code' };
};
const RESET = reset(DANA);
const CHANGED: OutgoingMail<'password-changed'> = {
  to: DANA,
  mail: 'password-changed',
  props: { when: { at: Date.UTC(2026, 10, 22, 14, 2) }, device: { browser: 'Chrome', system: 'Windows' }, lock: lockLink(SITE, 'k3y-_x') },
  reason: 'identity.password-changed',
};
const PEOPLE = { name: 'Dana Moss', invitedBy: 'Sam Reed', company: 'Harbor Coffee' };
const INVITED: OutgoingMail<'invitation'> = {
  to: DANA,
  mail: 'invitation',
  props: { ...PEOPLE, link: invitationLink(SITE, 'k3y-_x') },
  reason: 'user.invited',
};

let clone: TestDatabase;
let dataDir: string;
let log: string[];
let ends: (() => unknown)[];

beforeEach(async () => {
  clone = await cloneDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-notification-'));
  log = [];
  ends = [() => clone.drop(), () => rm(dataDir, { recursive: true, force: true })];
});

afterEach(async () => {
  for (const end of ends.reverse()) await end();
});

interface Process {
  readonly mails: MailQueue;
  readonly database: Database;
}

interface ProcessOptions {
  readonly settings?: NodeJS.ProcessEnv;
  readonly timing?: Partial<SmtpTiming>;
  readonly works?: boolean;
  readonly now?: () => number;
  /** Delay before a retry (s). */
  readonly retryDelay?: number;
}

/** The module on its own platform, with short intervals. */
async function openProcess({ settings, timing, works = true, now = Date.now, retryDelay = 0 }: ProcessOptions = {}): Promise<Process> {
  const logger = pino({ level: 'trace', serializers: { err: errorForLog } }, { write: (line: string) => void log.push(line) });
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: SITE, ...settings });
  const database = openDatabase({ connection: clone.app, onError: () => undefined });
  const retry = () => ({ retryLimit: 2, retryDelay, retryBackoff: false });
  const jobs = await openJobs({
    connection: clone.app,
    policies: JOBS,
    log: logger,
    works,
    timing: { poll: 0.5, upkeep: 1, stop: 1, retry },
  });
  const mailer = openMailer({ config, log: logger, now, ...(timing && { timing }) });
  const mails = openMails({
    config,
    secret: await openSecret(config),
    database,
    jobs,
    mailer,
    now,
    random: (size: number) => randomBytes(size),
  });
  await jobs.work(mails.work);
  ends.push(async () => {
    await jobs.stop();
    mailer.stop();
    await database.stop();
  });
  return { mails, database };
}

async function openServer(script?: Parameters<typeof openTestSmtp>[0]): Promise<TestSmtp> {
  const smtp = await openTestSmtp(script);
  ends.push(() => smtp.stop());
  return smtp;
}

const send = <Name extends MailName>({ mails, database }: Process, mail: OutgoingMail<Name>): Promise<unknown> =>
  database.transaction({}, (db) => mails.send({ db }, mail));

interface DeliveredMail {
  id: string;
  to: string;
  subject: string;
  reason: string;
  status: string;
  attempts: number;
  last_error: string | null;
  sent_at: Date | null;
}

const deliveries = (): Promise<DeliveredMail[]> => clone.stored('select * from delivery order by created, id');
const statuses = async (): Promise<[status: string, attempts: number][]> =>
  (await deliveries()).map(({ status, attempts }) => [status, attempts]);

describe('a mail', () => {
  it('is not sent when its transaction is rolled back', async () => {
    const smtp = await openServer();
    const process = await openProcess({ settings: { SMTP_URL: smtp.url } });
    const rolledBack = process.database.transaction({}, async (db) => {
      await process.mails.send({ db }, RESET);
      throw new Error('taken back');
    });
    await expect(rolledBack).rejects.toThrow('taken back');
    await send(process, CHANGED);
    await expect.poll(() => statuses()).toEqual([['sent', 1]]);
    expect(smtp.received.map(({ mail }) => mail.subject)).toEqual(['Your Afterword password was changed']);
  });

  it('is queued by urgency: awaited mails, alerts, other mails, reports', async () => {
    const process = await openProcess({ works: false });
    // Content is read when they are sent.
    const mails: MailName[] = [
      'report',
      'welcome',
      'urgent-feedback',
      'reset-code',
      'urgent-digest',
      'invitation',
      'password-changed',
      'mentioned',
    ];
    for (const mail of mails) await send(process, { to: DANA, mail, props: {} as never, reason: 'a test' });
    const queued = await clone.stored<{ mails: string[] }>(
      `select array_agg(data ->> 'mail' order by created_on) as mails from pgboss.job where name = 'mail.send' group by priority order by priority desc`,
    );
    expect(queued.map((each) => each.mails.toSorted())).toEqual([
      ['invitation', 'reset-code'],
      ['password-changed', 'urgent-feedback'],
      ['mentioned', 'welcome'],
      ['report', 'urgent-digest'],
    ]);
  });

  it('reaches one person once, as text and HTML, and is recorded', async () => {
    const smtp = await openServer();
    await send(await openProcess({ settings: { SMTP_URL: smtp.url } }), RESET);
    await expect.poll(() => statuses()).toEqual([['sent', 1]]);
    const [{ from, to, mail } = { mail: undefined }] = smtp.received;
    expect(smtp.received).toHaveLength(1);
    expect([from, to]).toEqual(['no-reply@feedback.example.com', [DANA]]);
    const link = 'https://feedback.example.com/#reset=471193&email=dana%40harbor.example';
    expect(mail?.text).toContain('471193');
    expect(mail?.text).toContain(link);
    expect(mail?.html).toContain(link.replace('&', '&amp;'));
    const [row] = await deliveries();
    expect(row).toMatchObject({ to: DANA, subject: 'Reset your Afterword password', reason: 'identity.reset-code', last_error: null });
    expect(row?.id).toMatch(/^DELIVERY_[A-Za-z0-9]{10}$/);
    expect(row?.sent_at).toBeInstanceOf(Date);
    expect(mail?.messageId).toBe(`<${row?.id}@feedback.example.com>`);
  });

  it.each<[OutgoingMail<MailName>['mail'], object, RegExp]>([
    ['sign-up-code', { name: 'Dana Moss', code: '471193' }, /471193.*Dana Moss/s],
    ['address-code', { code: '471193' }, /471193/],
    ['address-changed', { link: pageLink(SITE) }, /address was changed/],
    ['address-taken', { link: pageLink(SITE) }, /already have an account/],
    ['invitation', INVITED.props, /Harbor Coffee.*Sam Reed.*https:\/\/feedback\.example\.com\/#invite=k3y-_x\s/s],
    ['welcome', { ...PEOPLE, link: pageLink(SITE) }, /Harbor Coffee.*https:\/\/feedback\.example\.com\/\s/s],
  ])('renders %s', async (mail, props, pattern) => {
    const smtp = await openServer();
    // The table pairs each mail with its props.
    await send(await openProcess({ settings: { SMTP_URL: smtp.url } }), { to: DANA, mail, props: props as never, reason: 'a test' });
    await expect.poll(() => smtp.received.map((each) => each.mail.text)).toEqual([expect.stringMatching(pattern)]);
  });

  it('carries the code of a form as a picture that the HTML shows', async () => {
    const smtp = await openServer();
    const props = { ...PEOPLE, link: pageLink(SITE), form: `${SITE}/feedback/FORM_a1B2c3` };
    await send(await openProcess({ settings: { SMTP_URL: smtp.url } }), { to: DANA, mail: 'welcome', props, reason: 'a test' });
    await expect.poll(() => smtp.received.length).toBe(1);
    const { html, text, attachments } = smtp.received[0]?.mail ?? {};
    expect(attachments).toMatchObject([{ mimeType: 'image/png', disposition: 'inline', contentId: '<code>' }]);
    expect(html).toContain('src="cid:code"');
    expect(text).toContain(props.form);
    expect((await readMail(smtp.received[0]?.raw ?? '')).text).toContain(props.form);
  });

  it('is sent once by many processes', async () => {
    const smtp = await openServer();
    const settings = { SMTP_URL: smtp.url };
    const [process] = await Promise.all([openProcess({ settings }), openProcess({ settings }), openProcess({ settings })]);
    await process.database.transaction({}, async (db) => {
      for (let index = 0; index < 25; index += 1) {
        await process.mails.send({ db }, reset(`person${index}@harbor.example`));
      }
    });
    await expect.poll(async () => (await statuses()).filter(([status]) => status === 'sent')).toHaveLength(25);
    expect(new Set(smtp.received.map(({ to }) => to.join())).size).toBe(25);
    expect(smtp.received).toHaveLength(25);
  });

  it('is not sent again when its job runs again after it was recorded', async () => {
    const smtp = await openServer();
    await send(await openProcess({ settings: { SMTP_URL: smtp.url } }), RESET);
    await expect.poll(() => statuses()).toEqual([['sent', 1]]);
    await expect.poll(() => jobStates()).toEqual(['completed']);
    await clone.stored(`update pgboss.job set state = 'created', completed_on = null where name = 'mail.send'`);
    await expect.poll(() => jobStates()).toEqual(['completed']);
    expect(smtp.received).toHaveLength(1);
  });

  it('is sent twice under one id when a process dies before recording it', async () => {
    const smtp = await openServer();
    await send(await openProcess({ settings: { SMTP_URL: smtp.url } }), RESET);
    await expect.poll(() => jobStates()).toEqual(['completed']);
    await clone.stored(`update delivery set status = 'queued'`);
    await clone.stored(`update pgboss.job set state = 'created', completed_on = null where name = 'mail.send'`);
    await expect.poll(() => statuses()).toEqual([['sent', 2]]);
    expect(new Set(smtp.received.map(({ mail }) => mail.messageId)).size).toBe(1);
  });

  it('leaves neither addresses, nor codes, nor words in the log', async () => {
    const smtp = await openServer({ refuse: (attempt) => (attempt === 1 ? { code: 451, text: `later, ${DANA}` } : undefined) });
    const process = await openProcess({ settings: { SMTP_URL: smtp.url } });
    await send(process, RESET);
    await send(process, INVITED);
    await expect.poll(async () => (await statuses()).map(([status]) => status)).toEqual(['sent', 'sent']);
    expect(log.join('')).toContain('a job failed');
    expect(log.join('')).not.toMatch(/dana|471193|k3y|Harbor Coffee|Moss/i);
    const outputs = await clone.stored<{ output: unknown }>('select output from pgboss.job');
    expect(JSON.stringify([outputs, (await deliveries()).map(({ last_error, subject }) => [last_error, subject])])).not.toMatch(
      /dana|471193|k3y/i,
    );
  });
});

const jobStates = async (): Promise<string[]> =>
  (await clone.stored<{ state: string }>(`select state from pgboss.job where name = 'mail.send'`)).map(({ state }) => state);

describe('a mail server', () => {
  it('that refuses temporarily is retried', async () => {
    const smtp = await openServer({ refuse: (attempt) => (attempt < 3 ? { code: 451, text: 'later' } : undefined) });
    await send(await openProcess({ settings: { SMTP_URL: smtp.url } }), RESET);
    await expect.poll(() => statuses()).toEqual([['sent', 3]]);
    expect(smtp.received).toHaveLength(1);
    expect((await deliveries())[0]?.last_error).toBeNull();
  });

  it('that keeps refusing temporarily makes the mail fail visibly', async () => {
    const smtp = await openServer({ refuse: () => ({ code: 451, text: 'later' }) });
    await send(await openProcess({ settings: { SMTP_URL: smtp.url } }), RESET);
    await expect.poll(() => statuses()).toEqual([['failed', 3]]);
    expect((await deliveries())[0]?.last_error).toBe('The mail server did not take the mail (451)');
    expect(smtp.tries).toBe(3);
  });

  it('that refuses permanently is not tried again', async () => {
    const smtp = await openServer({ refuse: () => ({ code: 550, text: `5.1.1 <${DANA}> is nobody` }) });
    await send(await openProcess({ settings: { SMTP_URL: smtp.url } }), RESET);
    await expect.poll(() => statuses()).toEqual([['failed', 1]]);
    expect((await deliveries())[0]?.last_error).toBe('The mail server refused the mail (550 5.1.1)');
    await expect.poll(() => jobStates()).toEqual(['failed']);
    expect(smtp.tries).toBe(1);
  });

  it('that hangs blocks no caller', async () => {
    const hungServer = await openHung();
    // Longer than this test may take, so that waiting for it would fail the test.
    const process = await openProcess({ settings: hungServer.settings, timing: { greeting: 600_000 } });
    await Promise.all(Array.from({ length: 8 }, () => send(process, RESET)));
    await expect.poll(() => hungServer.visits()).toBeGreaterThan(1);
    await Promise.all(Array.from({ length: 16 }, () => send(process, CHANGED)));
    expect(await deliveries()).toHaveLength(24);
  });

  it('that hangs times out and is tried again', async () => {
    const hungServer = await openHung();
    const process = await openProcess({ settings: hungServer.settings, timing: { greeting: 250 } });
    await send(process, RESET);
    await expect.poll(async () => (await statuses())[0]?.[1]).toBeGreaterThan(1);
    expect((await deliveries())[0]?.last_error).toBe('The mail server did not answer in time');
    expect(hungServer.visits()).toBeGreaterThan(1);
  });

  /** A mail server that accepts connections and sends nothing. */
  async function openHung() {
    let visits = 0;
    const hungServer = createServer((socket) => {
      visits += 1;
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => hungServer.listen(0, '127.0.0.1', resolve));
    ends.push(() => hungServer.close());
    // A listening server has an `AddressInfo`.
    const { port } = hungServer.address() as AddressInfo;
    return { settings: { SMTP_URL: `smtp://127.0.0.1:${port}` }, visits: () => visits };
  }
});

describe('the content of a mail', () => {
  it('is encrypted in the database before and after the mail is sent', async () => {
    let isMailDown = true;
    const smtp = await openServer({ refuse: () => (isMailDown ? { code: 451, text: 'later' } : undefined) });
    const app = await openTestApp({ settings: { SMTP_URL: smtp.url } });
    ends.push(() => app.stop());
    const before = new Set(await everyRow(app));
    await app.pool('ForgotPassword', { Username: dana.data.emailAddress });
    await expect.poll(() => app.stored('select attempts from delivery')).toEqual([{ attempts: 1 }]);
    const waiting = (await everyRow(app)).filter((row) => !before.has(row)).join('\n');

    isMailDown = false;
    await app.stored(`update pgboss.job set start_after = now() where name = 'mail.send'`);
    await expect.poll(() => app.stored('select status from delivery')).toEqual([{ status: 'sent' }]);
    const sent = (await everyRow(app)).filter((row) => !before.has(row)).join('\n');

    const [{ text = '' } = {}] = smtp.received.map(({ mail }) => mail);
    const [code = 'no code'] = /\b\d{6}\b/.exec(text) ?? [];
    const [link = 'no link', key = 'no key'] = /\S+#reset=([^&]+)&\S+/.exec(text) ?? [];
    for (const row of [waiting, sent]) {
      // The job and its delivery are among them.
      expect(row).toContain('mail.send');
      expect(row).toContain('identity.reset-code');
      for (const open of [code, key, link, link.split('&')[0], '#reset']) expect(row).not.toContain(open);
    }
    expect([code, key, link]).toEqual([
      expect.stringMatching(/^\d{6}$/),
      expect.stringMatching(/^[\w-]{22}$/),
      expect.stringContaining('&email='),
    ]);
  });

  it('can’t be decrypted with another secret: the error says so, and the mail waits for a process that has the secret', async () => {
    const smtp = await openServer();
    const settings = { SMTP_URL: smtp.url };
    await send(await openProcess({ settings, works: false, retryDelay: 600 }), RESET);
    await openProcess({ settings: { ...settings, IDENTITY_SECRET: 'another secret, as long as it has to be' } });
    await expect
      .poll(async () => (await deliveries())[0]?.last_error)
      .toMatch(/^It was encrypted with a different secret; set IDENTITY_SECRET/);
    expect(log.join('')).toContain('encrypted with a different secret');
    expect(smtp.tries).toBe(0);
    await ends.pop()?.();
    await clone.stored(`update pgboss.job set start_after = now() where name = 'mail.send'`);
    await openProcess({ settings });
    await expect.poll(() => smtp.received.map(({ mail }) => mail.text)).toEqual([expect.stringContaining('471193')]);
  });

  it('can’t be decrypted for another delivery', async () => {
    const smtp = await openServer();
    const settings = { SMTP_URL: smtp.url };
    const waiting = await openProcess({ settings, works: false });
    for (const to of [DANA, 'sam@harbor.example']) await send(waiting, reset(to));
    await clone.stored(`update pgboss.job set data = jsonb_set(data, '{sealed}', (select to_jsonb(min(data->>'sealed')) from pgboss.job))`);
    await openProcess({ settings });
    await expect.poll(async () => (await statuses()).map(([status]) => status)).toContain('sent');
    await expect
      .poll(async () => (await deliveries()).map(({ last_error }) => last_error))
      .toContainEqual(expect.stringMatching(/^It was encrypted/));
    expect(smtp.received).toHaveLength(1);
  });

  it('is decrypted by another process with the same secret', async () => {
    const smtp = await openServer();
    const settings = { SMTP_URL: smtp.url, IDENTITY_SECRET: 'one secret for all, as long as it has to be' };
    await send(await openProcess({ settings, works: false }), RESET);
    await openProcess({ settings: { ...settings, DATA_DIR: path.join(dataDir, 'another') } });
    await expect.poll(() => smtp.received.map(({ mail }) => mail.text)).toEqual([expect.stringContaining('471193')]);
  });

  it('is sent when an earlier version queued it unencrypted', async () => {
    const smtp = await openServer();
    const settings = { SMTP_URL: smtp.url };
    await send(await openProcess({ settings, works: false }), RESET);
    await clone.stored(`update pgboss.job set data = data - 'sealed' || $1`, [{ props: RESET.props }]);
    await openProcess({ settings });
    await expect.poll(() => smtp.received.map(({ mail }) => mail.text)).toEqual([expect.stringContaining('471193')]);
    await expect.poll(statuses).toEqual([['sent', 1]]);
  });
});

/** Returns every row of every table except the system's, as text. */
async function everyRow(app: TestApp): Promise<string[]> {
  const tables = await app.stored<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const rows = await app.stored<{ row: string }>(
    tables.map(({ name }) => `select '${name} ' || t::text as row from ${name} t`).join(' union all '),
  );
  return rows.map(({ row }) => row);
}

describe('a chosen name or address', () => {
  it.each([
    ['header', 'Dana\r\nBcc: evil@evil.example'],
    ['line', 'Dana\n\nYour account is locked: https://evil.example'],
    ['turn of direction', 'Dana\u202emoc.live'],
  ])('adds no %s to a mail', async (_name, name) => {
    const smtp = await openServer();
    const props = { ...INVITED.props, name, company: name, invitedBy: name };
    await send(await openProcess({ settings: { SMTP_URL: smtp.url } }), { ...INVITED, props });
    await expect.poll(() => smtp.received).toHaveLength(1);
    const [{ to, raw, mail } = { to: [], raw: '', mail: undefined }] = smtp.received;
    expect(to).toEqual([DANA]);
    expect(mail?.bcc ?? []).toEqual([]);
    expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toContain('evil');
    expect(mail?.text).toContain(`For: ${name.replace(/[\r\n\u202e]+/g, ' ')}`);
  });

  it('adds no second recipient to a mail', async () => {
    const smtp = await openServer();
    const process = await openProcess({ settings: { SMTP_URL: smtp.url } });
    for (const email of [`${DANA}, evil@evil.example`, `${DANA}\r\nBcc: evil@evil.example`, `"x" <evil@evil.example>`]) {
      await send(process, reset(email));
    }
    await expect.poll(() => statuses()).toEqual([1, 2, 3].map(() => ['failed', 1]));
    expect(smtp.tries).toBe(0);
  });
});

describe('deliveries', () => {
  it('are visible to the account’s admins only', async () => {
    const app = await openTestApp({ settings: { ROLES: 'web' } });
    ends.push(() => app.stop());
    const { platform } = app.app;
    const people = await app.stored<{ id: string; account_id: string; level: string }>('select id, account_id, level from "user"');
    const admin = people.find(({ level }) => level === 'admin');
    const member = people.find(({ level }) => level === 'user');
    if (!admin || !member) throw new Error('The sample business has no such people');
    const { send: sendIn } = openMails(platform);
    await inAccount(platform, { accountId: admin.account_id, actor: admin.id }, (scope) => sendIn(scope, INVITED));
    await platform.database.transaction({}, (db) => sendIn({ db }, RESET));

    const seenBy = (settings: Parameters<Database['transaction']>[0]): Promise<string[]> =>
      platform.database.transaction(settings, async (db) => {
        const { rows } = await db.$client.query<{ reason: string }>('select reason from delivery');
        return rows.map(({ reason }) => reason);
      });
    const account = { 'app.account_id': admin.account_id };
    expect(await seenBy({ ...account, 'app.user_id': member.id })).toEqual([]);
    expect(await seenBy({ 'app.account_id': 'ACCOUNT_other', 'app.user_id': admin.id })).toEqual([]);
    expect(await seenBy(account)).toEqual([]);
    expect(await seenBy({})).toEqual([]);
    expect(await seenBy({ ...account, 'app.user_id': admin.id })).toEqual(['user.invited']);
  });

  it('can’t be added to another account, and their recipients can’t be changed', async () => {
    const process = await openProcess({ works: false });
    const ofOtherAccount = process.database.transaction({}, (db) => process.mails.send({ db, accountId: 'ACCOUNT_other' }, INVITED));
    await expect(ofOtherAccount).rejects.toMatchObject({ cause: { code: '42501' } });
    await send(process, RESET);
    const changed = process.database.transaction({}, (db) => db.$client.query(`update delivery set "to" = 'evil@evil.example'`));
    await expect(changed).rejects.toMatchObject({ code: '42501' });
    await expect(process.database.intake({ text: 'select * from delivery' })).rejects.toMatchObject({ code: '42501' });
  });

  it('fail when their job is lost, and are deleted after 90 days', async () => {
    let ahead = 0;
    const process = await openProcess({ works: false, now: () => Date.now() + ahead });
    await send(process, RESET);
    const upkeep = () => maintainDeliveries({ database: process.database, now: () => Date.now() + ahead });
    await upkeep();
    expect(await statuses()).toEqual([['queued', 0]]);
    ahead = 4 * 86_400_000;
    await upkeep();
    expect(await statuses()).toEqual([['failed', 0]]);
    ahead = 91 * 86_400_000;
    await upkeep();
    expect(await deliveries()).toEqual([]);
  });

  it('fail and lose their content in batches of 5,000', async () => {
    let ahead = 0;
    const process = await openProcess({ works: false, now: () => Date.now() + ahead });
    await clone.stored(`insert into delivery (id, channel, "to", subject, reason, status, created, mail, sealed)
      select 'DELIVERY_' || n, 'email', 'dana@example.com', 'Hello', 'test', 'queued', now(), 'reset', 'sealed' from generate_series(1, 12000) n`);
    const upkeep = () => maintainDeliveries({ database: process.database, now: () => Date.now() + ahead });
    const batchSizes = await recordBatchSizes(clone.stored, 'delivery', 'update');
    ahead = 4 * 86_400_000;
    await upkeep();
    expect(await batchSizes()).toEqual([5_000, 5_000, 2_000]);
    ahead = 31 * 86_400_000;
    await upkeep();
    expect((await batchSizes()).slice(3)).toEqual([5_000, 5_000, 2_000]);
    expect(await clone.stored('select 1 from delivery where sealed is not null')).toEqual([]);
    ahead = 91 * 86_400_000;
    // A failure of one kind doesn't delay others.
    await clone.stored(`create function stays() returns trigger language plpgsql as $$ begin raise 'it stays'; end $$;
      create trigger stays before update on delivery for each row execute function stays();
      insert into delivery (id, channel, "to", subject, reason, status, created) values ('DELIVERY_0', 'email', 'dana@example.com', 'Hello', 'test', 'queued', now())`);
    await expect(upkeep()).rejects.toThrow();
    expect(await deliveries()).toEqual([]);
  });

  it('have unique ids', () => {
    const ids = Array.from({ length: 1_000 }, () => deliveryId((size) => randomBytes(size)));
    expect(new Set(ids).size).toBe(1_000);
  });
});

describe('the whole product', () => {
  it('writes a mail to the outbox within seconds, and lists it', async () => {
    const app = await openTestApp();
    ends.push(() => app.stop());
    const { platform, http } = app.app;
    await platform.database.transaction({}, (db) => openMails(platform).send({ db }, RESET));
    const outbox = path.join(platform.config.dataDir, 'outbox');
    await expect.poll(() => readdir(outbox).catch(() => [])).toHaveLength(1);
    // A mail is listed once it is whole; until then its file has another name.
    await expect.poll(async () => (await http.inject('/outbox')).body).toMatch(/\d{6} resets your Afterword password/);
    const page = await http.inject('/outbox');
    const [, href = ''] = /href="(\/outbox\/[^"]+)"/.exec(page.body) ?? [];
    expect((await http.inject(href)).body).toContain('471193');
    expect(app.log.join('')).toContain('no SMTP_URL is set');
    expect(app.log.join('')).not.toMatch(/471193|dana@harbor/);
  });
});
