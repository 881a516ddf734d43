import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '#contract/core/time.ts';
import { type Delivery, URGENCY } from '#contract/notification/delivery.ts';
import { MOST_DEVICES, PUSH_TTL } from '#contract/notification/device.ts';
import { ACCOUNT_ID, dana, formOf, noor, pier, sam, till } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../../test/support/other-account.ts';
import { openPushService, type ReceivedPush, type SubscribedBrowser, type TestPushService } from '../../../test/support/push-service.ts';
import { newKey, submission } from '../../../test/support/submission.ts';
import { openWorker } from '../../../test/support/worker.ts';
import type { App } from '../../app.ts';
import { readConfig } from '../../platform/config/config.ts';
import { openOutbound } from '../../platform/outbound/outbound.ts';

const SECRET = 'x'.repeat(32);

let app: TestApp;
let service: TestPushService;
let tokens: Record<'dana' | 'sam' | 'rosa', string>;
beforeAll(async () => {
  service = await openPushService();
  app = await openTestApp({
    settings: { OUTBOUND_ALLOW_PRIVATE: 'true', IDENTITY_SECRET: SECRET, LEGAL_EMAIL: 'help@afterword.example' },
    also: addOtherAccount,
  });
  await signInAll();
});
afterAll(async () => {
  await app.stop();
  await service.stop();
});
beforeEach(async () => {
  await app.stored(`update pgboss.job set state = 'cancelled' where name = 'push.send' and state < 'active'`);
  await app.stored(
    'delete from push_device; delete from delivery; delete from notification; delete from alert; delete from alert_recipient',
  );
  await app.stored('delete from rate_limit');
  await app.stored('update property set complaints = $1, alerts = null where id = $2', [[dana.id], pier.id]);
});

async function signInAll(): Promise<void> {
  tokens = { dana: await app.signIn(), sam: await app.signIn(sam.data.emailAddress), rosa: await app.signIn(otherAccount.email) };
}

type SignedInPerson = keyof typeof tokens;
const ask = (person: SignedInPerson, operation: string, sent: object = {}, token = tokens[person]) => {
  const [service = '', action = ''] = operation.split('.');
  return app.call(service, action, sent, token);
};

interface SubscribedPhone extends SubscribedBrowser {
  readonly deviceId: string;
}

async function subscribe(person: SignedInPerson, { showsWords = false, token = tokens[person] } = {}): Promise<SubscribedPhone> {
  const browser = service.browser();
  const data = { ...browser.subscription, label: `Phone of ${person}`, showsWords };
  const { body, status } = await ask(person, 'device.save', { payload: { data } }, token);
  expect(status).toBe(200);
  return { ...browser, deviceId: body.device.id };
}

/** Submits feedback at the till. */
async function submit(answers: Parameters<typeof submission>[0], key = newKey()): Promise<string> {
  const sent = submission(answers, { key, form: formOf(pier) });
  const { body } = await app.call('feedback', 'save', { ...sent, payload: { data: { ...sent.payload.data, at: till.id.slice(5) } } });
  return body.feedback.id;
}

const NO_PUSH: Pick<ReceivedPush, 'headers' | 'sender' | 'senderKey'> = { headers: {}, sender: undefined, senderKey: '' };
const shownOn = ({ received }: SubscribedBrowser) => received.map(({ shown }) => shown);
const sent = async (): Promise<Delivery[]> =>
  ((await ask('dana', 'delivery.list', { accountId: ACCOUNT_ID, limit: 100 })).body.deliveries as Delivery[]).filter(
    ({ data }) => data.channel === 'push',
  );
const markRead = (feedbackId: string) => ask('sam', 'feedback.modify', { changes: [{ feedbackId, unread: false }] });
const waitingJobs = () => app.stored(`select 1 from pgboss.job where name = 'push.send' and state in ('created', 'retry', 'active')`);
/** Pushes with one recorded attempt and a time for the next. */
const postponed = () => app.stored(`select 1 from pgboss.job where name = 'push.send' and state = 'created' and start_after > now()`);
/** Ends the wait before the next attempt. */
const endWaits = () => app.stored(`update pgboss.job set start_after = now() where name = 'push.send' and state in ('created', 'retry')`);

