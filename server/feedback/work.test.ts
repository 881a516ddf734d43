import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userId } from '#contract/core/ids.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import { ACCOUNT_ID, dana, oldTown, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { formOf, submission } from '../../test/support/submission.ts';

/* The team's work on feedback: one operation, each change recorded, and undone by the opposite change. */

let app: TestApp;
/** Dana is an admin, Sam isn't. */
let [asDana, asSam] = ['', ''];
beforeAll(async () => {
  app = await openTestApp();
  asDana = await app.signIn();
  asSam = await app.signIn(sam.data.emailAddress);
});
afterAll(() => app.stop());

const submitted = async (rating: Rating, form = formOf()): Promise<string> =>
  (await app.call('feedback', 'save', submission({ rating }, { form }))).body.feedback.id;
const modify = (changes: readonly object[], token = asDana) => app.call('feedback', 'modify', { changes }, token);
const get = async (feedbackId: string, token = asDana) => (await app.call('feedback', 'get', { feedbackId }, token)).body.feedback.data;
const inbox = async (token = asDana) => (await app.call('feedback', 'inbox', { accountId: ACCOUNT_ID }, token)).body;
const waitingAt = async (propertyId: string): Promise<number> =>
  (await inbox()).waiting.find((entry: { propertyId: string }) => entry.propertyId === propertyId)?.count ?? 0;
const list = async (query: object, token = asDana) =>
  (await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 100, ...query }, token)).body.feedback.map(
    ({ id }: { id: string }) => id,
  );
const history = async (feedbackId: string) => (await app.call('feedback', 'history', { feedbackId }, asDana)).body.history;
const makeTag = async (displayName: string, token = asDana) => app.call('tag', 'save', { payload: { data: { displayName } } }, token);

describe('a change', () => {
  it('with an invalid field is refused as a whole, naming the field', async () => {
    const [first, second] = [await submitted(1), await submitted(2)];
    const stranger = userId(randomUUID());
    const { status, body } = await modify([
      { feedbackId: first, status: 'done' },
      { feedbackId: second, assignee: stranger },
    ]);
    expect([status, body.errors]).toEqual([400, [{ path: 'changes.1.assignee', message: 'This person isn’t on your team' }]]);
    expect((await get(first)).status).toBe('new');
    const unknownTag = await modify([{ feedbackId: first, addTags: ['TAG_a1B2c3D4e5'] }]);
    expect(unknownTag.body.errors[0].path).toBe('changes.0.addTags');
    expect((await modify([{ feedbackId: first }, { feedbackId: first }])).status).toBe(400);
    expect((await modify([])).status).toBe(400);
    expect((await modify([{ feedbackId: 'EXPERIENCE_20260101_1767225600000_nobdy', status: 'done' }])).body.status).toBe('not found');
  });

  it('stores who set the status and when, and appears once in the history', async () => {
    const id = await submitted(1);
    const before = Date.now();
    const { body } = await modify([{ feedbackId: id, status: 'done', assignee: sam.id }], asSam);
    expect(body.feedback[0].data).toMatchObject({ status: 'done', statusBy: sam.id, assignee: sam.id });
    expect(body.feedback[0].data.statusAt).toBeGreaterThanOrEqual(before - 1_000);
    await modify([{ feedbackId: id, status: 'done', assignee: sam.id }]);
    await modify([{ feedbackId: id, status: 'new', assignee: null }]);
    expect((await history(id)).map(({ name, actor, data }: { name: string; actor: string; data: object }) => [name, actor, data])).toEqual([
      ['feedback.assigned', dana.id, { propertyId: pier.id, from: sam.id, to: null }],
      ['feedback.status-changed', dana.id, { propertyId: pier.id, from: 'done', to: 'new' }],
      ['feedback.assigned', sam.id, { propertyId: pier.id, from: null, to: sam.id }],
      ['feedback.status-changed', sam.id, { propertyId: pier.id, from: 'new', to: 'done' }],
    ]);
    expect('assignee' in (await get(id))).toBe(false);
  });

  it('of a hundred items succeeds, and of more is refused', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => submitted(2, formOf(oldTown.data.formId))));
    const { body } = await modify(ids.map((feedbackId) => ({ feedbackId, status: 'waiting' })));
    expect(body.feedback).toHaveLength(100);
    expect(await list({ status: 'waiting' })).toEqual([...ids].sort().reverse());
    expect((await modify([...ids, await submitted(1)].map((feedbackId) => ({ feedbackId, status: 'done' })))).status).toBe(400);
    await modify(ids.map((feedbackId) => ({ feedbackId, status: 'done' })));
  });

  it('concurrent with another loses no tag', async () => {
    const [slow, rude] = await Promise.all(['Slow', 'Rude'].map(async (name) => (await makeTag(name)).body.tag.id as string));
    const id = await submitted(2);
    await Promise.all([modify([{ feedbackId: id, addTags: [slow] }]), modify([{ feedbackId: id, addTags: [rude] }], asSam)]);
    expect((await get(id)).tags.toSorted()).toEqual([slow, rude].toSorted());
    expect(await list({ tag: slow })).toEqual([id]);
    await modify([{ feedbackId: id, removeTags: [slow] }]);
    expect([await list({ tag: slow }), await list({ tag: rude })]).toEqual([[], [id]]);
    const tagIds = await Promise.all(Array.from({ length: 10 }, async (_, at) => (await makeTag(`Tag ${at}`)).body.tag.id));
    expect((await modify([{ feedbackId: id, addTags: tagIds }])).body.errors[0]).toEqual({
      path: 'changes.0.addTags',
      message: 'At most 10 tags',
    });
  });

  it('unassigns someone who leaves the team', async () => {
    const id = await submitted(2);
    const { body } = await app.call(
      'user',
      'generate',
      { payload: { data: { displayName: 'Lin', emailAddress: 'lin@harbor.test', level: 'user' } } },
      asDana,
    );
    const invited = body.data.user.id;
    expect((await modify([{ feedbackId: id, assignee: invited }])).body.errors[0].path).toBe('changes.0.assignee');
    await app.stored(`update "user" set invited = false where id = $1`, [invited]);
    await modify([{ feedbackId: id, assignee: invited }]);
    expect(await list({ assignee: invited })).toEqual([id]);
    expect(await list({ assignee: 'nobody', rating: 2 })).not.toContain(id);
    await app.call('user', 'delete', { userId: invited }, asDana);
    expect('assignee' in (await get(id))).toBe(false);
  });
});

