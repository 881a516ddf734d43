import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userId } from '#contract/core/ids.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import { ACCOUNT_ID, dana, oldTown, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { formOf, submission } from '../../test/support/submission.ts';

/* What the team does with feedback: all of it through one operation, each change written down, and taken back by its opposite. */

let app: TestApp;
/** Dana is an admin, Sam is not. */
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
  (await inbox()).waiting.find((each: { propertyId: string }) => each.propertyId === propertyId)?.count ?? 0;
const list = async (query: object, token = asDana) =>
  (await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 100, ...query }, token)).body.feedback.map(
    ({ id }: { id: string }) => id,
  );
const history = async (feedbackId: string) => (await app.call('feedback', 'history', { feedbackId }, asDana)).body.history;
const makeTag = async (displayName: string, token = asDana) => app.call('tag', 'save', { payload: { data: { displayName } } }, token);

describe('a change', () => {
  it('names the field that is wrong, and changes nothing of the others', async () => {
    const [one, other] = [await submitted(1), await submitted(2)];
    const stranger = userId(randomUUID());
    const { status, body } = await modify([
      { feedbackId: one, status: 'done' },
      { feedbackId: other, assignee: stranger },
    ]);
    expect([status, body.errors]).toEqual([400, [{ path: 'changes.1.assignee', message: 'This person isn’t on your team' }]]);
    expect((await get(one)).status).toBe('new');
    const unknownTag = await modify([{ feedbackId: one, addTags: ['TAG_a1B2c3D4e5'] }]);
    expect(unknownTag.body.errors[0].path).toBe('changes.0.addTags');
    expect((await modify([{ feedbackId: one }, { feedbackId: one }])).status).toBe(400);
    expect((await modify([])).status).toBe(400);
    expect((await modify([{ feedbackId: 'EXPERIENCE_20260101_1767225600000_nobdy', status: 'done' }])).body.status).toBe('not found');
  });

  it('says who set the status and when, is done once, and stands in the history', async () => {
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

  it('of a hundred pieces is one, and of more is refused', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => submitted(2, formOf(oldTown.data.formId))));
    const { body } = await modify(ids.map((feedbackId) => ({ feedbackId, status: 'waiting' })));
    expect(body.feedback).toHaveLength(100);
    expect(await list({ status: 'waiting' })).toEqual([...ids].sort().reverse());
    expect((await modify([...ids, await submitted(1)].map((feedbackId) => ({ feedbackId, status: 'done' })))).status).toBe(400);
    await modify(ids.map((feedbackId) => ({ feedbackId, status: 'done' })));
  });

  it('of two people at once loses no tag', async () => {
    const [slow, rude] = await Promise.all(['Slow', 'Rude'].map(async (name) => (await makeTag(name)).body.tag.id as string));
    const id = await submitted(2);
    await Promise.all([modify([{ feedbackId: id, addTags: [slow] }]), modify([{ feedbackId: id, addTags: [rude] }], asSam)]);
    expect((await get(id)).tags.toSorted()).toEqual([slow, rude].toSorted());
    expect(await list({ tag: slow })).toEqual([id]);
    await modify([{ feedbackId: id, removeTags: [slow] }]);
    expect([await list({ tag: slow }), await list({ tag: rude })]).toEqual([[], [id]]);
    const many = await Promise.all(Array.from({ length: 10 }, async (_, at) => (await makeTag(`Tag ${at}`)).body.tag.id));
    expect((await modify([{ feedbackId: id, addTags: many }])).body.errors[0]).toEqual({
      path: 'changes.0.addTags',
      message: 'At most 10 tags',
    });
  });

  it('is undone for somebody who leaves the team', async () => {
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

describe('whoever waits', () => {
  it('is counted and listed, longest first, until somebody deals with them', async () => {
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

  it('is paged from the oldest on, each once', async () => {
    const all = await list({ waiting: true, order: 'oldest' });
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
    expect(paged).toEqual(all);
    expect(all).toEqual(all.toSorted());
  });
});

describe('somebody whom feedback is assigned to', () => {
  const mailsTo = async (to: string): Promise<number> =>
    (await app.stored(`select 1 from delivery where reason = 'feedback.handed-over' and "to" = $1`, [to])).length;
  /** Until every event so far has been followed. */
  const settled = () =>
    expect.poll(async () => (await app.stored('select 1 from event where not relayed')).length, { timeout: 60_000 }).toBe(0);
  const give = (ids: readonly string[], assignee: string | null, token = asDana) =>
    modify(
      ids.map((feedbackId) => ({ feedbackId, assignee })),
      token,
    );

  it('hears of it by a mail with a link and without the words, and not of what they take themselves', async () => {
    const { idempotencyKey, payload } = submission({ rating: 2, text: 'CANARY' });
    const id = (await app.call('feedback', 'save', { idempotencyKey, payload })).body.feedback.id;
    await give([id], dana.id);
    await give([id], null);
    await settled();
    expect(await mailsTo(dana.data.emailAddress)).toBe(0);
    await give([id], sam.id);
    const mail = await app.mailTo(sam.data.emailAddress, 'Dana Moss assigned feedback to you on Afterword');
    expect(mail).toContain(`/?id=${id}`);
    expect(mail).toContain('Pier 4');
    expect(mail).not.toContain('CANARY');
  });

  it('hears once of many, and not of what was taken back meanwhile', async () => {
    await settled();
    const before = await mailsTo(sam.data.emailAddress);
    const ids = [await submitted(1), await submitted(1), await submitted(1)];
    await give(ids, sam.id);
    expect(await app.mailTo(sam.data.emailAddress, '3 feedback items are')).toContain(`/?range=all&assignee=${sam.id}`);
    await settled();
    expect(await mailsTo(sam.data.emailAddress)).toBe(before + 1);
    await give(ids, null);
    await app.stored(`update event set relayed = false where name = 'feedback.handed-over' and subject = any($1)`, [ids]);
    await app.stored(`select pg_notify('event', '')`);
    await give([await submitted(4)], dana.id, asDana);
    await settled();
    expect(await mailsTo(sam.data.emailAddress)).toBe(before + 1);
  });
});

describe('unread', () => {
  it('is each person’s own: what came since they joined, until they open it or mark it', async () => {
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

  it('is nothing after all was marked as read, until something comes or is marked again', async () => {
    const old = await submitted(4);
    expect((await app.call('feedback', 'markAllRead', {}, asDana)).body.status).toBe('ok');
    expect([(await inbox()).unread, await list({ unread: true })]).toEqual([0, []]);
    expect((await inbox(asSam)).unread).toBeGreaterThan(0);
    await modify([{ feedbackId: old, unread: true }]);
    app.advance(5);
    const fresh = await submitted(5);
    expect(await list({ unread: true })).toEqual([fresh, old]);
    expect((await inbox()).unread).toBe(2);
  });
});

describe('tags', () => {
  it('have names of their own, by members; admins delete them', async () => {
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

it('every list walks an index, and sorts nothing', async () => {
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
