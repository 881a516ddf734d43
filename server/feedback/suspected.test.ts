import { createHash, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { QUARTER_HOUR } from '#contract/core/time.ts';
import { ACCOUNT_ID, oldTown, pier } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { formOf, submission } from '../../test/support/submission.ts';
import { type App, createApp } from '../app.ts';
import type { ConnectionSettings } from '../platform/database/database.ts';
import { type FloodClaim, type FloodLimit, openFloodLimit } from './flood-limit.ts';

/* A network that sends more than a crowd would: its answers are accepted but change no count. */

/** The key of an advisory lock. */
const EXCHANGE = 20_001;

let app: TestApp;
let token: string;
let connection: ConnectionSettings;
/** A minute into a quarter of an hour, so that everything a test sends falls within it. */
let now = Math.floor(Date.now() / QUARTER_HOUR) * QUARTER_HOUR + 60_000;
beforeAll(async () => {
  const connectThrough = async (settings: ConnectionSettings) => (connection = settings);
  app = await openTestApp({ clock: () => now, connectThrough });
});
afterAll(() => app.stop());
beforeEach(async () => {
  now += QUARTER_HOUR;
  token = await app.signIn();
});

interface SendOptions {
  readonly sent?: object;
  readonly headers?: Record<string, string>;
  readonly to?: App;
}

const send = (remoteAddress: string, { sent = submission({ rating: 1 }), headers = {}, to = app.app }: SendOptions = {}) =>
  to.http.inject({
    method: 'POST',
    url: '/api/data',
    remoteAddress,
    headers,
    payload: { service: 'feedback', action: 'save', ...sent },
  });

/** Claims a place for a new submission. */
const claim = (floodLimit: FloodLimit, network: string): FloodClaim =>
  floodLimit.claim(
    { id: pier.data.formId, accountId: ACCOUNT_ID, propertyId: pier.id },
    { network, keyHash: createHash('sha256').update(randomUUID()).digest('hex') },
  );

const flood = async (count: number, addressOf: (index: number) => string) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(addressOf(index))));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(count).fill(200));
  return answers.map((answer) => answer.json().feedback.id as string);
};

const counts = async () => {
  const span = { from: now - QUARTER_HOUR, to: now + QUARTER_HOUR, zone: 'UTC' };
  return (await app.call('feedback', 'summary', { propertyId: pier.id, ...span }, token)).body;
};
const list = async (kind: string, filters: object = {}) => {
  const sent = { propertyId: pier.id, kind, from: now - 60_000, limit: 100, ...filters };
  const { body } = await app.call('feedback', 'list', sent, token);
  return body.feedback as { id: string; data: { suspected?: boolean } }[];
};
/** Returns the count of each network in this quarter of an hour, as the processes exchange it. */
const networkCounts = async () => {
  const rows = await app.stored<{ count: number }>('select count from submission_budget where quarter > $1 order by count', [
    new Date(now - QUARTER_HOUR),
  ]);
  return rows.map(({ count }) => count);
};
const events = (name: string) => app.stored('select subject from event where name = $1 and at = $2', [name, new Date(now)]);