describe('a push', () => {
  it('shows what happened and where, encrypted and signed, with the visitor’s words only if the person chose that', async () => {
    const [discreet, open] = [await subscribe('dana'), await subscribe('dana', { showsWords: true })];
    const contact = { answer: 'Yes', name: 'Ann', phone: '+351 21 555' } as const;
    const id = await submit({ rating: 1, text: 'Cold\nsoup', contact });
    await expect.poll(() => [...shownOn(discreet), ...shownOn(open)]).toHaveLength(2);
    const [notification] = (await ask('dana', 'notification.list')).body.notifications;
    const plain = {
      title: 'A visitor wants to be contacted',
      body: 'Pier 4, Till',
      link: `/?id=${id}`,
      tag: `contact ${id}`,
      id: notification.id,
    };
    expect(shownOn(discreet)).toEqual([plain]);
    expect(shownOn(open)).toEqual([{ ...plain, body: 'Pier 4, Till\n“Cold soup”' }]);
    const [{ headers, sender, senderKey } = NO_PUSH] = discreet.received;
    expect(sender).toMatchObject({ aud: new URL(discreet.subscription.endpoint).origin, sub: 'mailto:help@afterword.example' });
    expect(senderKey).toBe((await ask('dana', 'device.list')).body.publicKey);
    expect(headers).toMatchObject({ urgency: 'high', 'content-encoding': 'aes128gcm', 'content-type': 'application/octet-stream' });
    expect(Number(headers['ttl'])).toBeGreaterThan((PUSH_TTL - HOUR / 60) / 1000);
    expect(headers['topic']).toMatch(/^[\w-]{32}$/);
    expect(JSON.stringify(headers)).not.toContain(id);
    await expect.poll(async () => (await sent()).map(({ data }) => data.status)).toEqual(['sent', 'sent']);
    const [delivery] = await sent();
    expect(delivery?.data).toMatchObject({
      channel: 'push',
      to: 'Dana Moss, Phone of dana',
      subject: 'A visitor wants to be contacted',
      reason: 'feedback.urgent',
      attempts: 1,
    });
    const stored =
      JSON.stringify(await app.stored('select * from delivery')) + JSON.stringify(await app.stored('select * from push_device'));
    for (const secret of ['soup', 'Ann', '21 555', '/send/']) expect(stored).not.toContain(secret);
  });

  it('is sent for a mention and an assignment with a link, and not for what was read or handled', async () => {
    const phone = await subscribe('sam', { showsWords: true });
    const id = await submit({ rating: 5, text: 'Call me', contact: { answer: 'Yes', phone: '+351 21 555' } });
    await ask('dana', 'comment.save', { idempotencyKey: newKey(), payload: { data: { feedbackId: id, text: `@${sam.id} look` } } });
    await expect.poll(() => shownOn(phone)).toHaveLength(1);
    await ask('dana', 'feedback.modify', { changes: [{ feedbackId: id, assignee: sam.id }] });
    await expect.poll(() => shownOn(phone)).toHaveLength(2);
    expect(shownOn(phone).map(({ title, body, link }) => [title, body, link])).toEqual([
      ['Dana Moss mentioned you', 'Pier 4, Till · Wants to be contacted\n“@Sam Lee look”', `/?id=${id}`],
      ['Dana Moss assigned feedback to you', 'Pier 4, Till · Wants to be contacted\n“Call me”', `/?id=${id}`],
    ]);
    const danaDevice = await subscribe('dana');
    danaDevice.answer(503);
    const urgent = await submit({ rating: 1 });
    const herDelivery = async () => (await sent()).find(({ data }) => data.to === 'Dana Moss, Phone of dana')?.data;
    await expect.poll(async () => (await herDelivery())?.attempts).toBe(1);
    await markRead(urgent);
    danaDevice.answer(201);
    await endWaits();
    await expect.poll(waitingJobs).toEqual([]);
    expect(shownOn(danaDevice)).toHaveLength(1);
    expect(await herDelivery()).toMatchObject({ status: 'failed', lastError: expect.stringContaining('It was handled') });
  });

  it('isn’t sent beyond the hourly limit, and one follows for the whole digest', async () => {
    const phone = await subscribe('dana');
    const ids: string[] = [];
    for (let visitor = 1; visitor <= 14; visitor += 1) ids.push(await submit({ rating: 1 }));
    await expect.poll(() => shownOn(phone)).toHaveLength(12);
    await expect.poll(() => app.stored('select 1 from event where not relayed')).toEqual([]);
    await expect.poll(waitingJobs).toEqual([]);
    expect(new Set(phone.received.map(({ headers }) => headers['topic'])).size).toBe(12);
    for (const id of ids.slice(0, 12)) await markRead(id);
    app.advance(HOUR + 60_000);
    await expect.poll(() => shownOn(phone)).toHaveLength(13);
    expect(shownOn(phone).at(-1)).toEqual({
      title: '2 visitors are waiting',
      body: 'Urgent feedback that no one has opened',
      link: '/urgent',
      tag: 'digest',
    });
    await signInAll();
  });
});

