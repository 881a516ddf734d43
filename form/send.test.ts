import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { REFUSALS, type RefusalCode } from '#contract/core/errors.ts';
import { COMMON_REFUSALS } from '#contract/core/operation.ts';
import { feedbackOperations } from '#contract/feedback/feedback.ts';
import { stubBrowser, type TestBrowser, TestStorage } from '../test/support/browser.ts';
import { keep, OUTBOX, USED_MAIL, waiting } from './offline/outbox.ts';
import { createSender, FINAL, type SendOutcome, type SubmissionSender } from './send.ts';

/* Runs against an HTTP server that returns the responses a test sets. */

const KEY = 'k'.repeat(24);
const RENEWED = 'r'.repeat(32);
const draft = (response: unknown) => ({ uuid: 'gauge', block: 'EmojiGauge', response });

type StubAnswer = { readonly status: number; readonly body?: object | string } | 'hang up' | 'no answer';
let answers: StubAnswer[];
let received: { idempotencyKey: string; payload: { data: { responses: object[]; changed: number; diagnostics?: object } } }[];
let server: Server;
let browser: TestBrowser;
let storage: TestStorage;
let settled: SendOutcome[];
let earlier: number;
let renewals: string[][];
let senders: SubmissionSender[];

beforeEach(async () => {
  [answers, received, settled, renewals, senders, storage, earlier] = [[], [], [], [], [], new TestStorage(), 0];
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    received.push(JSON.parse(text));
    const answer = answers.shift() ?? { status: 200, body: { status: 'ok' } };
    if (answer === 'no answer') return;
    if (answer === 'hang up') return void response.destroy();
    const { status, body = {} } = answer;
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = stubBrowser(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  for (const sender of senders) sender.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function open({ device = storage }: { device?: TestStorage | null } = {}): SubmissionSender {
  const diagnostics = { screen: { width: 390, height: 844 } };
  // A sender of an earlier test may finish late.
  const outcomes = settled;
  const sender = createSender({
    formId: 'FORM_Pier04',
    formVersion: 3,
    language: 'en',
    key: KEY,
    diagnostics,
    storage: device ?? undefined,
    makeKey: () => RENEWED,
    onSettled: (outcome) => outcomes.push(outcome),
    onEarlier() {
      earlier += 1;
    },
    onRenewed: (...keys) => renewals.push(keys),
  });
  senders.push(sender);
  return sender;
}

/** Advances the page's clock until a condition holds. */
async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 200 && !condition(); round += 1) {
    await vi.advanceTimersByTimeAsync(500);
    // The network runs in real time.
    await sleep(5);
  }
  expect(condition()).toBe(true);
}
const untilRequests = (times: number) => until(() => received.length === times);

describe('answers that are sent', () => {
  it('include the key, and are removed from the device once accepted', async () => {
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'accepted' });
    expect(received).toEqual([
      {
        service: 'feedback',
        action: 'save',
        idempotencyKey: KEY,
        payload: {
          data: {
            ...{ formId: 'FORM_Pier04', formVersion: 3, language: 'en', responses: [draft(4)] },
            changed: expect.any(Number),
            diagnostics: { screen: { width: 390, height: 844 } },
          },
        },
      },
    ]);
    expect(waiting(storage)).toEqual([]);
    expect(settled).toEqual([{ kind: 'accepted' }]);
  });

  it('are stored on the device before the request', async () => {
    const sending = open().send({ key: KEY }, [draft(4)]);
    expect(waiting(storage)).toMatchObject([{ key: KEY, responses: [draft(4)] }]);
    await sending;
  });

  it('are posted immediately when the page closes, even if an earlier request is running, with the time of their change', async () => {
    const before = Date.now();
    answers = ['no answer'];
    const sender = open();
    void sender.send({ key: KEY }, [draft(4)]);
    await untilRequests(1);
    void sender.send({ key: KEY }, [draft(2)]);
    sender.flush();
    await expect.poll(() => received.map(({ payload }) => payload.data.responses)).toEqual([[draft(4)], [draft(2)]]);
    const [first = 0, second = 0] = received.map(({ payload }) => payload.data.changed);
    expect(first).toBeGreaterThanOrEqual(before - 1_000);
    expect(second).toBeGreaterThan(first);
    expect(second).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it.each([503, 500, 429, 408])('are retried after a %i', async (status) => {
    answers = [{ status }, { status }];
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'away' });
    await untilRequests(3);
    await until(() => settled.length > 0);
    expect(settled).toEqual([{ kind: 'accepted' }]);
    expect(received.map(({ idempotencyKey }) => idempotencyKey)).toEqual([KEY, KEY, KEY]);
  });

  it.each([
    ['a proxy without a route', { status: 404, body: 'default backend - 404' }],
    ['a firewall', { status: 403, body: '<h1>Forbidden</h1>' }],
    ['a proxy that speaks JSON', { status: 404, body: { code: 'NO_ROUTE', status: 404, title: 'Not Found' } }],
    ['a hotel’s network', { status: 200, body: '<h1>Welcome! Accept our terms</h1>' }],
    ['an empty JSON page', { status: 200, body: 'null' }],
  ])('are retried if %s responds in the server’s place', async (_source, answer) => {
    answers = [answer];
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'away' });
    expect(waiting(storage)).toHaveLength(1);
    await untilRequests(2);
    await until(() => settled.length > 0);
    expect([settled, waiting(storage)]).toEqual([[{ kind: 'accepted' }], []]);
  });

  it('are retried when the connection breaks', async () => {
    answers = ['hang up'];
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'kept' });
    await untilRequests(2);
    await until(() => waiting(storage).length === 0);
  });

  it('don’t keep the visitor waiting if the server doesn’t respond', async () => {
    answers = ['no answer'];
    const sending = open().send({ key: KEY }, [draft(4)]);
    await untilRequests(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await sending).toEqual({ kind: 'away' });
    expect(waiting(storage)).toHaveLength(1);
    await untilRequests(2);
    await until(() => settled.length > 0);
  });

  it('are dropped when the server refuses them, with the fields', async () => {
    const errors = [{ path: 'payload.data.responses.0.response', message: 'Choose a face' }];
    answers = [{ status: 400, body: { code: 'bad-input', title: 'Please fix the highlighted input', errors } }];
    const outcome = { kind: 'refused', reason: 'refused', errors, drafts: [draft(9)] };
    expect(await open().send({ key: KEY }, [draft(9)])).toEqual(outcome);
    expect(waiting(storage)).toEqual([]);
    expect(settled).toEqual([outcome]);
  });

  it('are retried if the server is of a version that doesn’t know a field of the page', async () => {
    const errors = [{ path: 'payload.data.changed', message: 'Unknown field' }];
    answers = [{ status: 400, body: { code: 'bad-input', title: 'Please fix the highlighted input', errors } }];
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'away' });
    await untilRequests(2);
    await until(() => settled.length > 0);
    expect([settled, waiting(storage)]).toEqual([[{ kind: 'accepted' }], []]);
  });

  it('are dropped if the form doesn’t exist', async () => {
    answers = [{ status: 404, body: { status: 'not found' } }];
    expect(await open().send({ key: KEY }, [draft(4)])).toMatchObject({ kind: 'refused', reason: 'closed' });
    expect([received.length, waiting(storage)]).toEqual([1, []]);
  });

  it('are dropped after every refusal that isn’t temporary', () => {
    const isTemporary = (code: RefusalCode) => [408, 429].includes(REFUSALS[code][0]) || REFUSALS[code][0] >= 500;
    // Object.keys loses the type of the keys.
    const declared = Object.keys({ ...COMMON_REFUSALS, ...feedbackOperations.save.refusals }) as RefusalCode[];
    expect([...FINAL].sort()).toEqual(declared.filter((code) => !isTemporary(code)).sort());
  });

  it('are sent one after another, so that the last arrives last', async () => {
    const sender = open();
    await Promise.all([
      sender.send({ key: KEY }, [draft(1)]),
      sender.send({ key: KEY }, [draft(2)]),
      sender.send({ key: KEY }, [draft(5)]),
    ]);
    expect(received.at(-1)?.payload.data.responses).toEqual([draft(5)]);
    expect(waiting(storage)).toEqual([]);
  });
});

