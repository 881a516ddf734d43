import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook as Judge } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MOST_WEBHOOKS, WEBHOOK_RETRY_DELAYS, type Webhook, type WebhookDelivery } from '#contract/webhook/webhook.ts';
import { ACCOUNT_ID, airport, dana, formOf, noor, pier, sam } from '#fixtures/business.ts';
import { type Answered, openTestApp, type TestApp } from '../../test/support/app.ts';
import { atOnce, duringTransaction } from '../../test/support/at-once.ts';
import { signInAsOperator } from '../../test/support/operator.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { recordBatchSizes } from '../../test/support/postgres/batch-sizes.ts';
import { newKey, responsesTo } from '../../test/support/submission.ts';
import { openEventFeed } from '../event/feed.ts';
import { openRelay } from '../event/relay.ts';
import { openNotify } from '../notification/inbox/inbox.ts';
import { webhookFailingMail } from '../notification/subscribers.ts';
import { CrashError } from '../platform/jobs/crashes.ts';
import { openOutbound } from '../platform/outbound/outbound.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';
import { type Courier, openCourier } from './courier.ts';
import { webhookWork } from './delivery-operations.ts';
import { health } from './health-store.ts';
import { webhookDeliveriesOf } from './subscribers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SOON = { ...PATIENT, interval: 10 };

/** A request to a receiver. */
interface ReceivedWebhook {
  readonly path: string;
  readonly body: string;
  readonly headers: Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
}

/** A receiver that behaves as its path says, and stores its requests. */
async function openReceiver() {
  const received: ReceivedWebhook[] = [];
  const answers = new Map<string, (answer: ServerResponse) => unknown>();
  const server = http.createServer((request, answer) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, body, headers: request.headers as unknown as ReceivedWebhook['headers'] });
      (answers.get(path) ?? ok)(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    answer: (path: string, how: (answer: ServerResponse) => unknown) => void answers.set(path, how),
    at: (path: string) => received.filter((each) => each.path === path),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
const ok = (answer: ServerResponse): void => void answer.writeHead(200).end('thanks');
const status =
  (code: number, headers = {}) =>
  (answer: ServerResponse): void =>
    void answer.writeHead(code, headers).end();

let app: TestApp;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let tokens: Record<'dana' | 'sam' | 'rosa', string>;
/** Couriers as in worker processes, but polling often. */
const workers: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  receiver = await openReceiver();
  app = await openTestApp({
    settings: { OUTBOUND_ALLOW_PRIVATE: 'true', ROLES: 'web', OPERATOR_EMAILS: sam.data.emailAddress },
    also: addOtherAccount,
  });
  await signInAll();
});
async function signInAll(): Promise<void> {
  tokens = { dana: await app.signIn(), sam: await app.signIn(sam.data.emailAddress), rosa: await app.signIn(otherAccount.email) };
}
beforeEach(async () => {
  receiver.received.length = 0;
  await app.stored('delete from webhook');
  await app.stored('delete from rate_limit');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});
afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

/** The number of finished transactions of the couriers. */
let courierTransactions = 0;

/** Waits until a courier has read due deliveries after this call and had time to reserve them. */
async function pollOfCourier(): Promise<void> {
  const before = courierTransactions;
  // Two may have begun before. The next one reads, and one of the two after it reserves what was due.
  await vi.waitFor(() => expect(courierTransactions).toBeGreaterThanOrEqual(before + 5), SOON);
}

function openWorker({ timeout = 15_000, ...limits }: { timeout?: number } & Parameters<typeof openCourier>[2] = {}): Courier {
  const { platform } = app.app;
  const relay = openRelay({
    platform,
    feed: openEventFeed(platform.pubsub as never),
    subscribers: [
      webhookDeliveriesOf(platform),
      webhookFailingMail({
        send: sendMail,
        notify: openNotify(platform),
        push: async () => undefined,
        site: 'https://feedback.example.com',
      }),
    ],
  });
  const outbound = openOutbound({ config: platform.config.outbound, limits: { total: timeout } });
  const { database } = platform;
  const transaction: typeof database.transaction = (settings, work) =>
    database.transaction(settings, work).finally(() => {
      courierTransactions += 1;
    });
  const watched = { ...platform, database: { ...database, transaction } };
  const courier = openCourier(watched, outbound, { poll: 10, busy: 10, stop: 50, ...limits });
  relay.start();
  courier.start();
  workers.push({ stop: async () => void (await Promise.all([relay.stop(), courier.stop()])) });
  return courier;
}

const relayed = (): Promise<void> =>
  vi.waitFor(async () => expect(await app.stored('select 1 from event where not relayed')).toEqual([]), SOON);

let mailed: { to: string; mail: string; props: object }[] = [];
const sendMail = async (_scope: object, mail: { to: string; mail: string; props: object }) => {
  mailed.push(mail);
  return { id: 'DELIVERY_a1B2c3D4e5', subject: mail.mail };
};

const ask = (action: string, sent: object, person: keyof typeof tokens = 'dana'): Promise<Answered> =>
  app.call('webhook', action, sent, tokens[person]);
const askAsRosa = (action: string, sent: object): Promise<Answered> => ask(action, sent, 'rosa');
const ALL = ['feedback.created', 'feedback.amended', 'feedback.urgent', 'comment.created'];

async function add(path: string, data: object = {}): Promise<{ webhook: Webhook; secret: string }> {
  const { status: code, body } = await ask('save', { payload: { data: { url: receiver.url(path), events: ALL, ...data } } });
  expect([code, body.errors, body.detail]).toEqual([200, undefined, undefined]);
  return body;
}
const change = (id: string, data: object): Promise<Answered> => ask('save', { payload: { id, data } });
const deliveriesOf = async ({ id }: Webhook, query = {}): Promise<WebhookDelivery[]> =>
  (await ask('deliveries', { webhookId: id, ...query })).body.deliveries;

