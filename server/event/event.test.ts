import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { INSTALLATION, SYSTEM } from '#contract/event/event.ts';
import { type EventName, events } from '#contract/events.ts';
import { ACCOUNT_ID, dana, pier } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { readsOf } from '../../test/support/postgres/reads.ts';
import { newKey, submission } from '../../test/support/submission.ts';
import { inAccount, inEveryAccount, type OperatorScope } from '../platform/tenancy/access.ts';
import { openEventFeed } from './feed.ts';
import { batchSubscriber, type EventSubscriber, openRelay, type Relay, subscriber } from './relay.ts';
import * as store from './store.ts';

let app: TestApp;
beforeAll(async () => {
  // Only the relays that a test opens handle events.
  app = await openTestApp({ settings: { ROLES: 'web' }, also: addOtherAccount });
  await app.stored('create table effect (event_id bigint not null, subscriber text not null, note text)');
  await app.stored('grant select, insert on effect to afterword_app');
});
afterAll(() => app.stop());

/** How often a test breaks the connections; the relays pause for up to a second after each. */
const MOST_BREAKS = 5;
const context = { accountId: ACCOUNT_ID, actor: dana.id };
const rename = (to: string) =>
  inAccount(app.app.platform, context, (scope) =>
    store.record(scope, 'account.renamed', { subject: ACCOUNT_ID, data: { from: 'Harbor', to } }),
  );
const rowsOf = (name: EventName) =>
  app.stored<{ account_id: string; subject: string; actor: string; data: unknown; relayed: boolean }>(
    'select account_id, subject, actor, data, relayed from event where name = $1 order by id',
    [name],
  );

