import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/core/time.ts';
import type { Notification } from '#contract/notification/notification.ts';
import { dana, noor, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../../test/support/other-account.ts';
import { recordBatchSizes } from '../../../test/support/postgres/batch-sizes.ts';
import { newKey, submission } from '../../../test/support/submission.ts';
import { openEventFeed } from '../../event/feed.ts';

let app: TestApp;
let tokens: Record<'dana' | 'sam' | 'noor' | 'rosa', string>;
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount });
  await signInAll();
});
afterAll(() => app.stop());
beforeEach(async () => {
  await waitUntilRelayed();
  await app.stored('delete from notification; delete from alert; delete from alert_recipient');
  await app.stored('update property set complaints = $1, alerts = null where id = $2', [[dana.id], pier.id]);
});

async function signInAll(): Promise<void> {
  tokens = {
    dana: await app.signIn(),
    sam: await app.signIn(sam.data.emailAddress),
    noor: await app.signIn(noor.data.emailAddress),
    rosa: await app.signIn(otherAccount.email),
  };
}

type SignedInAs = keyof typeof tokens;
const ask = (person: SignedInAs, operation: string, sent: object = {}) => {
  const [service = '', action = ''] = operation.split('.');
  return app.call(service, action, sent, tokens[person]);
};
const inboxOf = async (person: SignedInAs): Promise<{ notifications: Notification[]; unread: number }> =>
  (await ask(person, 'notification.list', { limit: 100 })).body;
/** Returns the bell's count, which is the number of unread notifications in the list. */
async function unread(person: SignedInAs): Promise<number> {
  const { notifications, unread: count } = await inboxOf(person);
  expect(notifications.filter(({ data }) => data.unread)).toHaveLength(count);
  return count;
}

async function submit(answers: Parameters<typeof submission>[0], key = newKey()): Promise<string> {
  return (await app.call('feedback', 'save', submission(answers, { key }))).body.feedback.id;
}

/** Waits until every event is relayed. */
const waitUntilRelayed = () => expect.poll(() => app.stored('select 1 from event where not relayed')).toEqual([]);

const modify = (person: SignedInAs, feedbackId: string, change: object) =>
  ask(person, 'feedback.modify', { changes: [{ feedbackId, ...change }] });