describe('a push service that', () => {
  it.each([404, 410])('answers %d makes the push fail and deletes the device', async (status) => {
    const phone = await subscribe('dana');
    phone.answer(status);
    await submit({ rating: 1 });
    await expect
      .poll(async () => (await sent())[0]?.data)
      .toMatchObject({
        status: 'failed',
        attempts: 1,
        lastError: `The push service answered ${status}`,
      });
    expect((await ask('dana', 'device.list')).body.devices).toEqual([]);
    expect(await waitingJobs()).toEqual([]);
  });

  it.each([
    ['asks for patience', 429, { 'retry-after': '600' }, 590],
    ['is broken', 500, {}, 5],
  ])('%s gets another attempt later, and each is recorded', async (_name, status, headers, least) => {
    const phone = await subscribe('dana');
    phone.answer(status, headers);
    await submit({ rating: 1 });
    await expect.poll(async () => (await sent())[0]?.data.latest.length).toBe(1);
    const [job] = await app.stored<{ wait: number; priority: number }>(
      `select extract(epoch from start_after - now())::float8 as wait, priority from pgboss.job where name = 'push.send' and state = 'created'`,
    );
    expect(job?.wait).toBeGreaterThan(least);
    expect(job?.priority).toBe(URGENCY.alert);
    expect((await ask('dana', 'device.list')).body.devices[0].data.failingSince).toBeTypeOf('number');
    phone.answer(201);
    await endWaits();
    await expect.poll(async () => (await sent())[0]?.data).toMatchObject({ status: 'sent', attempts: 2 });
    expect((await sent())[0]?.data.latest.map(({ error }) => error)).toEqual([`The push service answered ${status}`, undefined]);
    expect(phone.received[0]?.headers['topic']).toBe(phone.received[1]?.headers['topic']);
    expect((await ask('dana', 'device.list')).body.devices[0].data.failingSince).toBeUndefined();
  });

  it('never answers times out', async () => {
    const phone = await subscribe('dana');
    phone.answer('never');
    await submit({ rating: 1 });
    await expect.poll(async () => (await sent())[0]?.data.latest).toMatchObject([{ error: 'The server took too long' }]);
    phone.release();
  });

  it('hangs uses only its account’s share of connections', async () => {
    const hanging: SubscribedPhone[] = [];
    for (let device = 0; device < MOST_DEVICES; device += 1) hanging.push(await subscribe('dana'));
    for (const phone of hanging) phone.answer('never');
    const rosaPhone = await subscribe('rosa');
    await submit({ rating: 1 });
    await submit({ rating: 1 });
    // More than most kinds of jobs run at once.
    await expect.poll(() => service.mostConcurrent()).toBeGreaterThan(5);
    await ask('rosa', 'device.test', { deviceId: rosaPhone.deviceId });
    await expect.poll(() => shownOn(rosaPhone)).toHaveLength(1);
    // Two for each of ten devices, of which ten may be under way, and one for the other account.
    expect(service.mostConcurrent()).toBeLessThanOrEqual(11);
    for (const phone of hanging) {
      phone.answer(201);
      phone.release();
    }
    // Waiting pushes aren't sent, and results of running ones are stored.
    await app.stored(`update pgboss.job set state = 'cancelled' where name = 'push.send' and state < 'active'`);
    await expect.poll(() => app.stored(`select 1 from pgboss.job where name = 'push.send' and state = 'active'`)).toEqual([]);
  });

  it('keeps failing gets no attempt after an hour, and an admin may retry', async () => {
    const phone = await subscribe('dana');
    phone.answer(503);
    await submit({ rating: 1 });
    await expect.poll(async () => (await sent())[0]?.data.attempts).toBe(1);
    app.advance(PUSH_TTL);
    await signInAll();
    await endWaits();
    await expect
      .poll(async () => (await sent())[0]?.data)
      .toMatchObject({ status: 'failed', lastError: 'It expired before it could be shown' });
    expect(phone.received).toHaveLength(1);
    phone.answer(201);
    const [{ id, data } = { id: '', data: undefined }] = await sent();
    expect(data?.mayRetry).toBe(true);
    await ask('dana', 'delivery.retry', { deliveryId: id });
    await expect.poll(async () => (await sent())[0]?.data.status).toBe('sent');
  });
});