describe('answers beyond a network’s limit', () => {
  it('are stored, but are in no other list, count or alert', async () => {
    await flood(130, () => '203.0.113.7');
    expect(await counts()).toMatchObject({ ratings: [100, 0, 0, 0, 0], urgent: 100, suspected: 30 });
    expect(await events('feedback.urgent')).toHaveLength(100);
    expect(await events('feedback.submitted')).toHaveLength(100);
    expect((await list('all')).some(({ data }) => data.suspected !== undefined)).toBe(false);
    const suspected = await list('suspected');
    expect(suspected).toHaveLength(30);
    expect(suspected.every(({ data }) => data.suspected === true)).toBe(true);
    const { body } = await app.call('feedback', 'get', { feedbackId: suspected[0]?.id }, token);
    expect(body.feedback.data.suspected).toBe(true);
  });

  it('are suspected by every process once counts are exchanged', async () => {
    await flood(100, () => '203.0.113.8');
    const { config } = app.app.platform;
    const otherApp = await createApp({ config, log: pino({ level: 'silent' }), connection, now: () => now, recurring: false });
    try {
      let sent = 0;
      const isSuspected = async () => {
        sent += 1;
        expect((await send('203.0.113.8', { to: otherApp })).statusCode).toBe(200);
        return (await counts()).suspected > 0;
      };
      await vi.waitUntil(isSuspected, PATIENT);
      expect(sent).toBeLessThan(100);
    } finally {
      await otherApp.stop();
    }
  });

  it('are counted once when the database is slow', async () => {
    const holder = await app.connect();
    await holder.query('select pg_advisory_lock($1)', [EXCHANGE]);
    await app.stored(`
      create function wait_here() returns trigger language plpgsql set lock_timeout = 0 as
        'begin perform pg_advisory_xact_lock_shared(${EXCHANGE}); return null; end';
      create trigger wait_here before insert on submission_budget execute function wait_here()`);
    // The test decides when counts are exchanged.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const floodLimit = openFloodLimit(app.app.platform);
      const exchanging = () => app.stored(`select 1 from pg_locks where locktype = 'advisory' and objid = ${EXCHANGE} and not granted`);
      for (let wave = 0; wave < 3; wave += 1) {
        for (let count = 0; count < 20; count += 1) claim(floodLimit, '203.0.113.13').settle(true);
        vi.advanceTimersByTime(1_000);
        await expect.poll(exchanging).toHaveLength(1);
      }
      await holder.end();
      await floodLimit.stop();
    } finally {
      vi.useRealTimers();
      await app.stored('drop trigger wait_here on submission_budget; drop function wait_here');
    }
    expect(await networkCounts()).toEqual([60]);
  });

  it('are exchanged although some were being stored when a quarter of an hour ended', async () => {
    const floodLimit = openFloodLimit(app.app.platform);
    const early = claim(floodLimit, '203.0.113.15');
    now += QUARTER_HOUR;
    claim(floodLimit, '203.0.113.15').settle(true);
    early.settle(true);
    await floodLimit.stop();
    expect(await networkCounts()).toEqual([1]);
  });

  it('are exchanged although their count was dropped from memory in between', async () => {
    const floodLimit = openFloodLimit(app.app.platform);
    claim(floodLimit, '203.0.113.16').settle(true);
    for (let other = 0; other < 50_000; other += 1) claim(floodLimit, `other ${other}`).settle(false);
    claim(floodLimit, '203.0.113.16').settle(true);
    await floodLimit.stop();
    expect(await networkCounts()).toEqual([2]);
  });

  it('are reported once', async () => {
    await flood(130, () => '203.0.113.9');
    await vi.waitFor(async () => expect(await events('feedback.suspected')).toEqual([{ subject: pier.data.formId }]), PATIENT);
    await flood(30, () => '203.0.113.9');
    await flood(1, () => '203.0.113.12');
    await vi.waitFor(async () => expect(await networkCounts()).toEqual([1, 160]), PATIENT);
    expect(await events('feedback.suspected')).toHaveLength(1);
  });

  it('are those of one /64, per form and quarter of an hour', async () => {
    await flood(101, (index) => `2001:db8:5:6::${index.toString(16)}`);
    const { suspected } = await counts();
    await send('2001:db8:5:6::ffff');
    expect((await counts()).suspected).toBe(suspected + 1);
    await send('2001:db8:5:7::1');
    await send('203.0.113.10');
    await send('2001:db8:5:6::ffff', { sent: submission({ rating: 1 }, { form: formOf(oldTown.data.formId) }) });
    expect((await counts()).suspected).toBe(suspected + 1);
    now += QUARTER_HOUR;
    await send('2001:db8:5:6::ffff');
    expect((await list('all')).length).toBe(1);
  });

  it('don’t include those from a local proxy that isn’t in the settings', async () => {
    for (let round = 0; round < 3; round += 1)
      await Promise.all(
        Array.from({ length: 50 }, () =>
          send('127.0.0.1', { sent: submission({ rating: 4 }), headers: { 'x-forwarded-for': '198.51.100.1' } }),
        ),
      );
    expect(await counts()).toMatchObject({ ratings: [0, 0, 0, 150, 0], suspected: 0 });
  });

  it('count a repeated submission once', async () => {
    const sent = submission({ rating: 3 });
    for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 60 }, () => send('203.0.113.11', { sent })));
    await send('203.0.113.11');
    expect(await counts()).toMatchObject({ ratings: [1, 0, 1, 0, 0], suspected: 0 });
  });

  it('don’t include those of a crowd whose phones each repeat their submission', async () => {
    const from = '203.0.113.14';
    const crowd = Array.from({ length: 60 }, () => submission({ rating: 3 }));
    await Promise.all([1, 2, 3, 4].flatMap(() => crowd.map((sent) => send(from, { sent }))));
    expect(await counts()).toMatchObject({ ratings: [0, 0, 60, 0, 0], suspected: 0 });
    await vi.waitFor(async () => expect(await networkCounts()).toEqual([60]), PATIENT);
    // All of them repeat, and there is room for forty new ones.
    const newSubmissions = Array.from({ length: 45 }, () => submission({ rating: 4 }));
    await Promise.all([...crowd, ...newSubmissions, ...crowd, ...newSubmissions].map((sent) => send(from, { sent })));
    expect(await counts()).toMatchObject({ ratings: [0, 0, 60, 40, 0], suspected: 5 });
  });
});