describe('a waiting visitor', () => {
  it('is counted and listed, longest wait first, until someone acts', async () => {
    const before = await waitingAt(pier.id);
    const [first, second] = [await submitted(1), await submitted(2)];
    await submitted(3);
    expect(await waitingAt(pier.id)).toBe(before + 2);
    expect((await list({ waiting: true, order: 'oldest' })).slice(-2)).toEqual([first, second]);
    await modify([{ feedbackId: first, status: 'open' }]);
    expect(await waitingAt(pier.id)).toBe(before + 2);
    await modify([{ feedbackId: first, status: 'waiting' }]);
    await modify([{ feedbackId: second, status: 'done' }]);
    expect(await waitingAt(pier.id)).toBe(before);
    expect(await list({ waiting: true })).not.toContain(first);
    await modify([{ feedbackId: second, status: 'new' }]);
    expect(await waitingAt(pier.id)).toBe(before + 1);
  });

  it('is listed once when paging from the oldest', async () => {
    const ids = await list({ waiting: true, order: 'oldest' });
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await app.call(
        'feedback',
        'list',
        { accountId: ACCOUNT_ID, waiting: true, order: 'oldest', limit: 2, ...(cursor && { cursor }) },
        asDana,
      );
      paged.push(...body.feedback.map(({ id }: { id: string }) => id));
      cursor = body.cursor;
    }
    expect(paged).toEqual(ids);
    expect(ids).toEqual(ids.toSorted());
  });
});