describe('the inbox', () => {
  it('lists every alert for the people alerted, also in quiet hours and beyond the hourly limit', async () => {
    await app.stored(`update property set complaints = $1, alerts = '{"quiet":{"from":"00:00","to":"23:59"}}' where id = $2`, [
      [dana.id, sam.id],
      pier.id,
    ]);
    await submit({ rating: 4 });
    for (let visitor = 1; visitor <= 14; visitor += 1) await submit({ rating: 1, text: 'CANARY words' });
    await waitUntilRelayed();
    expect([await unread('dana'), await unread('sam'), await unread('noor')]).toEqual([14, 14, 0]);
    expect(await app.stored(`select 1 from delivery where reason = 'feedback.urgent'`)).toEqual([]);
    const { notifications } = await inboxOf('dana');
    expect(notifications[0]).toMatchObject({ sk: 'NOTIFICATION', gs1sk: dana.id, data: { kind: 'urgent', unread: true } });
    expect(notifications[0]?.data).toMatchObject({ words: 'CANARY words', feedback: { propertyId: pier.id, rating: 1 } });
  });

  it('adds one row for each person and cause when an event is relayed twice', async () => {
    const key = newKey();
    const id = await submit({ rating: 2 }, key);
    await waitUntilRelayed();
    await submit({ contact: { answer: 'Yes', email: 'ann@visitor.example' } }, key);
    await waitUntilRelayed();
    await app.stored(`update event set relayed = false where subject = $1`, [id]);
    await waitUntilRelayed();
    expect((await inboxOf('dana')).notifications.map(({ data }) => [data.kind, data.feedback?.id])).toEqual([
      ['contact', id],
      ['urgent', id],
    ]);
    expect(app.log.join('')).not.toContain('a subscriber failed');
  });

  it('lists a request to be contacted as unread until someone sets the status, though the feedback was read before', async () => {
    await app.stored('update property set complaints = $1 where id = $2', [[dana.id, sam.id], pier.id]);
    const key = newKey();
    const id = await submit({ rating: 2 }, key);
    await waitUntilRelayed();
    await modify('sam', id, { unread: false });
    expect([await unread('dana'), await unread('sam')]).toEqual([0, 0]);
    await submit({ contact: { answer: 'Yes', name: 'CANARY', phone: '030 555 01' } }, key);
    await waitUntilRelayed();
    const { notifications } = await inboxOf('dana');
    expect(notifications[0]?.data).toMatchObject({ kind: 'contact', unread: true, feedback: { id, contact: true } });
    expect(JSON.stringify(notifications)).not.toContain('CANARY');
    expect([await unread('dana'), await unread('sam')]).toEqual([1, 1]);
    app.advance(MINUTE);
    await modify('sam', id, { status: 'done' });
    expect([await unread('dana'), await unread('sam')]).toEqual([0, 0]);
  });

  it('lists escalated feedback for the next person, and as read for both when someone opens it', async () => {
    await app.stored(`update property set alerts = $1 where id = $2`, [
      JSON.stringify({ escalation: { after: 5, to: [dana.id, noor.id] } }),
      pier.id,
    ]);
    const id = await submit({ rating: 1 });
    await waitUntilRelayed();
    app.advance(6 * MINUTE);
    await expect.poll(() => unread('noor')).toBe(1);
    expect((await inboxOf('noor')).notifications.map(({ data }) => data.kind)).toEqual(['unopened']);
    // Reading the bell is not opening the feedback.
    const [notification] = (await inboxOf('dana')).notifications;
    expect((await ask('dana', 'notification.markRead', { notificationIds: [notification?.id] })).body.unread).toBe(0);
    expect((await ask('dana', 'feedback.get', { feedbackId: id })).body.feedback.data.unread).toBe(true);
    expect(await unread('noor')).toBe(1);
    await modify('sam', id, { unread: false });
    expect(await unread('noor')).toBe(0);
    expect((await inboxOf('noor')).notifications).toHaveLength(1);
  });

  it('lists an alert as read for everyone when one person takes it by the link in the mail', async () => {
    await app.stored('update property set complaints = $1 where id = $2', [[dana.id, sam.id], pier.id]);
    await submit({ rating: 1, text: 'Take this' });
    const mail = await app.mailTo(sam.data.emailAddress, 'Take this');
    expect([await unread('dana'), await unread('sam')]).toEqual([1, 1]);
    const [, link = ''] = /(\/alert\/\S+)/.exec(mail) ?? [];
    await app.app.http.inject(link);
    expect(await unread('dana')).toBe(1);
    await app.app.http.inject({ method: 'POST', url: link, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    expect([await unread('dana'), await unread('sam')]).toEqual([0, 0]);
  });

  it('lists mentions as unread until they are read, and assignments while they are to be done', async () => {
    const id = await submit({ rating: 5, text: 'Lovely' });
    const words = { feedbackId: id, text: `@${sam.id} look` };
    const { body } = await ask('dana', 'comment.save', { idempotencyKey: newKey(), payload: { data: words } });
    await modify('dana', id, { assignee: sam.id });
    await waitUntilRelayed();
    const { notifications } = await inboxOf('sam');
    expect(notifications.map(({ data: { kind, by, count, words } }) => ({ kind, by, count, words }))).toEqual(
      expect.arrayContaining([
        { kind: 'assigned', by: dana.id, count: 1, words: 'Lovely' },
        { kind: 'mention', by: dana.id, count: undefined, words: `@${sam.data.displayName} look` },
      ]),
    );
    expect(await unread('sam')).toBe(2);
    // Changed text mentions no one again.
    await ask('dana', 'comment.save', { payload: { id: body.comment.id, data: { text: `@${sam.id} look, please` } } });
    await waitUntilRelayed();
    expect(await unread('sam')).toBe(2);
    await modify('noor', id, { status: 'done' });
    expect(await unread('sam')).toBe(1);
    await modify('noor', id, { status: 'open' });
    expect(await unread('sam')).toBe(2);
    await modify('noor', id, { assignee: null });
    expect(await unread('sam')).toBe(1);
    expect((await ask('sam', 'notification.markRead', { feedbackId: id })).body.unread).toBe(0);
    await modify('dana', id, { assignee: dana.id });
    await waitUntilRelayed();
    expect(await unread('dana')).toBe(0);
  });

  it('is unchanged when another person or account marks its notifications as read', async () => {
    await submit({ rating: 1 });
    await waitUntilRelayed();
    const [danaNotification] = (await inboxOf('dana')).notifications;
    for (const person of ['sam', 'rosa'] as const) {
      expect((await ask(person, 'notification.markRead', { notificationIds: [danaNotification?.id] })).body.status).toBe('ok');
      expect((await ask(person, 'notification.markRead', { feedbackId: danaNotification?.data.feedback?.id })).body.status).toBe('ok');
      await ask(person, 'notification.markAllRead');
      expect((await inboxOf(person)).notifications).toEqual([]);
    }
    expect(await unread('dana')).toBe(1);
    expect((await app.call('notification', 'list', {})).status).toBe(401);
  });

  it('notifies open pages when a notification arrives and when someone opens the feedback', async () => {
    let calls = 0;
    const { pubsub } = app.app.platform;
    const stop = openEventFeed(pubsub as never).ofAccount(dana.data.accountId, {
      onEvent: () => undefined,
      onNotified: () => (calls += 1),
    });
    const id = await submit({ rating: 1 });
    await expect.poll(() => calls).toBe(1);
    await modify('sam', id, { unread: false });
    await expect.poll(() => calls).toBe(2);
    // Later reads change no one's inbox.
    await modify('noor', id, { unread: false });
    await ask('dana', 'notification.markAllRead');
    await expect.poll(() => calls).toBe(3);
    stop();
  });

  it('adds one notification for each cause with several workers, one of them killed', async () => {
    const script = path.resolve(import.meta.dirname, '../../../test/support/worker.ts');
    const workers = [1, 2].map(() =>
      spawn(process.execPath, [script, JSON.stringify(app.connection), app.app.platform.config.dataDir], { stdio: 'ignore' }),
    );
    try {
      const working = `select 1 from pg_stat_activity where datname = current_database() and query ~ '^(listen|select pg_notify)'`;
      await expect.poll(async () => (await app.stored(working)).length).toBe(3);
      const ids: string[] = [];
      for (let visitor = 1; visitor <= 30; visitor += 1) {
        ids.push(await submit({ rating: 1 }));
        if (visitor === 20) workers[0]?.kill('SIGKILL');
      }
      await waitUntilRelayed();
      expect((await inboxOf('dana')).notifications.map(({ data }) => data.feedback?.id).sort()).toEqual(ids.sort());
    } finally {
      for (const worker of workers) worker.kill('SIGKILL');
    }
  });

  it('deletes notifications after 90 days, and marks dealt-with ones as read in batches', async () => {
    const [open, done] = [await submit({ rating: 1 }), await submit({ rating: 1 })];
    await waitUntilRelayed();
    await modify('sam', done, { status: 'done' });
    const upkeep = async () => {
      const { database, jobs } = app.app.platform;
      await database.transaction({}, (db) => jobs.queue(db, 'notification.upkeep', {}));
      const waiting = `select 1 from pgboss.job where name = 'notification.upkeep' and state not in ('completed', 'failed')`;
      await expect.poll(() => app.stored(waiting)).toEqual([]);
    };
    await upkeep();
    const stored = () =>
      app.stored('select feedback_id, read is not null as read from notification where user_id = $1 order by 1', [dana.id]);
    expect(await stored()).toEqual([open, done].sort().map((id) => ({ feedback_id: id, read: id === done })));
    await app.stored(
      `insert into notification (account_id, id, user_id, kind, cause, feedback_id, created)
       select account_id, id || n, user_id, kind, cause || n, feedback_id, created from notification, generate_series(1, 6000) n
         where user_id = $1 and feedback_id = $2`,
      [dana.id, done],
    );
    const batchSizes = await recordBatchSizes(app.stored, 'notification', 'update');
    await upkeep();
    expect(await batchSizes()).toEqual([5_000, 1_000]);
    app.advance(90 * DAY + HOUR);
    await upkeep();
    expect(await stored()).toEqual([]);
    await signInAll();
  });
});