const errorsOf = async (webhook: Webhook) =>
  (await deliveriesOf(webhook)).flatMap(({ data: { attempts } }) => attempts.flatMap(({ error }) => error ?? []));

type ReceiverAnswers = Parameters<typeof responsesTo>[1];
async function submit(
  answers: ReceiverAnswers = { rating: 4 },
  { key = newKey(), place = pier, ...more } = {},
): Promise<{ id: string; key: string }> {
  const data = { formId: formOf(place).id, responses: responsesTo(formOf(place), answers), ...more };
  const { body } = await app.call('feedback', 'save', { idempotencyKey: key, payload: { data } });
  return { id: body.feedback.id, key };
}
const comment = async (feedbackId: string, text: string): Promise<string> =>
  (await app.call('comment', 'save', { idempotencyKey: newKey(), payload: { data: { feedbackId, text } } }, tokens.sam)).body.comment.id;

describe('a webhook', () => {
  it('is visible to and changed by admins only', async () => {
    const { webhook } = await add('/a');
    for (const [action, sent] of [
      ['list', { accountId: ACCOUNT_ID }],
      ['save', { payload: { id: webhook.id, data: { isOn: false } } }],
      ['reveal', { webhookId: webhook.id }],
      ['test', { webhookId: webhook.id }],
      ['deliveries', { webhookId: webhook.id }],
    ] as const)
      expect((await ask(action, sent, 'sam')).body.code).toBe('not-allowed');
    for (const action of ['delete', 'restore', 'reveal', 'rotate', 'test', 'deliveries'])
      expect((await ask(action, { webhookId: webhook.id }, 'rosa')).body).toEqual({ status: 'not found' });
  });

  it('has a valid address, events and properties of the account', async () => {
    const saveWith = (data: object): Promise<Answered> =>
      ask('save', { payload: { data: { url: receiver.url('/'), events: ALL, ...data } } });
    for (const url of ['', 'x', 'ftp://a.example', 'https://a@b.example', 'https://a:b@c.example', 'https://', 'https://a b.example'])
      expect((await saveWith({ url })).body.errors[0].path, url).toBe('payload.data.url');
    for (const data of [{ events: [] }, { events: ['feedback.deleted'] }, { events: ['feedback.created', 'feedback.created'] }])
      expect((await saveWith(data)).body.code).toBe('bad-input');
    for (const propertyIds of [['PROPERTY_NobodyHere'], [otherAccount.propertyId]])
      expect((await saveWith({ propertyIds })).body).toEqual({ status: 'not found' });
    expect((await saveWith({ propertyIds: [] })).body.code).toBe('bad-input');
  });

  it('is one of at most ten, and is restored within a day by the person who deleted it', async () => {
    const { webhook } = await add('/0');
    for (let index = 1; index < MOST_WEBHOOKS; index += 1) await add(`/${index}`);
    const more = { payload: { data: { url: receiver.url('/more'), events: ALL } } };
    expect((await ask('save', more)).body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('10 webhooks') });
    await ask('delete', { webhookId: webhook.id });
    expect((await ask('save', more)).status).toBe(200);
    expect((await ask('restore', { webhookId: webhook.id })).body.code).toBe('conflict');
    await app.stored(`delete from webhook where url like '%more'`);
    const both = await atOnce(app, 'webhook', [() => ask('restore', { webhookId: webhook.id }), () => ask('save', more)]);
    expect(both.map(({ status: code }) => code).sort()).toEqual([200, 409]);
    await app.stored(`delete from webhook where url like '%more'`);
    expect((await ask('restore', { webhookId: webhook.id })).body.webhook).toEqual(webhook);
    await ask('delete', { webhookId: webhook.id });
    await app.stored(`update webhook set deleted = deleted - interval '25 hours' where id = $1`, [webhook.id]);
    expect((await ask('restore', { webhookId: webhook.id })).status).toBe(404);
    await app.stored(`update webhook set deleted = deleted - interval '25 hours' where id = $1`, [webhook.id]);
    await webhookWork(app.app.platform)['webhook.upkeep']?.({} as never);
    expect(await app.stored('select 1 from webhook where id = $1', [webhook.id])).toEqual([]);
  });

  it('encrypts its secret, reveals it to admins and records who asked', async () => {
    const { webhook, secret } = await add('/a');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const rows = JSON.stringify(await app.stored('select * from webhook'));
    const hex = Buffer.from(secret).toString('hex');
    expect(rows).not.toContain(secret);
    expect(JSON.stringify(await app.stored(`select encode(secret, 'hex') as secret from webhook`))).not.toContain(hex);
    expect((await ask('reveal', { webhookId: webhook.id })).body.secret).toBe(secret);
    const rotated = (await ask('rotate', { webhookId: webhook.id })).body;
    expect(rotated.secret).not.toBe(secret);
    expect((await ask('reveal', { webhookId: webhook.id })).body.secret).toBe(rotated.secret);
    const sent = await app.stored<{ name: string; actor: string }>('select name, actor from event where subject = $1 order by id', [
      webhook.id,
    ]);
    expect(sent.map(({ name }) => name)).toEqual(['webhook.created', 'webhook.revealed', 'webhook.rotated', 'webhook.revealed']);
    expect(sent.every(({ actor }) => actor === dana.id)).toBe(true);
    expect(JSON.stringify(await app.stored('select data from event where subject = $1', [webhook.id]))).not.toMatch(/127\.0\.0\.1|whsec/);
  });
});