describe('an assignee', () => {
  const mailsTo = async (to: string): Promise<number> =>
    (await app.stored(`select 1 from delivery where reason = 'feedback.handed-over' and "to" = $1`, [to])).length;
  /** Waits until every event so far has been relayed. */
  const waitUntilRelayed = () => expect.poll(async () => (await app.stored('select 1 from event where not relayed')).length).toBe(0);
  const assign = (ids: readonly string[], assignee: string | null, token = asDana) =>
    modify(
      ids.map((feedbackId) => ({ feedbackId, assignee })),
      token,
    );

  it('gets an email with a link but no text, unless they assigned it to themselves', async () => {
    const { idempotencyKey, payload } = submission({ rating: 2, text: 'CANARY' });
    const id = (await app.call('feedback', 'save', { idempotencyKey, payload })).body.feedback.id;
    await assign([id], dana.id);
    await assign([id], null);
    await waitUntilRelayed();
    expect(await mailsTo(dana.data.emailAddress)).toBe(0);
    await assign([id], sam.id);
    const mail = await app.mailTo(sam.data.emailAddress, 'Dana Moss assigned feedback to you on Afterword');
    expect(mail).toContain(`/?id=${id}`);
    expect(mail).toContain('Pier 4');
    expect(mail).not.toContain('CANARY');
  });

  it('gets one email for several items, and none for items unassigned before it is sent', async () => {
    await waitUntilRelayed();
    const before = await mailsTo(sam.data.emailAddress);
    const ids = [await submitted(1), await submitted(1), await submitted(1)];
    await assign(ids, sam.id);
    expect(await app.mailTo(sam.data.emailAddress, '3 feedback items are')).toContain(`/?range=all&assignee=${sam.id}`);
    await waitUntilRelayed();
    expect(await mailsTo(sam.data.emailAddress)).toBe(before + 1);
    await assign(ids, null);
    await app.stored(`update event set relayed = false where name = 'feedback.handed-over' and subject = any($1)`, [ids]);
    await app.stored(`select pg_notify('event', '')`);
    await assign([await submitted(4)], dana.id, asDana);
    await waitUntilRelayed();
    expect(await mailsTo(sam.data.emailAddress)).toBe(before + 1);
  });
});

describe('unread', () => {
  it('is per person: feedback since they joined, until they open or mark it', async () => {
    const id = await submitted(4);
    expect([(await get(id)).unread, (await get(id, asSam)).unread]).toEqual([true, true]);
    const count = (await inbox()).unread;
    const { body } = await modify([{ feedbackId: id, unread: false }]);
    expect('unread' in body.feedback[0].data).toBe(false);
    expect([(await get(id)).unread, (await get(id, asSam)).unread]).toEqual([undefined, true]);
    expect((await inbox()).unread).toBe(count - 1);
    expect(await list({ unread: true })).not.toContain(id);
    expect(await list({ unread: true }, asSam)).toContain(id);
    expect(await history(id)).toEqual([]);
  });

  it('is empty after everything was marked as read, until something arrives or is marked as unread', async () => {
    const old = await submitted(4);
    expect((await app.call('feedback', 'markAllRead', {}, asDana)).body.status).toBe('ok');
    expect([(await inbox()).unread, await list({ unread: true })]).toEqual([0, []]);
    expect((await inbox(asSam)).unread).toBeGreaterThan(0);
    await modify([{ feedbackId: old, unread: true }]);
    app.advance(5);
    const newest = await submitted(5);
    expect(await list({ unread: true })).toEqual([newest, old]);
    expect((await inbox()).unread).toBe(2);
  });
});

describe('tags', () => {
  it('are named uniquely by members and deleted by admins', async () => {
    const { body } = await makeTag('  Queue   at noon ', asSam);
    expect(body.tag.data.displayName).toBe('Queue at noon');
    expect((await makeTag('queue AT noon')).body.errors).toEqual([
      { path: 'payload.data.displayName', message: 'You already have a tag with this name' },
    ]);
    const renamed = await app.call('tag', 'save', { payload: { id: body.tag.id, data: { displayName: 'Queue' } } }, asSam);
    expect(renamed.body.tag).toMatchObject({ id: body.tag.id, data: { displayName: 'Queue' } });
    expect((await app.call('tag', 'delete', { tagId: body.tag.id }, asSam)).status).toBe(403);
    expect((await app.call('tag', 'delete', { tagId: body.tag.id }, asDana)).body).toEqual({ status: 'ok' });
    expect((await app.call('tag', 'delete', { tagId: body.tag.id }, asDana)).body.status).toBe('not found');
  });
});

it('walks an index and sorts nothing for every list', async () => {
  const client = await app.connect();
  for (const where of [
    `urgent and suspected is not true and test is not true and status in ('new', 'open')`,
    `status <> 'new' and status = 'done' and suspected is not true`,
    `assignee = 'USER_x' and suspected is not true`,
  ]) {
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off');
    const { rows } = await client.query(
      `explain select * from feedback where account_id = 'ACCOUNT_x' and ${where} order by id desc limit 26`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan Backward using feedback_(?:waiting|of_status|of_assignee)/);
    expect(plan).not.toContain('Sort');
  }
  await client.end();
});