describe('the event table', () => {
  it('stores an event only if the transaction commits', async () => {
    await rename('Harbor Coffee');
    const lost = inAccount(app.app.platform, context, async (scope) => {
      await store.record(scope, 'account.renamed', { subject: ACCOUNT_ID, data: { from: 'a', to: 'rolled back' } });
      throw new Error('rolled back');
    });
    await expect(lost).rejects.toThrow('rolled back');
    expect(await rowsOf('account.renamed')).toEqual([
      { account_id: ACCOUNT_ID, subject: ACCOUNT_ID, actor: dana.id, data: { from: 'Harbor', to: 'Harbor Coffee' }, relayed: false },
    ]);
  });

  it('has one event per submission, and another if it is urgent', async () => {
    const before = (await rowsOf('feedback.submitted')).length;
    const [good, bad] = [submission({ rating: 5 }), submission({ rating: 1 })];
    const { body: first } = await app.call('feedback', 'save', good);
    await app.call('feedback', 'save', good);
    const { body: second } = await app.call('feedback', 'save', bad);
    const submitted = (await rowsOf('feedback.submitted')).slice(before);
    expect(submitted).toMatchObject([
      { subject: first.feedback.id, actor: 'visitor', data: { propertyId: pier.id, rating: 5 } },
      { subject: second.feedback.id, actor: 'visitor', data: { propertyId: pier.id, rating: 1 } },
    ]);
    expect((await rowsOf('feedback.urgent')).filter(({ subject }) => subject === first.feedback.id)).toEqual([]);
    expect((await rowsOf('feedback.urgent')).filter(({ subject }) => subject === second.feedback.id)).toHaveLength(1);
  });

  it('has one event per amendment, and one when the feedback becomes urgent', async () => {
    const key = newKey();
    const { body } = await app.call('feedback', 'save', submission({ rating: 4 }, { key }));
    await app.call('feedback', 'save', submission({ rating: 2 }, { key }));
    await app.call('feedback', 'save', submission({ rating: 2 }, { key }));
    await app.call('feedback', 'save', submission({ rating: 1 }, { key }));
    const dataOf = async (name: EventName) =>
      (await rowsOf(name)).filter(({ subject }) => subject === body.feedback.id).map(({ data }) => data);
    expect(await dataOf('feedback.amended')).toEqual([
      { propertyId: pier.id, rating: 2 },
      { propertyId: pier.id, rating: 1 },
    ]);
    expect(await dataOf('feedback.urgent')).toEqual([{ propertyId: pier.id, rating: 2 }]);
  });

  it('contains only declared fields, and nothing that a visitor wrote', async () => {
    const answers = { rating: 1, text: 'CANARY words', contact: { answer: 'Yes', name: 'CANARY name', phone: '+351 21 000 000' } } as const;
    await app.call('feedback', 'save', submission(answers));
    const events = await app.stored<{ name: string; data: object }>('select name, data from event');
    for (const { name, data } of events) expect(Object.keys(data).every((field) => field in entriesOf(name))).toBe(true);
    expect(JSON.stringify(events)).not.toMatch(/CANARY|351/);
  });

  it('shows and accepts only events of the account in scope', async () => {
    await rename('Harbor Coffee');
    const { database } = app.app.platform;
    const visibleAccounts = (settings: Parameters<typeof database.transaction>[0]) =>
      database.transaction(settings, async (db) => {
        const { rows } = await db.$client.query<{ account_id: string }>('select distinct account_id from event');
        return rows.map((row) => row.account_id);
      });
    expect(await visibleAccounts({ 'app.account_id': ACCOUNT_ID })).toEqual([ACCOUNT_ID]);
    expect(await visibleAccounts({ 'app.account_id': otherAccount.accountId })).toEqual([otherAccount.accountId]);
    expect(await visibleAccounts({ 'app.account_id': INSTALLATION })).toEqual([]);
    expect(await visibleAccounts({})).toEqual([]);
    const foreign = inAccount(app.app.platform, context, ({ db }) =>
      db.$client.query(
        `insert into event (account_id, at, name, subject, actor, data, relayed) values ($1, now(), 'account.renamed', '', '', '{}', true)`,
        [otherAccount.accountId],
      ),
    );
    await expect(foreign).rejects.toThrow(/row-level security/);
  });

  it('cannot be changed by its own account', async () => {
    await rename('Harbor Coffee');
    const asAccount = (sql: string) => inAccount(app.app.platform, context, ({ db }) => db.$client.query(sql));
    for (const column of ['at = now()', `actor = 'x'`, `data = '{}'`, `name = 'x'`, `subject = 'x'`])
      await expect(asAccount(`update event set ${column}`)).rejects.toThrow(/permission denied/);
    expect((await asAccount('delete from event')).rowCount).toBe(0);
  });

  it('is emptied of a deleted account’s events only', async () => {
    await app.stored(`insert into account (id, created, display_name, deleted) values ('ACCOUNT_gone', now(), 'Gone', now())`);
    const gone = { accountId: 'ACCOUNT_gone', actor: dana.id };
    for (let count = 0; count < 5; count += 1)
      await inAccount(app.app.platform, gone, (scope) => store.record(scope, 'account.created', { subject: 'ACCOUNT_gone', data: {} }));
    const purge = (accountId: string) => inEveryAccount(app.app.platform, ({ db }) => store.purge({ db, accountId }));
    const count = async (accountId: string) => (await app.stored('select from event where account_id = $1', [accountId])).length;
    const before = await count(ACCOUNT_ID);
    for (const accountId of ['ACCOUNT_gone', ACCOUNT_ID]) await purge(accountId);
    expect([await count('ACCOUNT_gone'), await count(ACCOUNT_ID)]).toEqual([0, before]);
  });
});

const entriesOf = (name: string): object => (events[name as EventName].data as unknown as { entries: object }).entries;