describe('an event', () => {
  it('is sent once to the webhooks subscribed to it, signed and without text', async () => {
    const allHook = await add('/all');
    await add('/urgent', { events: ['feedback.urgent'] });
    await add('/airport', { propertyIds: [airport.id] });
    const offHook = await add('/off');
    await change(offHook.webhook.id, { isOn: false });
    openWorker();
    openWorker();
    const begun = Date.now();
    const { id, key } = await submit({ rating: 4, text: 'CANARY words' });
    await submit({ rating: 4, text: 'More CANARY words' }, { key });
    const savedComment = await comment(id, 'CANARY comment');
    const badFeedback = await submit({ rating: 1 }, { place: airport });
    await vi.waitFor(() => expect(receiver.at('/all')).toHaveLength(5), SOON);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(8), SOON);
    const messages = receiver.at('/all').map(({ body, headers }) => {
      const payload = new Judge(allHook.secret).verify(body, headers) as { type: string; timestamp: string; data: Record<string, string> };
      expect(Date.parse(payload.timestamp)).toBeGreaterThanOrEqual(begun);
      return `${payload.type} ${Object.entries(payload.data)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')}`;
    });
    const ids = (feedbackId: string, propertyId: string) => `accountId=${ACCOUNT_ID} feedbackId=${feedbackId} propertyId=${propertyId}`;
    const link = (feedbackId: string) => `link=${app.app.platform.config.publicUrl}/?id=${feedbackId}`;
    expect(messages.sort()).toEqual(
      [
        `feedback.created ${ids(id, pier.id)} ${link(id)}`,
        `feedback.amended ${ids(id, pier.id)} ${link(id)}`,
        `comment.created ${ids(id, pier.id)} commentId=${savedComment} ${link(id)}`,
        `feedback.created ${ids(badFeedback.id, airport.id)} ${link(badFeedback.id)}`,
        `feedback.urgent ${ids(badFeedback.id, airport.id)} ${link(badFeedback.id)}`,
      ].sort(),
    );
    expect(receiver.at('/airport')).toHaveLength(2);
    expect(receiver.at('/urgent')).toHaveLength(1);
    expect(JSON.stringify(receiver.received)).not.toContain('CANARY');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(8);
    expect(() => new Judge(offHook.secret).verify(receiver.at('/all')[0]?.body ?? '', receiver.at('/all')[0]?.headers ?? {})).toThrow();
  });

  it('is sent with text only if an admin chose that', async () => {
    const { secret } = await add('/full', { isFull: true, events: ['feedback.created', 'comment.created'] });
    openWorker();
    const { id } = await submit({ rating: 2, text: 'Cold soup', contact: { answer: 'Yes', name: 'Ann', email: 'ann@visitor.example' } });
    await comment(id, `@${noor.id} please call`);
    await vi.waitFor(() => expect(receiver.at('/full')).toHaveLength(2), SOON);
    const sent = receiver.at('/full').map(({ body, headers }) => new Judge(secret).verify(body, headers) as { type: string; data: object });
    // Both are sent concurrently, so either may arrive first.
    const [commented, created] = sent.sort((a, b) => (a.type < b.type ? -1 : 1));
    expect(created?.data).toMatchObject({
      ...{ property: pier.data.displayName, rating: 2, ratingWord: 'Bad', isUrgent: true, text: 'Cold soup' },
      contact: { name: 'Ann', email: 'ann@visitor.example' },
    });
    const author = sam.data.displayName;
    expect(commented?.data).toMatchObject({ comment: { author, text: `@${noor.data.displayName} please call` } });
  });

  it('isn’t sent for tests, or for suspected answers until someone counts them, and then once', async () => {
    await add('/a', { events: ['feedback.created', 'feedback.amended'] });
    openWorker();
    const test = await submit({ rating: 1 }, { test: true } as object);
    const { id } = await submit({ rating: 3 });
    await vi.waitFor(() => expect(receiver.at('/a')).toHaveLength(1), SOON);
    await app.stored('update feedback set suspected = true where id = $1', [id]);
    await app.stored(`delete from webhook_delivery`);
    for (const counts of [true, false, true]) await app.call('feedback', 'trust', { feedbackIds: [id], counts }, tokens.dana);
    await vi.waitFor(() => expect(receiver.at('/a')).toHaveLength(2), SOON);
    const relayed = () => vi.waitFor(async () => expect(await app.stored('select 1 from event where not relayed')).toEqual([]), SOON);
    await relayed();
    for (const counts of [false, true]) {
      await app.call('feedback', 'trust', { feedbackIds: [id], counts }, tokens.dana);
      await relayed();
    }
    expect(await app.stored('select 1 from webhook_delivery')).toHaveLength(1);
    expect(JSON.stringify(receiver.received)).not.toContain(test.id);
  });

  it('is skipped for accounts without a webhook', async () => {
    openWorker();
    await submit({ rating: 1 });
    await vi.waitFor(async () => expect(await app.stored('select 1 from event where not relayed')).toEqual([]), SOON);
    expect(await app.stored('select 1 from webhook_delivery')).toEqual([]);
  });

  it('isn’t sent if its feedback was deleted', async () => {
    const { webhook } = await add('/a', { events: ['comment.created'] });
    receiver.answer('/a', status(500));
    openWorker();
    const { id } = await submit();
    const commentId = await comment(id, 'Never mind');
    await vi.waitFor(() => expect(receiver.at('/a')).toHaveLength(1), SOON);
    await app.call('comment', 'delete', { commentId }, tokens.sam);
    app.advance(10_000);
    await vi.waitFor(async () => expect(await deliveriesOf(webhook)).toEqual([]), SOON);
    expect(receiver.at('/a')).toHaveLength(1);
    receiver.answer('/a', ok);
  });

  it('is sent in a chat’s format, and so is a test', async () => {
    const { webhook } = await add('/slack', { format: 'slack', events: ['feedback.urgent'] });
    await add('/teams', { format: 'teams', language: 'de', events: ['feedback.urgent'] });
    openWorker();
    await submit({ rating: 1, text: 'CANARY' });
    await ask('test', { webhookId: webhook.id });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(3), SOON);
    const bodies = receiver.at('/slack').map(({ body }) => JSON.parse(body).text);
    expect(bodies.sort()).toEqual(['This is a test from Afterword.', `Urgent feedback · ${pier.data.displayName} · Awful (1 of 5)`].sort());
    const { type, body, actions } = JSON.parse(receiver.at('/teams')[0]?.body ?? '').attachments[0].content;
    const lines = body.map(({ inlines }: { inlines: { text: string }[] }) => inlines[0]?.text);
    expect([type, ...lines]).toEqual(['AdaptiveCard', 'Dringendes Feedback', pier.data.displayName, 'Schlimm (1 von 5)']);
    expect(actions[0].title).toBe('In Afterword öffnen');
    expect(JSON.stringify(receiver.received)).not.toContain('CANARY');
  });
});