describe('a full device', () => {
  it('still sends answers', async () => {
    expect(await open({ device: new TestStorage(10) }).send({ key: KEY }, [draft(4)])).toEqual({ kind: 'accepted' });
    expect(received).toMatchObject([{ idempotencyKey: KEY, payload: { data: { responses: [draft(4)] } } }]);
  });

  it('doesn’t report answers as arrived that haven’t', async () => {
    answers = ['hang up'];
    expect(await open({ device: new TestStorage(10) }).send({ key: KEY }, [draft(4)])).toEqual({ kind: 'held' });
    await untilRequests(2);
  });
});

describe('without a network', () => {
  it('answers are sent when the network is back', async () => {
    browser.isOnline = false;
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'kept' });
    expect(received).toEqual([]);
    browser.goOnline();
    await untilRequests(1);
    await until(() => settled.length > 0);
    expect(settled).toEqual([{ kind: 'accepted' }]);
  });

  it('answers are sent when the page is shown again', async () => {
    browser.isOnline = false;
    await open().send({ key: KEY }, [draft(4)]);
    browser.isOnline = true;
    browser.show();
    await untilRequests(1);
  });

  it('and without storage, answers stay in memory while the page is open', async () => {
    browser.isOnline = false;
    expect(await open({ device: null }).send({ key: KEY }, [draft(4)])).toEqual({ kind: 'held' });
    browser.goOnline();
    await untilRequests(1);
    expect(storage.getItem(OUTBOX)).toBeNull();
  });

  it('and with full storage, answers stay in memory beside stored ones', async () => {
    const nearlyFull = new TestStorage(300);
    browser.isOnline = false;
    const sender = open({ device: nearlyFull });
    expect(await sender.send({ key: KEY }, [draft(4)])).toEqual({ kind: 'kept' });
    const words = { uuid: 'words', block: 'OpenText', response: 'x'.repeat(300) };
    expect(await sender.send({ key: KEY }, [draft(5), words])).toEqual({ kind: 'held' });
    browser.goOnline();
    await untilRequests(1);
    expect(received.at(-1)?.payload.data.responses).toEqual([draft(5), words]);
    await until(() => settled.length > 0);
    expect(settled).toEqual([{ kind: 'accepted' }]);
    expect(waiting(nearlyFull)).toEqual([]);
  });

  it('and with storage that was full in between, the newest answers are sent', async () => {
    browser.isOnline = false;
    const sender = open({ device: new TestStorage(300) });
    const words = { uuid: 'words', block: 'OpenText', response: 'x'.repeat(300) };
    const outcomes: SendOutcome[] = [];
    for (const drafts of [[draft(4)], [draft(5), words], [draft(3)]]) {
      outcomes.push(await sender.send({ key: KEY }, drafts));
      await sleep(2);
    }
    expect(outcomes.map(({ kind }) => kind)).toEqual(['kept', 'held', 'kept']);
    browser.goOnline();
    await untilRequests(1);
    expect(received.at(-1)?.payload.data.responses).toEqual([draft(3), words]);
  });

  it('and with storage that was full from the start, answers stay in memory', async () => {
    browser.isOnline = false;
    expect(await open({ device: new TestStorage(10) }).send({ key: KEY }, [draft(4)])).toEqual({ kind: 'held' });
  });
});

