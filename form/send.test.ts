import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { REFUSALS, type RefusalCode } from '#contract/core/errors.ts';
import { COMMON_REFUSALS } from '#contract/core/operation.ts';
import { feedbackOperations } from '#contract/feedback/feedback.ts';
import { stubBrowser, type TestBrowser, TestStorage } from '../test/support/browser.ts';
import { keep, OUTBOX, waiting } from './outbox.ts';
import { createSender, FINAL, type SendOutcome, type SubmissionSender } from './send.ts';

/* Against a server over HTTP that gives the answers a test has set. */

const KEY = 'k'.repeat(24);
const RENEWED = 'r'.repeat(32);
const draft = (response: unknown) => ({ uuid: 'gauge', block: 'EmojiGauge', response });

type StubAnswer = { readonly status: number; readonly body?: object | string } | 'hang up' | 'no answer';
let answers: StubAnswer[];
let received: { idempotencyKey: string; payload: { data: { responses: object[]; diagnostics?: object } } }[];
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

function open({ kept = storage }: { kept?: TestStorage | null } = {}): SubmissionSender {
  const diagnostics = { screen: { width: 390, height: 844 } };
  // A sender of an earlier test may settle late.
  const outcomes = settled;
  const sender = createSender({
    formId: 'FORM_Pier04',
    formVersion: 3,
    key: KEY,
    diagnostics,
    storage: kept ?? undefined,
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

/** Lets the page's time pass until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; round < 200 && !isSo(); round += 1) {
    await vi.advanceTimersByTimeAsync(500);
    // The network has a time of its own.
    await sleep(5);
  }
  expect(isSo()).toBe(true);
}
const asked = (times: number) => until(() => received.length === times);

describe('answers that are sent', () => {
  it('carry the key, and leave nothing behind when they are accepted', async () => {
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'accepted' });
    expect(received).toEqual([
      {
        service: 'feedback',
        action: 'save',
        idempotencyKey: KEY,
        payload: {
          data: { formId: 'FORM_Pier04', formVersion: 3, responses: [draft(4)], diagnostics: { screen: { width: 390, height: 844 } } },
        },
      },
    ]);
    expect(waiting(storage)).toEqual([]);
    expect(settled).toEqual([{ kind: 'accepted' }]);
  });

  it('are on this device before anything is asked of the network', async () => {
    const sending = open().send({ key: KEY }, [draft(4)]);
    expect(waiting(storage)).toMatchObject([{ key: KEY, responses: [draft(4)] }]);
    await sending;
  });

  it('are posted at once when the page goes away, though an earlier request has no answer yet', async () => {
    answers = ['no answer'];
    const sender = open();
    void sender.send({ key: KEY }, [draft(4)]);
    await asked(1);
    void sender.send({ key: KEY }, [draft(2)]);
    sender.flush();
    await expect.poll(() => received.map(({ payload }) => payload.data.responses)).toEqual([[draft(4)], [draft(2)]]);
  });

  it.each([503, 500, 429, 408])('wait and are tried again after a %i', async (status) => {
    answers = [{ status }, { status }];
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'away' });
    await asked(3);
    await until(() => settled.length > 0);
    expect(settled).toEqual([{ kind: 'accepted' }]);
    expect(received.map(({ idempotencyKey }) => idempotencyKey)).toEqual([KEY, KEY, KEY]);
  });

  it.each([
    ['a proxy without a route', { status: 404, body: 'default backend - 404' }],
    ['a firewall', { status: 403, body: '<h1>Forbidden</h1>' }],
    ['a proxy that speaks JSON', { status: 404, body: { code: 'NO_ROUTE', status: 404, title: 'Not Found' } }],
    ['a hotel’s network', { status: 200, body: '<h1>Welcome! Accept our terms</h1>' }],
    ['a page that says nothing', { status: 200, body: 'null' }],
  ])('wait and are tried again where %s answers in the server’s place', async (_who, answer) => {
    answers = [answer];
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'away' });
    expect(waiting(storage)).toHaveLength(1);
    await asked(2);
    await until(() => settled.length > 0);
    expect([settled, waiting(storage)]).toEqual([[{ kind: 'accepted' }], []]);
  });

  it('wait and are tried again when the connection breaks', async () => {
    answers = ['hang up'];
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'kept' });
    await asked(2);
    await until(() => waiting(storage).length === 0);
  });

  it('keep nobody waiting whom the server does not answer', async () => {
    answers = ['no answer'];
    const sending = open().send({ key: KEY }, [draft(4)]);
    await asked(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await sending).toEqual({ kind: 'away' });
    expect(waiting(storage)).toHaveLength(1);
  });

  it('are given up when the server will never take them, with its words', async () => {
    const errors = [{ path: 'payload.data.responses.0.response', message: 'Choose a face' }];
    answers = [{ status: 400, body: { code: 'bad-input', title: 'Please fix the highlighted input', errors } }];
    const outcome = { kind: 'refused', message: 'Please fix the highlighted input', errors, drafts: [draft(9)] };
    expect(await open().send({ key: KEY }, [draft(9)])).toEqual(outcome);
    expect(waiting(storage)).toEqual([]);
    expect(settled).toEqual([outcome]);
  });

  it('are given up where there is no such form', async () => {
    answers = [{ status: 404, body: { status: 'not found' } }];
    expect(await open().send({ key: KEY }, [draft(4)])).toMatchObject({ kind: 'refused', message: 'This form is no longer open.' });
    expect([received.length, waiting(storage)]).toEqual([1, []]);
  });

  it('are given up after every refusal of the server’s but those that pass', () => {
    const passes = (code: RefusalCode) => [408, 429].includes(REFUSALS[code][0]) || REFUSALS[code][0] >= 500;
    // The keys of objects that are typed by codes.
    const declared = Object.keys({ ...COMMON_REFUSALS, ...feedbackOperations.save.refusals }) as RefusalCode[];
    expect([...FINAL].sort()).toEqual(declared.filter((code) => !passes(code)).sort());
  });

  it('follow one another, so that the last is the last to arrive', async () => {
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

describe('a device that is full', () => {
  it('sends all the same', async () => {
    expect(await open({ kept: new TestStorage(10) }).send({ key: KEY }, [draft(4)])).toEqual({ kind: 'accepted' });
    expect(received).toMatchObject([{ idempotencyKey: KEY, payload: { data: { responses: [draft(4)] } } }]);
  });

  it('says nothing of having arrived when it has not', async () => {
    answers = ['hang up'];
    expect(await open({ kept: new TestStorage(10) }).send({ key: KEY }, [draft(4)])).toEqual({ kind: 'held' });
    await asked(2);
  });
});

describe('without a network', () => {
  it('nothing is asked; it is sent when the network comes back', async () => {
    browser.isOnline = false;
    expect(await open().send({ key: KEY }, [draft(4)])).toEqual({ kind: 'kept' });
    expect(received).toEqual([]);
    browser.goOnline();
    await asked(1);
    await until(() => settled.length > 0);
    expect(settled).toEqual([{ kind: 'accepted' }]);
  });

  it('it is sent when the page is looked at again', async () => {
    browser.isOnline = false;
    await open().send({ key: KEY }, [draft(4)]);
    browser.isOnline = true;
    browser.show();
    await asked(1);
  });

  it('and without storage, answers are held as long as the page is open', async () => {
    browser.isOnline = false;
    expect(await open({ kept: null }).send({ key: KEY }, [draft(4)])).toEqual({ kind: 'held' });
    browser.goOnline();
    await asked(1);
    expect(storage.getItem(OUTBOX)).toBeNull();
  });

  it('and with a full storage, beside what was kept while there was room', async () => {
    const nearlyFull = new TestStorage(250);
    browser.isOnline = false;
    const sender = open({ kept: nearlyFull });
    expect(await sender.send({ key: KEY }, [draft(4)])).toEqual({ kind: 'kept' });
    const words = { uuid: 'words', block: 'OpenText', response: 'x'.repeat(300) };
    expect(await sender.send({ key: KEY }, [draft(5), words])).toEqual({ kind: 'held' });
    browser.goOnline();
    await asked(1);
    expect(received.at(-1)?.payload.data.responses).toEqual([draft(5), words]);
    await until(() => settled.length > 0);
    expect(settled).toEqual([{ kind: 'accepted' }]);
    expect(waiting(nearlyFull)).toEqual([]);
  });

  it('and with a full storage, too', async () => {
    browser.isOnline = false;
    expect(await open({ kept: new TestStorage(10) }).send({ key: KEY }, [draft(4)])).toEqual({ kind: 'held' });
  });
});

describe('answers whose key can no longer be changed', () => {
  const words = { uuid: 'words', block: 'OpenText', response: 'Cold soup' };

  it('go on under another key, whole and once', async () => {
    answers = [{ status: 410, body: { code: 'amend-closed', title: 'This feedback can no longer be changed.' } }];
    expect(await open().send({ key: KEY, userId: 'table-7', at: 'PierTill01' }, [draft(2), words])).toEqual({ kind: 'accepted' });
    expect(renewals).toEqual([[KEY, RENEWED]]);
    expect(received.map(({ idempotencyKey, payload }) => [idempotencyKey, payload.data])).toMatchObject([
      [KEY, { responses: [draft(2), words], userId: 'table-7', at: 'PierTill01' }],
      [RENEWED, { responses: [draft(2), words], userId: 'table-7', at: 'PierTill01' }],
    ]);
    expect([waiting(storage), settled]).toEqual([[], [{ kind: 'accepted' }]]);
  });

  it('go on also where the connection breaks in between, still once', async () => {
    answers = [{ status: 410, body: { code: 'amend-closed' } }, 'hang up'];
    expect(await open().send({ key: KEY }, [draft(2)])).toEqual({ kind: 'kept' });
    expect(waiting(storage).map(({ key }) => key)).toEqual([RENEWED]);
    await asked(3);
    await until(() => settled.length > 0);
    expect(received.map(({ idempotencyKey }) => idempotencyKey)).toEqual([KEY, RENEWED, RENEWED]);
  });

  it('are refused where they hold no rating: alone they are nothing', async () => {
    answers = [{ status: 410, body: { code: 'amend-closed' } }];
    expect(await open().send({ key: KEY }, [words])).toMatchObject({ kind: 'refused' });
    expect([received.length, renewals]).toEqual([1, []]);
  });
});

describe('what earlier visits left', () => {
  it('is sent under its own key, once', async () => {
    keep(storage, { key: 'earlier-earlier-earlier-', formId: 'FORM_OldTwn', responses: [draft(2)], kept: Date.now() });
    open().sendEarlier();
    await until(() => earlier > 0);
    expect([settled, earlier]).toEqual([[], 1]);
    expect(received).toMatchObject([{ idempotencyKey: 'earlier-earlier-earlier-' }]);
    expect(waiting(storage)).toEqual([]);
  });

  it('stays where a stopped page no longer asks', async () => {
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