describe('a device', () => {
  it('can be listed, tested and deleted by its person only', async () => {
    const phone = await subscribe('dana');
    for (const person of ['sam', 'rosa'] as const) {
      expect((await ask(person, 'device.list')).body.devices.map(({ id }: { id: string }) => id)).not.toContain(phone.deviceId);
      expect((await ask(person, 'device.test', { deviceId: phone.deviceId })).status).toBe(404);
      expect((await ask(person, 'device.delete', { deviceId: phone.deviceId })).status).toBe(404);
    }
    const { endpoint } = phone.subscription;
    const [device] = (await ask('dana', 'device.list', { endpoint })).body.devices;
    expect(device).toMatchObject({ id: phone.deviceId, sk: 'DEVICE', gs1sk: dana.id, data: { label: 'Phone of dana', isThis: true } });
    expect(JSON.stringify(device)).not.toContain('/send/');
    await ask('dana', 'device.test', { deviceId: phone.deviceId });
    await expect.poll(() => shownOn(phone)).toMatchObject([{ title: 'Test notification from Afterword', link: '/profile' }]);
    await ask('dana', 'device.delete', { deviceId: phone.deviceId });
    await submit({ rating: 1 });
    await expect.poll(() => app.stored('select 1 from event where not relayed')).toEqual([]);
    await expect.poll(waitingJobs).toEqual([]);
    expect(phone.received).toHaveLength(1);
  });

  it('shows pushes in the language of its person', async () => {
    const phone = await subscribe('sam');
    await app.stored(`update "user" set language = 'de' where id = $1`, [sam.id]);
    await ask('sam', 'device.test', { deviceId: phone.deviceId });
    await expect
      .poll(() => shownOn(phone))
      .toMatchObject([{ title: 'Test-Benachrichtigung von Afterword', body: 'Dieses Gerät zeigt Ihre Benachrichtigungen.' }]);
    expect((await sent())[0]?.data.subject).toBe('Test notification from Afterword');
    await app.stored('update "user" set language = null where id = $1', [sam.id]);
  });

  it('moves to the person who signs in on it last', async () => {
    const phone = await subscribe('rosa');
    const data = { ...phone.subscription, label: 'The same phone', showsWords: true };
    const { body } = await ask('dana', 'device.save', { payload: { data } });
    expect((await ask('rosa', 'device.list')).body.devices.map(({ id }: { id: string }) => id)).not.toContain(phone.deviceId);
    const secondAnswer = await ask('dana', 'device.save', { payload: { data: { ...data, showsWords: false } } });
    expect(secondAnswer.body.device).toMatchObject({ id: body.device.id, data: { showsWords: false } });
  });

  it('is refused beyond ten, and with an address that may not be called', async () => {
    for (let device = 1; device <= MOST_DEVICES; device += 1) await subscribe('dana');
    const { subscription } = service.browser();
    const save = (change: object) => ask('dana', 'device.save', { payload: { data: { ...subscription, label: 'One more', ...change } } });
    expect((await save({})).status).toBe(409);
    await app.stored('delete from push_device');
    expect((await save({ endpoint: 'ftp://127.0.0.1/x' })).body.errors[0].path).toBe('payload.data.endpoint');
    expect((await save({ keys: { p256dh: 'short', auth: subscription.keys.auth } })).status).toBe(400);
    // Without the setting that lets tests reach this machine.
    const strict = openOutbound({ config: readConfig({}).outbound });
    for (const url of ['https://127.0.0.1/send', 'http://push.example.com/send', 'https://metadata.internal/'])
      expect(strict.problemWith(url)).toBeDefined();
  });

  it('gets no push after its sign-in ends, its person leaves or the account is deleted', async () => {
    const token = await app.signIn(sam.data.emailAddress);
    const phone = await subscribe('sam', { token });
    const danaPhone = await subscribe('dana');
    await app.stored('update property set complaints = $1 where id = $2', [[dana.id, sam.id], pier.id]);
    await app.pool('GlobalSignOut', { AccessToken: token });
    await submit({ rating: 1 });
    await expect.poll(() => shownOn(danaPhone)).toHaveLength(1);
    await expect.poll(waitingJobs).toEqual([]);
    expect(phone.received).toEqual([]);
    expect(await app.stored('select 1 from push_device where user_id = $1', [sam.id])).toEqual([]);
    const guest = await subscribe('dana');
    guest.answer(503);
    await submit({ rating: 1 });
    await expect.poll(postponed).toHaveLength(1);
    await app.stored('update account set deleted = now() where id = $1', [ACCOUNT_ID]);
    guest.answer(201);
    await endWaits();
    await expect.poll(waitingJobs).toEqual([]);
    expect(guest.received).toHaveLength(1);
    await app.stored('update account set deleted = null where id = $1', [ACCOUNT_ID]);
    const noorPhone = await subscribe('dana', { token: await app.signIn(noor.data.emailAddress) });
    await ask('dana', 'user.delete', { userId: noor.id });
    expect(await app.stored('select 1 from push_device where id = $1', [noorPhone.deviceId])).toEqual([]);
    await signInAll();
  });
});