describe('answers after their key’s hour', () => {
  const words = { uuid: 'words', block: 'OpenText', response: 'Cold soup' };

  it('are sent once, with all answers, under another key', async () => {
    answers = [{ status: 410, body: { code: 'amend-closed', title: 'This feedback can no longer be changed.' } }];
    storage.setItem(USED_MAIL, JSON.stringify({ address: '/f', key: KEY, since: 1 }));
    expect(await open().send({ key: KEY, userId: 'table-7', at: 'PierTill01', ref: '1042.at1i_fITI7KIjHXE' }, [draft(2), words])).toEqual({
      kind: 'accepted',
    });
    expect(renewals).toEqual([[KEY, RENEWED]]);
    expect(JSON.parse(storage.getItem(USED_MAIL) ?? '')).toEqual({ address: '/f', key: RENEWED, since: expect.toSatisfy((at) => at > 1) });
    expect(received.map(({ idempotencyKey, payload }) => [idempotencyKey, payload.data])).toMatchObject([
      [KEY, { responses: [draft(2), words], userId: 'table-7', at: 'PierTill01', ref: '1042.at1i_fITI7KIjHXE' }],
      [RENEWED, { responses: [draft(2), words], userId: 'table-7', at: 'PierTill01', ref: '1042.at1i_fITI7KIjHXE' }],
    ]);
    expect([waiting(storage), settled]).toEqual([[], [{ kind: 'accepted' }]]);
  });

  it('are sent once under another key even if the connection breaks in between', async () => {
    answers = [{ status: 410, body: { code: 'amend-closed' } }, 'hang up'];
    expect(await open().send({ key: KEY }, [draft(2)])).toEqual({ kind: 'kept' });
    expect(waiting(storage).map(({ key }) => key)).toEqual([RENEWED]);
    await untilRequests(3);
    await until(() => settled.length > 0);
    expect(received.map(({ idempotencyKey }) => idempotencyKey)).toEqual([KEY, RENEWED, RENEWED]);
  });

  it('are refused without a rating', async () => {
    answers = [{ status: 410, body: { code: 'amend-closed' } }];
    expect(await open().send({ key: KEY }, [words])).toMatchObject({ kind: 'refused' });
    expect([received.length, renewals]).toEqual([1, []]);
  });
});

describe('answers of earlier visits', () => {
  it('are sent once under their own key', async () => {
    keep(storage, { key: 'earlier-earlier-earlier-', formId: 'FORM_OldTwn', responses: [draft(2)], kept: Date.now() });
    open().sendEarlier();
    await until(() => earlier > 0);
    expect([settled, earlier]).toEqual([[], 1]);
    expect(received).toMatchObject([{ idempotencyKey: 'earlier-earlier-earlier-' }]);
    expect(waiting(storage)).toEqual([]);
  });

  it('stay on the device after the page is stopped', async () => {
    answers = [{ status: 503 }];
    const sender = open();
    await sender.send({ key: KEY }, [draft(4)]);
    sender.stop();
    await vi.advanceTimersByTimeAsync(120_000);
    browser.goOnline();
    expect(received).toHaveLength(1);
    expect(waiting(storage)).toHaveLength(1);
  });
});