it('the guide’s receiver accepts our messages once, and no others', async () => {
  const guide = await readFile(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8');
  const [, program = ''] = /```ts\n([\s\S]+?)```/.exec(guide) ?? [];
  const folder = await mkdtemp(path.join(tmpdir(), 'afterword-receiver-'));
  await writeFile(path.join(folder, 'receiver.ts'), program);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { webhook, secret } = (await ask('save', { payload: { data: { url, events: ALL } } })).body;
  const running = spawn(process.execPath, ['receiver.ts'], { cwd: folder, env: { WEBHOOK_SECRET: secret, PORT: String(port) } });
  const printed: string[] = [];
  running.stdout.on('data', (chunk) => printed.push(...String(chunk).trim().split('\n')));
  try {
    await vi.waitFor(() => expect(printed).toEqual(['listening']), SOON);
    openWorker();
    const { delivery } = (await ask('test', { webhookId: webhook.id })).body;
    const arrived = async (tries: number): Promise<void> =>
      void (await vi.waitFor(async () => {
        const [{ data } = { data: undefined }] = await deliveriesOf(webhook);
        expect(data).toMatchObject({ status: 'delivered', attempts: Array(tries).fill({ status: 204 }) });
      }, SOON));
    await arrived(1);
    await ask('replay', { webhookId: webhook.id, deliveryId: delivery.id });
    await arrived(2);
    expect(printed).toEqual(['listening', `webhook.test ${delivery.id}`]);
    const body = '{"type":"webhook.test"}';
    const at = new Date();
    const signature = new Judge(`whsec_${Buffer.alloc(32).toString('base64')}`).sign('x', at, body);
    const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': signature };
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(401);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
  } finally {
    running.kill();
    await rm(folder, { recursive: true });
  }
});

describe('a receiver', () => {
  it('that is unreachable gets ten attempts in three days, with one id; then admins get one email', async () => {
    mailed = [];
    const { webhook, secret } = await add('/away', { events: ['feedback.created'] });
    receiver.answer('/away', status(500));
    openWorker();
    await submit();
    const waits: number[] = [];
    for (let tries = 1; tries <= WEBHOOK_RETRY_DELAYS.length; tries += 1) {
      await vi.waitFor(() => expect(receiver.at('/away')).toHaveLength(tries), SOON);
      const { next, attempts } = await vi.waitFor(async () => {
        const [{ tries: noted, due, attempts: all } = { tries: 0, due: new Date(), attempts: [] }] = await app.stored<{
          tries: number;
          due: Date;
          attempts: { at: number; status: number; duration: number }[];
        }>('select tries, due, attempts from webhook_delivery');
        expect(noted).toBe(tries);
        return { next: due.getTime(), attempts: all };
      }, SOON);
      expect(attempts.at(-1)).toEqual({ at: expect.any(Number), status: 500, duration: expect.any(Number) });
      if (tries < WEBHOOK_RETRY_DELAYS.length) {
        const wait = next - (attempts.at(-1)?.at ?? 0);
        waits.push(wait);
        // Nothing is sent a minute early.
        const rest = Math.min(next - app.app.platform.now(), 60_000);
        app.advance(next - app.app.platform.now() - rest);
        if (wait > 2 * 60_000) {
          await pollOfCourier();
          expect(await app.stored('select due from webhook_delivery')).toEqual([{ due: new Date(next) }]);
          expect(receiver.at('/away')).toHaveLength(tries);
        }
        app.advance(rest + 100);
      }
    }
    for (const [index, wait] of waits.entries()) {
      const planned = WEBHOOK_RETRY_DELAYS[index + 1] ?? 0;
      expect(wait).toBeGreaterThanOrEqual(planned * 0.8);
      // Counted from the attempt’s start.
      expect(wait).toBeLessThanOrEqual(planned * 1.2 + 30_000);
    }
    expect(WEBHOOK_RETRY_DELAYS.reduce((sum, wait) => sum + wait, 0)).toBe(75 * HOUR + 35 * 60_000 + 5_000);
    const requests = receiver.at('/away');
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const { body, headers } of requests) {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      expect(headers['webhook-signature']).toBe(new Judge(secret).sign(headers['webhook-id'], at, body));
    }
    await signInAll();
    expect((await deliveriesOf(webhook))[0]?.data).toMatchObject({ status: 'failed', attempts: Array(10).fill({ status: 500 }) });
    const host = new URL(receiver.url('/')).host;
    expect(await inEveryAccount(app.app.platform, health)).toEqual({
      ...{ waiting: 0, oldest: undefined, failed: 1, failing: 1, gone: 0 },
      hosts: [{ host, webhooks: 1, since: expect.any(Date) }],
    });
    // Another one is given up as well, without a second email.
    await submit();
    await vi.waitFor(() => expect(receiver.at('/away')).toHaveLength(11), SOON);
    await vi.waitFor(
      async () => expect(await app.stored(`update webhook_delivery set tries = 9 where tries = 1 returning 1`)).toHaveLength(1),
      SOON,
    );
    app.advance(7_000);
    await vi.waitFor(async () => expect(await app.stored(`select 1 from webhook_delivery where status = 'failed'`)).toHaveLength(2), SOON);
    await vi.waitFor(async () => expect(await app.stored('select 1 from event where not relayed')).toEqual([]), SOON);
    expect(mailed).toEqual([
      expect.objectContaining({ to: dana.data.emailAddress, mail: 'webhook-failing', props: expect.objectContaining({ isGone: false }) }),
    ]);
    expect(JSON.stringify(mailed)).not.toContain('/away');
    await signInAll();
    expect((await ask('list', { accountId: ACCOUNT_ID })).body.webhooks[0].data.failingSince).toEqual(expect.any(Number));
    // Both are sent again, with their ids.
    receiver.answer('/away', ok);
    const ids = new Set(receiver.at('/away').map(({ headers }) => headers['webhook-id']));
    receiver.received.length = 0;
    expect((await ask('replay', { webhookId: webhook.id, since: 0 })).body).toEqual({ status: 'ok', count: 2 });
    await vi.waitFor(() => expect(receiver.at('/away')).toHaveLength(2), SOON);
    expect(new Set(receiver.at('/away').map(({ headers }) => headers['webhook-id']))).toEqual(ids);
    await vi.waitFor(
      async () => expect((await ask('list', { accountId: ACCOUNT_ID })).body.webhooks[0].data.failingSince).toBeUndefined(),
      SOON,
    );
    const delivery = (await deliveriesOf(webhook))[0];
    expect((await ask('replay', { webhookId: webhook.id, deliveryId: delivery?.id })).body.count).toBe(1);
    await vi.waitFor(() => expect(receiver.at('/away')).toHaveLength(3), SOON);
  });

  it('that sends Retry-After gets the next attempt after that time', async () => {
    await add('/busy', { events: ['feedback.created'] });
    receiver.answer('/busy', status(429, { 'retry-after': '3600' }));
    openWorker();
    await submit();
    const due = await vi.waitFor(async () => {
      const [row] = await app.stored<{ tries: number; due: Date }>('select tries, due from webhook_delivery');
      expect(row?.tries).toBe(1);
      return row?.due.getTime() ?? 0;
    }, SOON);
    expect(due - app.app.platform.now()).toBeGreaterThan(HOUR - 10_000);
  });

  it('whose account is deleted gets its messages once that is restored', async () => {
    const { webhook } = await add('/later', { events: ['feedback.created'] });
    receiver.answer('/later', status(500));
    openWorker();
    await submit();
    await vi.waitFor(() => expect(receiver.at('/later')).toHaveLength(1), SOON);
    receiver.answer('/later', ok);
    await app.stored('update account set deleted = now() where id = $1', [ACCOUNT_ID]);
    app.advance(HOUR);
    await pollOfCourier();
    await app.stored('update account set deleted = null where id = $1', [ACCOUNT_ID]);
    await signInAll();
    await vi.waitFor(async () => expect(await deliveriesOf(webhook)).toMatchObject([{ data: { status: 'delivered' } }]), SOON);
    expect(receiver.at('/later')).toHaveLength(2);
  });

  it('that redirects isn’t followed, and one that breaks off or hangs is retried', async () => {
    receiver.answer('/moved', status(301, { location: receiver.url('/trap') }));
    receiver.answer('/reset', (answer) => void answer.socket?.destroy());
    receiver.answer('/hangs', () => undefined);
    const hooks = [await add('/moved'), await add('/reset'), await add('/hangs')];
    openWorker({ timeout: 200 });
    for (const { webhook } of hooks) await ask('test', { webhookId: webhook.id });
    const outcomes = await vi.waitFor(async () => {
      const deliveries = await Promise.all(hooks.map(async ({ webhook }) => (await deliveriesOf(webhook))[0]?.data));
      expect(deliveries.map((data) => data?.status)).toEqual(['failed', 'failed', 'failed']);
      return deliveries.map((data) => data?.attempts[0]);
    }, SOON);
    expect(outcomes).toMatchObject([{ status: 301 }, { error: 'broken-off' }, { error: 'timeout' }]);
    expect(receiver.at('/trap')).toEqual([]);
  });

  it('that is gone turns its webhook off, and admins get an email', async () => {
    mailed = [];
    const { webhook } = await add('/gone', { events: ['feedback.created'] });
    receiver.answer('/gone', status(410));
    openWorker();
    await submit();
    await vi.waitFor(() => expect(mailed).toHaveLength(1), SOON);
    expect(mailed[0]?.props).toMatchObject({ isGone: true });
    const [listed] = (await ask('list', { accountId: ACCOUNT_ID })).body.webhooks;
    expect(listed.data).toMatchObject({ isOn: false, isGone: true });
    expect((await ask('test', { webhookId: webhook.id })).body.code).toBe('conflict');
    await submit();
    // Events while it is off are relayed before it is on again.
    await relayed();
    receiver.answer('/gone', ok);
    const reenabled = (await change(webhook.id, { isOn: true })).body.webhook.data;
    expect([reenabled.isOn, reenabled.isGone, reenabled.failingSince]).toEqual([true, undefined, undefined]);
    await submit();
    await vi.waitFor(() => expect(receiver.at('/gone')).toHaveLength(2), SOON);
  });

  it('that is gone keeps its webhook off while someone changes that', async () => {
    const { webhook } = await add('/off');
    const turnOff = `update webhook set is_on = false, is_gone = true where id = '${webhook.id}'`;
    const { body } = await duringTransaction(app, turnOff, 1, () => change(webhook.id, { description: 'Till' }));
    expect(body.webhook.data).toMatchObject({ description: 'Till', isOn: false, isGone: true });
  });

  it('has no next attempt while one is running', async () => {
    const answers: ServerResponse[] = [];
    receiver.answer('/slow', (answer) => answers.push(answer));
    const { webhook } = await add('/slow');
    const sent = async () => (await deliveriesOf(webhook)).map(({ data: { status, next } }) => [status, next]);
    await ask('test', { webhookId: webhook.id });
    expect(await sent()).toEqual([['waiting', expect.any(Number)]]);
    openWorker();
    await vi.waitFor(() => expect(answers).toHaveLength(1), SOON);
    expect(await sent()).toEqual([['waiting', undefined]]);
    answers[0]?.writeHead(200).end();
    await vi.waitFor(async () => expect(await sent()).toEqual([['delivered', undefined]]), SOON);
    await submit();
    await vi.waitFor(() => expect(answers).toHaveLength(2), SOON);
    answers[1]?.writeHead(500).end();
    await vi.waitFor(async () => expect((await sent())[0]).toEqual(['waiting', expect.any(Number)]), SOON);
  });

  it('that hangs doesn’t delay others', async () => {
    receiver.answer('/hangs', () => undefined);
    await add('/hangs', { events: ['feedback.created'] });
    openWorker();
    for (let sent = 0; sent < 12; sent += 1) await submit();
    await vi.waitFor(() => expect(receiver.at('/hangs')).toHaveLength(10), SOON);
    await relayed();
    const { webhook } = await add('/well', { events: ['feedback.created'] });
    for (let sent = 0; sent < 20; sent += 1) await submit();
    await vi.waitFor(() => expect(receiver.at('/well')).toHaveLength(20), SOON);
    expect(receiver.at('/hangs')).toHaveLength(10);
    await vi.waitFor(async () => expect(await deliveriesOf(webhook, { status: 'waiting' })).toEqual([]), SOON);
    expect(await inEveryAccount(app.app.platform, health)).toMatchObject({ waiting: 32, oldest: expect.any(Date), failed: 0, failing: 0 });
  });

  it('that hangs doesn’t delay another account, however many there are and on any host', async () => {
    const paths = Array.from({ length: MOST_WEBHOOKS }, (_, index) => `/hangs-${index}`);
    for (const path of paths) {
      receiver.answer(path, () => undefined);
      await add(path, { events: ['feedback.created'] });
    }
    for (let sent = 0; sent < 20; sent += 1) await submit();
    await askAsRosa('save', { payload: { data: { url: receiver.url('/other'), events: ALL } } });
    openWorker({ total: 22 });
    // Twenty go to one host while the rest are postponed repeatedly; all were due before the other account's.
    const hanging = () => receiver.received.filter(({ path }) => paths.includes(path)).length;
    await vi.waitFor(() => expect(hanging()).toBe(20), SOON);
    expect(await app.stored('select 1 from webhook_delivery')).toHaveLength(200);
    for (let sent = 1; sent <= 3; sent += 1) {
      await askAsRosa('test', { webhookId: (await askAsRosa('list', { accountId: otherAccount.accountId })).body.webhooks[0].id });
      await vi.waitFor(() => expect(receiver.at('/other')).toHaveLength(sent), SOON);
    }
    // None of them has finished.
    expect(hanging()).toBe(20);
    expect(await app.stored(`select 1 from webhook_delivery where attempts <> '[]' and type <> 'webhook.test'`)).toEqual([]);
  });

  it('that hangs counts toward the limits of its account and of failing webhooks', async () => {
    const hooks: Webhook[] = [];
    for (let index = 0; index < MOST_WEBHOOKS; index += 1) {
      receiver.answer(`/own-${index}`, () => undefined);
      // These look like different hosts.
      const url = receiver.url(`/own-${index}`).replace('127.0.0.1', `127.0.0.${index + 2}`);
      hooks.push((await add('', { url })).webhook);
    }
    const { webhook } = (await askAsRosa('save', { payload: { data: { url: receiver.url('/other'), events: ALL } } })).body;
    for (const { id } of hooks) await ask('test', { webhookId: id });
    await askAsRosa('test', { webhookId: webhook.id });
    // One round is enough: deliveries behind those without room are found in it.
    const once = { poll: 60_000, total: 4 };
    const worker = openWorker({ ...once, perAccount: 3 });
    await vi.waitFor(() => expect([receiver.at('/other').length, receiver.received.length]).toEqual([1, 4]), SOON);
    await worker.stop();
    app.advance(61_000);
    receiver.received.length = 0;
    const last = hooks.at(-1) as Webhook;
    await app.stored('update webhook set failing_since = now() where account_id = $1 and id <> $2', [ACCOUNT_ID, last.id]);
    receiver.answer('/own-9', ok);
    const later = openWorker({ ...once, failingTotal: 2 });
    await vi.waitFor(() => expect([receiver.at('/own-9').length, receiver.received.length]).toEqual([1, 3]), SOON);
    await later.stop();
    expect(receiver.received).toHaveLength(3);
  });

  it('gets everything once after its process or ours died', async () => {
    receiver.answer('/dies', () => undefined);
    const { webhook } = await add('/dies', { events: ['feedback.created'] });
    openWorker();
    const { id } = await submit();
    await vi.waitFor(() => expect(receiver.at('/dies')).toHaveLength(1), SOON);
    // Ended during the call: no result is stored.
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    expect((await deliveriesOf(webhook))[0]?.data).toMatchObject({ status: 'waiting', attempts: [] });
    // Committed while no worker runs.
    const otherIds = [await submit(), await submit(), await submit()].map((sent) => sent.id);
    receiver.answer('/dies', ok);
    openWorker();
    openWorker();
    await vi.waitFor(() => expect(receiver.at('/dies')).toHaveLength(4), SOON);
    // Results are stored, or these would be sent again along with the first.
    const isNoted = async () => (await deliveriesOf(webhook)).filter(({ data }) => data.status === 'delivered').length === otherIds.length;
    await vi.waitFor(async () => expect(await isNoted()).toBe(true), SOON);
    app.advance(61_000);
    // The interrupted attempt counts.
    await vi.waitFor(async () => expect(await errorsOf(webhook)).toEqual(['cut-off']), SOON);
    app.advance(10_000);
    await vi.waitFor(() => expect(receiver.at('/dies')).toHaveLength(5), SOON);
    const sent = receiver.at('/dies').map(({ body }) => JSON.parse(body).data.feedbackId);
    expect(sent.sort()).toEqual([id, id, ...otherIds].sort());
    expect(new Set(receiver.at('/dies').map(({ headers }) => headers['webhook-id'])).size).toBe(4);
  });

  it('gets no retry if the call crashed the process', async () => {
    const { webhook } = await add('/crashes', { events: ['feedback.created'] });
    openWorker();
    await submit();
    await relayed();
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await app.stored(
      `update webhook_delivery set status = 'waiting', is_under_way = false, due = now() - interval '1 hour', attempts = '[]'`,
    );
    let tries = 0;
    const post = async () => {
      tries += 1;
      throw new CrashError('The process ended here');
    };
    const courier = openCourier(app.app.platform, { problemWith: () => undefined, post }, { poll: 10, stop: 50 });
    courier.start();
    await vi.waitFor(async () => expect((await deliveriesOf(webhook))[0]?.data.status).toBe('failed'), SOON);
    await courier.stop();
    expect([tries, await errorsOf(webhook)]).toEqual([1, ['cut-off']]);
  });

  it('verifies with both secrets for a day after a rotation, and then only with the new one', async () => {
    const { webhook, secret: before } = await add('/rotates');
    const { secret: after } = (await ask('rotate', { webhookId: webhook.id })).body;
    openWorker();
    const sendTest = async (): Promise<ReceivedWebhook | undefined> => {
      receiver.received.length = 0;
      await ask('test', { webhookId: webhook.id });
      await vi.waitFor(() => expect(receiver.received).toHaveLength(1), SOON);
      return receiver.received[0];
    };
    const isSignedWith = (secret: string, { body, headers }: ReceivedWebhook): boolean => {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      return headers['webhook-signature'].split(' ').includes(new Judge(secret).sign(headers['webhook-id'], at, body));
    };
    const soon = (await sendTest()) as ReceivedWebhook;
    expect([isSignedWith(before, soon), isSignedWith(after, soon)]).toEqual([true, true]);
    app.advance(DAY + 1_000);
    await signInAll();
    const late = (await sendTest()) as ReceivedWebhook;
    expect([isSignedWith(before, late), isSignedWith(after, late)]).toEqual([false, true]);
  });

  it('with an unreadable secret is reported as failing and doesn’t delay others', async () => {
    const { webhook } = await add('/lost', { events: ['feedback.created'] });
    await app.stored(`update webhook set secret = sha256('of another installation')`);
    await submit();
    await submit();
    openWorker({ total: 2 });
    await relayed();
    const { webhook: well } = await add('/well');
    await ask('test', { webhookId: well.id });
    await vi.waitFor(() => expect(receiver.at('/well')).toHaveLength(1), SOON);
    const waiting = () =>
      app.stored<{ due: Date; attempts: { at: number }[] }>(
        `select due, attempts from webhook_delivery where webhook_id = $1 and status = 'waiting' and not is_under_way`,
        [webhook.id],
      );
    const triedRows = await vi.waitFor(async () => {
      const rows = await waiting();
      expect(rows.map(({ attempts }) => attempts[0])).toEqual(Array(2).fill({ at: expect.any(Number), error: 'lost-secret', duration: 0 }));
      return rows;
    }, SOON);
    for (const { due, attempts } of triedRows) expect(due.getTime() - (attempts.at(-1)?.at ?? 0)).toBeGreaterThanOrEqual(4_000);
    expect((await ask('list', { accountId: ACCOUNT_ID })).body.webhooks[0].data.failingSince).toEqual(expect.any(Number));
    await ask('rotate', { webhookId: webhook.id });
    await vi.waitFor(async () => {
      const latest = Math.max(...(await waiting()).map(({ due }) => due.getTime()));
      app.advance(Math.max(0, latest - app.app.platform.now()));
      expect(new Set(receiver.at('/lost').map(({ headers }) => headers['webhook-id'])).size).toBe(2);
    }, SOON);
    // The previous one, which also signs for a day, is unreadable as well.
    for (const { headers } of receiver.at('/lost')) expect(headers['webhook-signature'].split(' ')).toHaveLength(1);
  });
});

