import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Delivery, FAILURE_WINDOW, RESEND_WINDOW } from '#contract/notification/delivery.ts';
import { ACCOUNT_ID, dana, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { signInAsOperator } from '../../../test/support/operator.ts';
import { openTestSmtp, type TestSmtp } from '../../../test/support/smtp.ts';

/** The mail server's response to each recipient. */
let refusal: { readonly code: number; readonly text: string } | undefined;
let smtp: TestSmtp;
let app: TestApp;
let admin: string;

beforeAll(async () => {
  smtp = await openTestSmtp({ refuse: () => refusal });
  app = await openTestApp({
    settings: { SMTP_URL: smtp.url, MAIL_FROM: 'afterword@feedback.example', OPERATOR_EMAILS: sam.data.emailAddress },
  });
  admin = await app.signIn();
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});

const list = async (query: object = {}): Promise<Delivery[]> =>
  (await app.call('delivery', 'list', { accountId: ACCOUNT_ID, ...query }, admin)).body.deliveries;
const byId = async (id: string): Promise<Delivery | undefined> => (await list({ limit: 100 })).find((each) => each.id === id);
const test = async (): Promise<string> => (await app.call('delivery', 'test', {}, admin)).body.delivery.id;
const ends = (id: string, status: string) => expect.poll(async () => (await byId(id))?.data.status).toBe(status);
const upkeep = async (): Promise<void> => {
  const { database, jobs } = app.app.platform;
  await database.transaction({}, (db) => jobs.queue(db, 'notification.upkeep', {}));
};
const failures = async (): Promise<number> => (await app.call('delivery', 'health', { accountId: ACCOUNT_ID }, admin)).body.failed;

describe('the list of deliveries', () => {
  it('shows each attempt, and no content', async () => {
    refusal = undefined;
    const id = await test();
    await ends(id, 'sent');
    const sent = await byId(id);
    expect(sent?.data).toMatchObject({ to: dana.data.emailAddress, subject: 'Test email from Afterword', attempts: 1, mayRetry: false });
    expect(sent?.data.latest).toEqual([{ at: sent?.data.sentAt }]);
    expect(smtp.received.at(-1)?.mail.messageId).toContain(id);
    expect(await app.stored('select 1 from delivery where id = $1 and sealed is not null', [id])).toEqual([]);
  });

  it('filters by address, subject and status, page by page', async () => {
    refusal = undefined;
    const ids = [await test(), await test()];
    for (const id of ids) await ends(id, 'sent');
    const all = (await list({ limit: 100 })).map(({ id }) => id);
    const first = (await app.call('delivery', 'list', { accountId: ACCOUNT_ID, limit: 1 }, admin)).body;
    const second = (await app.call('delivery', 'list', { accountId: ACCOUNT_ID, limit: 1, cursor: first.cursor }, admin)).body;
    expect([first.deliveries[0].id, second.deliveries[0].id]).toEqual(all.slice(0, 2));
    expect(await list({ search: 'TEST email from', limit: 100 })).toHaveLength(all.length);
    expect(await list({ search: '%' })).toEqual([]);
    expect(await list({ status: 'failed' })).toEqual([]);
    expect(await list({ cursor: 'nonsense' })).toEqual([]);
  });

  it('refuses members', async () => {
    const member = await app.signIn(sam.data.emailAddress);
    for (const action of ['list', 'invitations'])
      expect((await app.call('delivery', action, { accountId: ACCOUNT_ID }, member)).status).toBe(403);
  });
});

describe('a failed delivery', () => {
  it('is counted, and a retry sends the same message', async () => {
    refusal = { code: 550, text: '5.1.1 No such mailbox' };
    const id = await test();
    await ends(id, 'failed');
    const failed = await byId(id);
    expect(failed?.data).toMatchObject({ mayRetry: true, lastError: 'The mail server refused the mail (550 5.1.1)' });
    expect(await failures()).toBe(1);

    refusal = undefined;
    const { body } = await app.call('delivery', 'retry', { deliveryId: id }, admin);
    expect(body.delivery.data.status).toBe('queued');
    // Repeating it changes nothing.
    await app.call('delivery', 'retry', { deliveryId: id }, admin);
    await ends(id, 'sent');
    const sent = await byId(id);
    expect(sent?.data.latest.map(({ error }) => error)).toEqual(['The mail server refused the mail (550 5.1.1)', undefined]);
    expect(smtp.received.filter(({ mail }) => mail.messageId?.includes(id))).toHaveLength(1);
    expect(await failures()).toBe(0);
    expect((await app.call('delivery', 'retry', { deliveryId: id }, admin)).body.delivery.data.status).toBe('sent');
  });

  it('is shown to operators by mail domain, with the server’s reply', async () => {
    refusal = undefined;
    const operator = await signInAsOperator(app, sam.data.emailAddress);
    await expect.poll(() => app.stored(`select 1 from delivery where status = 'queued'`)).toEqual([]);
    refusal = { code: 550, text: '5.1.1 No such mailbox' };
    await ends(await test(), 'failed');
    const { body } = await app.call('delivery', 'queue', {}, operator);
    expect(body).toMatchObject({ waiting: 0, failed: 1 });
    expect(body.hosts).toEqual([
      { host: 'harborcoffee.test', waiting: 0, failed: 1, lastError: 'The mail server refused the mail (550 5.1.1)' },
    ]);
    const metrics = (await app.app.http.inject('/metrics')).body;
    expect(metrics).toContain('afterword_mails_failed 1');
    expect(metrics).toContain('afterword_mails_waiting 0');
  });

  it('can be retried for a week, and counts for a day', async () => {
    refusal = { code: 550, text: '5.1.1 No such mailbox' };
    const before = await failures();
    const id = await test();
    await ends(id, 'failed');
    expect(await failures()).toBe(before + 1);
    app.advance(FAILURE_WINDOW + 1);
    admin = await app.signIn();
    expect(await failures()).toBe(0);
    await upkeep();
    await expect.poll(() => app.stored(`select 1 from pgboss.job where name = 'notification.upkeep' and state <> 'completed'`)).toEqual([]);
    expect((await byId(id))?.data.mayRetry).toBe(true);
    app.advance(RESEND_WINDOW);
    admin = await app.signIn();
    await upkeep();
    await expect.poll(async () => (await byId(id))?.data.mayRetry).toBe(false);
    expect((await app.call('delivery', 'retry', { deliveryId: id }, admin)).body.delivery.data.status).toBe('failed');
  });
});

describe('a refusal by the mail server', () => {
  const bounces = (id: string) =>
    app.stored(`select name, actor, account_id, data from event where subject = $1 and name like '%bounced'`, [id]);

  it.each(['5.7.1 Blocked by policy', 'Blocked'])('records no bounce because of %s', async (text) => {
    refusal = { code: 550, text };
    const id = await test();
    await ends(id, 'failed');
    expect(await bounces(id)).toEqual([]);
  });

  it.each(['5.1.1 No such mailbox', '5.2.1 Mailbox disabled'])('records a bounce because of %s', async (text) => {
    refusal = { code: 550, text };
    const id = await test();
    await ends(id, 'failed');
    expect(await bounces(id)).toEqual([{ name: 'delivery.bounced', actor: 'afterword', account_id: ACCOUNT_ID, data: {} }]);
  });
});

describe('the deliveries of invitations', () => {
  it('list the newest mail to each person who has not joined', async () => {
    const invite = async (name: string): Promise<string> => {
      const data = { displayName: name, emailAddress: `${name}@delivery.test`, level: 'user' };
      return (await app.call('user', 'generate', { payload: { data } }, admin)).body.data.user.id;
    };
    const statuses = async () => {
      const { deliveries }: { deliveries: Delivery[] } = (await app.call('delivery', 'invitations', { accountId: ACCOUNT_ID }, admin)).body;
      return deliveries.map(({ data: { to, status } }) => ({ to, status }));
    };
    refusal = { code: 550, text: '5.1.1 unknown' };
    const [first] = [await invite('first'), await invite('second')];
    const [failed, sent] = [{ status: 'failed' }, { status: 'sent' }];
    const [toFirst, toSecond] = [{ to: 'first@delivery.test' }, { to: 'second@delivery.test' }];
    await expect.poll(statuses).toEqual([
      { ...toFirst, ...failed },
      { ...toSecond, ...failed },
    ]);
    refusal = undefined;
    await app.call('user', 'resend', { userId: first }, admin);
    await expect.poll(statuses).toEqual([
      { ...toFirst, ...sent },
      { ...toSecond, ...failed },
    ]);
    await app.call('user', 'delete', { userId: first }, admin);
    expect(await statuses()).toEqual([{ ...toSecond, ...failed }]);
  });
});