describe('subscribers', () => {
  const relays: Relay[] = [];
  beforeEach(async () => void (await app.stored('update event set relayed = true')));
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    await app.stored('truncate effect');
    await app.stored(`delete from pgboss.job where name = 'event.react'`);
  });

  const recording = (name: string, note: string | null = null): EventSubscriber =>
    subscriber(name, ['account.renamed'], async ({ db }, { id }) => {
      await db.$client.query('insert into effect (event_id, subscriber, note) values ($1, $2, $3)', [id, name, note]);
    });
  const start = (...subscribers: EventSubscriber[]) => {
    const { platform } = app.app;
    const relay = openRelay({ platform, feed: openEventFeed(platform.pubsub), subscribers });
    relays.push(relay);
    relay.start();
    return relay;
  };
  const effects = () =>
    app.stored<{ event_id: string; subscriber: string }>('select event_id, subscriber from effect order by event_id, subscriber');
  const unrelayed = async () => (await app.stored('select id from event where not relayed')).length;
  const allRelayed = () => vi.waitFor(async () => expect(await unrelayed()).toBe(0), PATIENT);

  it('each receive an event once', async () => {
    start(recording('first'), recording('second'));
    await rename('Harbor Coffee');
    await allRelayed();
    expect((await effects()).map((each) => each.subscriber)).toEqual(['first', 'second']);
  });

  it('receive events that were recorded while no worker ran', async () => {
    for (const to of ['a', 'b', 'c']) await rename(to);
    start(recording('late'));
    await allRelayed();
    expect(await effects()).toHaveLength(3);
  });

  it('that fail do not delay others, and are retried', async () => {
    let failures = 0;
    const failing = subscriber('failing', ['account.renamed'], async ({ db }, { id }) => {
      await db.$client.query(`insert into effect (event_id, subscriber) values ($1, 'half')`, [id]);
      failures += 1;
      throw new Error('not now');
    });
    const relay = start(failing, recording('sound'));
    await rename('Harbor Coffee');
    await allRelayed();
    expect(failures).toBe(1);
    expect((await effects()).map((each) => each.subscriber)).toEqual(['sound']);
    const [job] = await app.stored<{ data: { accountId: string; eventId: number; subscriber: string } }>(
      `select data from pgboss.job where name = 'event.react'`,
    );
    expect(job?.data).toMatchObject({ accountId: ACCOUNT_ID, subscriber: 'failing' });
    await expect(relay.work['event.react']?.({ data: job?.data } as never)).rejects.toThrow('not now');
    expect(failures).toBe(2);
  });

  it('receive the events of a batch together, and each alone after one of them failed', async () => {
    for (const to of ['a', 'b', 'c']) await rename(to);
    const [, wrong] = (await app.stored<{ id: string }>('select id from event where not relayed order by id')).map(({ id }) => Number(id));
    const batches: number[] = [];
    const together = batchSubscriber('together', ['account.renamed'], async ({ db }, received) => {
      batches.push(received.length);
      for (const { id } of received) await db.$client.query(`insert into effect (event_id, subscriber) values ($1, 'together')`, [id]);
      if (received.some(({ id }) => id === wrong)) throw new Error('not now');
    });
    start(together);
    await allRelayed();
    expect(batches).toEqual([3, 1, 1, 1]);
    const received = (await effects()).map(({ event_id: id }) => Number(id));
    expect([received.length, received.includes(wrong ?? 0)]).toEqual([2, false]);
    const jobs = await app.stored<{ id: number }>(`select (data->>'eventId')::integer as id from pgboss.job where name = 'event.react'`);
    expect(jobs).toEqual([{ id: wrong }]);
  });

  const addBacklog = (isRelayed = false) =>
    app.stored(
      `insert into event (account_id, at, name, subject, actor, data, relayed)
       select $1, now(), 'account.renamed', $1, $2, '{}', $3 from generate_series(1, 3000)`,
      [ACCOUNT_ID, dana.id, isRelayed],
    );

  it('wait in a backlog that each batch reads only its part of', async () => {
    await addBacklog(true);
    await addBacklog();
    const { accountId } = otherAccount;
    const asOther = { accountId, actor: dana.id };
    const data = { from: 'Harbor', to: 'Quay' };
    await inAccount(app.app.platform, asOther, (scope) => store.record(scope, 'account.renamed', { subject: accountId, data }));
    const rowsRead = ({ db }: OperatorScope) => readsOf(db.$client, 'event', 'tuples_returned');
    const read = await inEveryAccount(app.app.platform, async (scope) => {
      const before = await rowsRead(scope);
      expect(await store.waitingAccounts(scope, { after: '', most: 10 })).toEqual([ACCOUNT_ID, accountId].sort());
      expect(await store.waitingAccounts(scope, { after: '', most: 1 })).toHaveLength(1);
      const query = { accountId: ACCOUNT_ID, names: ['account.renamed', 'account.deleted'], most: 10 } as const;
      expect(await store.takeWaiting(scope, query)).toHaveLength(10);
      return (await rowsRead(scope)) - before;
    });
    expect(read).toBeGreaterThanOrEqual(10);
    expect(read).toBeLessThan(100);
  });

  it('receive the events of an account before those of another’s flood are done', async () => {
    await addBacklog();
    const { accountId } = otherAccount;
    const asOther = { accountId, actor: dana.id };
    const data = { from: 'Harbor', to: 'Quay' };
    await inAccount(app.app.platform, asOther, (scope) => store.record(scope, 'account.renamed', { subject: accountId, data }));
    const order: string[] = [];
    const noting = batchSubscriber('noting', ['account.renamed'], async (scope) => void order.push(scope.accountId));
    start(noting);
    await allRelayed();
    expect(order.indexOf(accountId)).toBeLessThan(2);
    expect(order.filter((each) => each === ACCOUNT_ID)).toHaveLength(3000 / 200 + 1);
  });

  it('receive the events of an account while another’s transaction always fails', async () => {
    const [failing = '', other = ''] = [ACCOUNT_ID, otherAccount.accountId].toSorted();
    start(
      subscriber('breaking', ['account.renamed'], async ({ db, accountId }, { id }) => {
        if (accountId === failing) await db.$client.query('select pg_terminate_backend(pg_backend_pid())');
        await db.$client.query(`insert into effect (event_id, subscriber, note) values ($1, 'breaking', $2)`, [id, accountId]);
      }),
    );
    for (const accountId of [failing, other])
      await inAccount(app.app.platform, { accountId, actor: SYSTEM }, (scope) =>
        store.record(scope, 'account.renamed', { subject: accountId, data: { from: 'Harbor', to: 'Pier' } }),
      );
    await expect.poll(() => app.stored('select note from effect')).toEqual([{ note: other }]);
  });

  it('receive the events of more accounts than a batch has', async () => {
    await app.stored(
      `insert into event (account_id, at, name, subject, actor, data, relayed)
       select 'ACCOUNT_' || lpad(each::text, 22, '0'), now(), 'account.renamed', 'x', 'x', '{}', false from generate_series(1, 25) as each`,
    );
    const received: string[] = [];
    start(batchSubscriber('noting', ['account.renamed'], async (scope) => void received.push(scope.accountId)));
    await allRelayed();
    expect(new Set(received).size).toBe(25);
    expect(received).toHaveLength(25);
  });

  it('leave a backlog to the next start when they stop', async () => {
    await addBacklog();
    const relay = start(recording('slow'));
    await vi.waitUntil(async () => (await effects()).length > 0, PATIENT);
    await relay.stop();
    expect(await unrelayed()).toBeGreaterThan(0);
    expect(await effects()).toHaveLength(3000 - (await unrelayed()));
  });

  it('see only the event’s account', async () => {
    const accountIds: string[] = [];
    start(
      subscriber('curious', ['account.renamed'], async ({ db }) => {
        const { rows } = await db.$client.query<{ id: string }>('select id from account union select account_id from "user"');
        accountIds.push(...rows.map(({ id }) => id));
      }),
    );
    await rename('Harbor Coffee');
    await allRelayed();
    expect(accountIds).toEqual([ACCOUNT_ID]);
  });

  it('receive each event once, even if the connections of several processes break during a batch', async () => {
    for (let count = 0; count < 480; count += 1) await rename(`name ${count}`);
    let [reactions, breaks] = [0, 0];
    const transactions = new Set<object>();
    const breakConnections = () =>
      app.stored(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'afterword' and pid <> pg_backend_pid()`,
      );
    const breaking = subscriber('breaking', ['account.renamed'], async ({ db }, { id }) => {
      await db.$client.query(`insert into effect (event_id, subscriber) values ($1, 'breaking')`, [id]);
      reactions += 1;
      if (breaks === MOST_BREAKS) {
        // From here on, two relays run at the same time and must skip each other's events.
        transactions.add(db);
        await vi.waitUntil(() => transactions.size > 1, { timeout: 4_000, interval: 10 });
      } else if (reactions % 17 === 0) {
        breaks += 1;
        await breakConnections();
      }
    });
    for (let count = 0; count < 3; count += 1) start(breaking);
    await allRelayed();
    expect(breaks).toBe(MOST_BREAKS);
    expect(transactions.size).toBeGreaterThan(1);
    const received = (await effects()).map(({ event_id: id }) => id);
    expect(received).toHaveLength(480);
    expect(new Set(received).size).toBe(480);
  });
});