async function freePort(): Promise<number> {
  const server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

it('lists deliveries page by page, and deletes them after thirty days', async () => {
  const { webhook } = await add('/a');
  const sent: string[] = [];
  for (let index = 0; index < 5; index += 1) sent.unshift((await ask('test', { webhookId: webhook.id })).body.delivery.id);
  const first = (await ask('deliveries', { webhookId: webhook.id, limit: 3 })).body;
  const second = (await ask('deliveries', { webhookId: webhook.id, limit: 3, cursor: first.cursor })).body;
  const listedIds = [...first.deliveries, ...second.deliveries].map(({ id }) => id);
  expect([listedIds.length, new Set(listedIds), second.cursor]).toEqual([5, new Set(sent), null]);
  app.advance(30 * DAY + 1_000);
  await webhookWork(app.app.platform)['webhook.upkeep']?.({} as never);
  expect(await app.stored('select 1 from webhook_delivery')).toEqual([]);
});

describe('a large backlog', () => {
  let hook: Webhook;
  beforeEach(async () => {
    await signInAll();
    await app.stored(`delete from pgboss.job where name like 'webhook.%'`);
    hook = (await add('/much')).webhook;
  });
  const addMany = (status: WebhookDelivery['data']['status']) =>
    app.stored(
      `insert into webhook_delivery (account_id, id, webhook_id, cause, type, status, due, created)
       select account_id, 'WEBHOOKDELIVERY_' || lpad(n::text, 22, '0'), id, n, 'feedback.created', $2, $3, $3 from webhook, generate_series(1, 12000) n
         where id = $1`,
      [hook.id, status, new Date(app.app.platform.now())],
    );
  const countOf = async (status: WebhookDelivery['data']['status']): Promise<number> =>
    (await app.stored('select 1 from webhook_delivery where status = $1', [status])).length;
  /** Runs the queued jobs of a kind, which stay queued. */
  const workOn = async (name: 'webhook.replay' | 'webhook.give-up'): Promise<void> => {
    const [job] = await app.stored<{ data: never }>('select data from pgboss.job where name = $1', [name]);
    await webhookWork(app.app.platform)[name]?.({ data: job?.data, isLast: false, signal: AbortSignal.timeout(60_000) } as never);
  };

  it('is replayed in batches, the first immediately, without deliveries that fail later', async () => {
    await addMany('failed');
    const batchSizes = await recordBatchSizes(app.stored, 'webhook_delivery', 'update');
    expect((await ask('replay', { webhookId: hook.id, since: 0 })).body).toEqual({ status: 'ok', count: 12_000 });
    expect([await countOf('waiting'), await batchSizes()]).toEqual([5_000, [5_000]]);
    const attempts = JSON.stringify([{ at: app.app.platform.now() + 1, status: 500, duration: 1 }]);
    await app.stored(
      `update webhook_delivery set status = 'failed', attempts = $1 where id in (select id from webhook_delivery where status = 'waiting' limit 1)`,
      [attempts],
    );
    await change(hook.id, { isOn: false });
    await workOn('webhook.replay');
    expect(await countOf('waiting')).toBe(4_999);
    await change(hook.id, { isOn: true });
    await workOn('webhook.replay');
    expect([await countOf('waiting'), await countOf('failed'), await batchSizes()]).toEqual([11_999, 1, [5_000, 1, 5_000, 2_000]]);
    await app.stored(`delete from pgboss.job where name = 'webhook.replay'`);
    expect((await ask('replay', { webhookId: hook.id, since: 0 })).body.count).toBe(1);
    expect(await app.stored(`select 1 from pgboss.job where name = 'webhook.replay'`)).toEqual([]);
  });

  it('for a receiver that is gone is given up in batches, unless the webhook is on again', async () => {
    await addMany('waiting');
    const batchSizes = await recordBatchSizes(app.stored, 'webhook_delivery', 'update');
    receiver.answer('/much', status(410));
    const courier = openWorker();
    await vi.waitFor(async () => expect((await ask('list', { accountId: ACCOUNT_ID })).body.webhooks[0].data.isGone).toBe(true), SOON);
    await courier.stop();
    await change(hook.id, { isOn: true });
    await workOn('webhook.give-up');
    expect(await countOf('waiting')).toBeGreaterThan(11_900);
    await app.stored('update webhook set is_on = false, is_gone = true');
    await workOn('webhook.give-up');
    expect(await countOf('waiting')).toBe(0);
    expect(Math.max(...(await batchSizes()))).toBe(5_000);
  });

  it('is deleted in batches before its webhook', async () => {
    await addMany('delivered');
    await ask('delete', { webhookId: hook.id });
    const batchSizes = await recordBatchSizes(app.stored, 'webhook_delivery');
    app.advance(3 * DAY);
    await webhookWork(app.app.platform)['webhook.upkeep']?.({} as never);
    expect([await app.stored('select 1 from webhook'), await batchSizes()]).toEqual([[], [5_000, 5_000, 2_000]]);
  });
});

it('shows operators and metrics the health of all accounts’ webhooks, by host only', async () => {
  const metric = async (name: string): Promise<string | undefined> => {
    const { body } = await app.app.http.inject({ url: '/metrics', headers: { host: 'localhost' } });
    return new RegExp(`^afterword_webhooks_${name} (\\S+)$`, 'm').exec(body)?.[1];
  };
  const metrics = async (): Promise<object> => {
    const names = ['waiting', 'failed', 'oldest_seconds', 'failing', 'gone'];
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await metric(name)])));
  };
  expect(await metrics()).toEqual({ waiting: '0', failed: '0', oldest_seconds: '0', failing: '0', gone: '0' });
  const operator = await signInAsOperator(app, sam.data.emailAddress);
  tokens.dana = await app.signIn();
  const sent = async () => (await app.call('webhook', 'health', {}, operator)).body;
  const startedAt = app.app.platform.now();
  receiver.answer('/SECRET-PATH', status(500));
  receiver.answer('/gone', status(410));
  await add('/SECRET-PATH', { events: ['feedback.created'] });
  await add('/SECRET-PATH?again', { events: ['comment.created'] });
  const hook = (await add('/SECRET-PATH', { events: ['feedback.created'] })).webhook;
  openWorker();
  await submit();
  await vi.waitFor(async () => expect((await sent()).failing).toBe(2), SOON);
  // Deliveries to a webhook that is off don’t count as waiting, nor its host as failing.
  await change(hook.id, { isOn: false });
  await add('/gone', { events: ['feedback.created'] });
  await submit();
  await vi.waitFor(async () => expect(await sent()).toMatchObject({ waiting: 2, failed: 1, failing: 1, gone: 1 }), SOON);
  const { host } = new URL(receiver.url('/'));
  const { oldest, hosts, ...rest } = await sent();
  expect(rest).toEqual({ status: 'ok', waiting: 2, failed: 1, failing: 1, gone: 1 });
  expect(hosts).toEqual([{ host, webhooks: 1, since: expect.any(Number) }]);
  expect(oldest).toBeGreaterThanOrEqual(startedAt);
  await vi.waitFor(async () => expect(await metrics()).toMatchObject({ waiting: '2', failed: '1', failing: '1', gone: '1' }), SOON);
  app.advance(60_000);
  await vi.waitFor(async () => expect(Number(await metric('oldest_seconds'))).toBeGreaterThanOrEqual(60), SOON);
  expect(JSON.stringify(await sent())).not.toContain('SECRET');
  const { body: log } = await app.call('account', 'auditLog', {}, operator);
  expect(JSON.stringify(log)).toContain('webhooks.looked-at');
});