describe('suspected feedback', () => {
  let id: string;
  let key: string;
  beforeEach(async () => {
    await flood(102, () => '203.0.113.20');
    const sent = submission({ rating: 2, text: 'cold' });
    key = sent.idempotencyKey;
    id = (await send('203.0.113.20', { sent })).json().feedback.id;
  });

  const trust = (feedbackIds: readonly string[], isTrusted: boolean) =>
    app.call('feedback', 'trust', { feedbackIds, counts: isTrusted }, token);

  it('is counted after a teammate marks it as genuine, until they undo that', async () => {
    const before = await counts();
    const { body } = await trust([id], true);
    expect(body.feedback).toMatchObject([{ id, data: { suspected: false, unread: true } }]);
    const [ones, twos] = before.ratings;
    expect(await counts()).toMatchObject({
      ratings: [ones, twos + 1, 0, 0, 0],
      urgent: before.urgent + 1,
      suspected: before.suspected - 1,
    });
    // Among 101 answers of the same millisecond, whose order is random, a page might leave it out.
    expect((await list('all', { rating: 2 })).map((item) => item.id)).toContain(id);
    await Promise.all([trust([id], true), trust([id], true)]);
    expect((await counts()).suspected).toBe(before.suspected - 1);
    await trust([id], false);
    expect(await counts()).toEqual(before);
    expect(await app.stored(`select data from event where name = 'feedback.trusted' and subject = $1 order by id`, [id])).toEqual([
      { data: { propertyId: pier.id, counts: true } },
      { data: { propertyId: pier.id, counts: false } },
    ]);
  });

  it('stays suspected when its visitor amends it, and counts as amended', async () => {
    const before = await counts();
    const sent = submission({ rating: 5, contact: { answer: 'Yes', phone: '+351 912 345 678' } }, { key });
    await send('203.0.113.99', { sent });
    expect(await counts()).toEqual(before);
    expect(await app.stored(`select from event where name = 'feedback.urgent' and subject = $1`, [id])).toEqual([]);
    await trust([id], true);
    expect((await counts()).ratings[4]).toBe(1);
  });

  it('is the only feedback that can be set aside', async () => {
    const [ordinary] = await list('all');
    const before = await counts();
    const { status, body } = await trust([ordinary?.id ?? ''], false);
    expect([status, body.feedback[0].data.suspected]).toEqual([200, undefined]);
    expect(await counts()).toEqual(before);
  });
});