describe('the keys at push services', () => {
  it('are one encrypted pair for all processes', async () => {
    await app.stored('delete from push_key');
    const keys = await Promise.all([1, 2, 3, 4].map(async () => (await ask('dana', 'device.list')).body.publicKey));
    expect(new Set(keys).size).toBe(1);
    const rows = await app.stored<{ public_key: string; sealed: Buffer }>('select public_key, sealed from push_key');
    expect(rows.map((row) => row.public_key)).toEqual([keys[0]]);
    expect(rows[0]?.sealed.length).toBeGreaterThan(43);
  });
});

describe('a worker that is killed', () => {
  it('loses no push, and no device shows one twice', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'afterword-push-'));
    const settings = { OUTBOUND_ALLOW_PRIVATE: 'true' };
    const web = await openTestApp({ settings: { ...settings, IDENTITY_SECRET: SECRET, ROLES: 'web' } });
    const script = path.resolve(import.meta.dirname, '../../../test/support/worker.ts');
    const first = spawn(process.execPath, [script, JSON.stringify(web.connection), folder, JSON.stringify(settings)], { stdio: 'ignore' });
    const others: App[] = [];
    try {
      const token = await web.signIn();
      const phone = service.browser();
      await web.call('device', 'save', { payload: { data: { ...phone.subscription, label: 'Phone' } } }, token);
      phone.answer('never');
      await web.call('feedback', 'save', submission({ rating: 1 }));
      await expect.poll(() => phone.received.length).toBe(1);
      first.kill('SIGKILL');
      await once(first, 'exit');
      // The service accepted it, but the process died before recording it. The job has timed out.
      phone.answer(201);
      await web.stored(`update pgboss.job set state = 'retry', start_after = now() where name = 'push.send' and state = 'active'`);
      await web.call('feedback', 'save', submission({ rating: 2 }));
      // Not as processes, which start slowly on a busy machine, and then time out while they send.
      const worker = { connection: web.connection, dataDir: folder, settings };
      others.push(...(await Promise.all([openWorker(worker), openWorker(worker)])));
      const unsent = `select 1 from delivery where channel = 'push' and status <> 'sent'`;
      await expect.poll(() => phone.received.length).toBe(3);
      await expect.poll(() => web.stored(unsent)).toEqual([]);
      const tags = shownOn(phone).map(({ tag }) => tag);
      expect(tags.filter((tag) => tag === tags[0])).toHaveLength(2);
      expect(new Set(tags).size).toBe(2);
      expect(await web.stored(`select attempts from delivery where channel = 'push'`)).toEqual([{ attempts: 1 }, { attempts: 1 }]);
    } finally {
      first.kill('SIGKILL');
      await Promise.all(others.map((other) => other.stop()));
      await web.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
