import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, airport, dana, formOf, noor, sam } from '#fixtures/business.ts';
import { type Answered, openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { newKey, submission } from '../../test/support/submission.ts';

let app: TestApp;
let tokens: Record<'dana' | 'sam' | 'noor', string>;
let feedbackId: string;
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount });
  const [first, second, third] = [await app.signIn(), await app.signIn(sam.data.emailAddress), await app.signIn(noor.data.emailAddress)];
  tokens = { dana: first, sam: second, noor: third };
  feedbackId = await newFeedback();
});
afterAll(() => app.stop());

type Author = keyof typeof tokens;
const newFeedback = async (): Promise<string> => (await app.call('feedback', 'save', submission({ rating: 4 }))).body.feedback.id;
const ask = (teammate: Author, action: string, sent: object): Promise<Answered> => app.call('comment', action, sent, tokens[teammate]);
const write = (teammate: Author, text: string, { key = newKey(), on = feedbackId } = {}): Promise<Answered> =>
  ask(teammate, 'save', { idempotencyKey: key, payload: { data: { feedbackId: on, text } } });
const change = (teammate: Author, id: string, text: string): Promise<Answered> =>
  ask(teammate, 'save', { payload: { id, data: { text } } });
const textsOn = async (on: string): Promise<string[]> =>
  (await ask('sam', 'list', { feedbackId: on })).body.comments.map(({ data }: { data: { text: string } }) => data.text);

describe('a comment', () => {
  it('is refused without text or a key, with an extra field, or on unknown feedback', async () => {
    for (const text of ['', '  \n ', 'x'.repeat(2_001), 'a\0b']) expect((await write('sam', text)).body.code).toBe('bad-input');
    const keyless = await ask('sam', 'save', { payload: { data: { feedbackId, text: 'Hm' } } });
    expect(keyless.body.errors).toEqual([{ path: 'idempotencyKey', message: 'Send a key with a new comment' }]);
    const nowhere = await write('sam', 'Hm', { on: otherAccount.feedbackId });
    expect([nowhere.status, nowhere.body]).toEqual([404, { status: 'not found' }]);
    const forged = { idempotencyKey: newKey(), payload: { data: { feedbackId, text: 'Hm', createdBy: dana.id } } };
    expect((await ask('sam', 'save', forged)).body.errors[0].path).toBe('payload.data.createdBy');
  });

  it('is first in the list, with its author', async () => {
    await write('sam', 'First words');
    const { body } = await write('noor', '  Second words ');
    expect(body.comment).toMatchObject({ sk: 'COMMENT', gs1sk: feedbackId });
    expect(body.comment.data).toMatchObject({ text: 'Second words', createdBy: noor.id, feedbackId, accountId: ACCOUNT_ID });
    expect(await textsOn(feedbackId)).toEqual(['Second words', 'First words']);
  });

  it('is stored once when it is sent concurrently with the same key', async () => {
    const [on, key] = [await newFeedback(), newKey()];
    const answers = await Promise.all(Array.from({ length: 6 }, () => write('sam', 'Once', { on, key })));
    expect(new Set(answers.map(({ body }) => body.comment.id)).size).toBe(1);
    expect(await textsOn(on)).toEqual(['Once']);
    const events = await app.stored(`select 1 from event where name = 'comment.created' and subject = $1`, [answers[0]?.body.comment.id]);
    expect(events).toHaveLength(1);
    // Keys are per author.
    await write('noor', 'Also once', { on, key });
    expect(await textsOn(on)).toEqual(['Also once', 'Once']);
  });

  it('is listed page by page, newest first', async () => {
    const on = await newFeedback();
    for (const text of ['a', 'b', 'c', 'd', 'e']) await write('sam', text, { on });
    const texts: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await ask('dana', 'list', { feedbackId: on, limit: 2, ...(cursor && { cursor }) });
      expect(body.count).toBe(5);
      texts.push(...body.comments.map(({ data }: { data: { text: string } }) => data.text));
      cursor = body.cursor;
    }
    expect(texts).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect((await ask('dana', 'list', { feedbackId: on, cursor: 'nonsense' })).body.comments).toEqual([]);
    expect((await ask('dana', 'count', { feedbackIds: [on, otherAccount.feedbackId] })).body.counts).toEqual([
      { feedbackId: on, count: 5 },
    ]);
  });

  it('is changed only by its author', async () => {
    const { id } = (await write('sam', 'Before', { on: await newFeedback() })).body.comment;
    for (const teammate of ['noor', 'dana'] as const) expect((await change(teammate, id, 'Not his words')).body.code).toBe('not-allowed');
    expect((await change('sam', 'COMMENT_nobodyhere', 'Hm')).status).toBe(404);
    expect((await change('sam', id, 'Before')).body.comment.data.edited).toBeUndefined();
    const { body } = await change('sam', id, 'After');
    expect(body.comment.data).toMatchObject({ text: 'After', edited: expect.any(Number) });
  });

  it('is deleted by its author or an admin, who can restore it within a day', async () => {
    const on = await newFeedback();
    const { id } = (await write('sam', 'Gone', { on })).body.comment;
    expect((await ask('noor', 'delete', { commentId: id })).body.code).toBe('not-allowed');
    expect((await ask('dana', 'delete', { commentId: id })).body).toEqual({ status: 'ok' });
    expect((await ask('dana', 'delete', { commentId: id })).status).toBe(404);
    expect(await textsOn(on)).toEqual([]);
    expect((await ask('sam', 'restore', { commentId: id })).status).toBe(404);
    expect((await ask('dana', 'restore', { commentId: id })).body.comment.data).toMatchObject({ text: 'Gone', createdBy: sam.id });
    expect((await ask('dana', 'restore', { commentId: id })).body.status).toBe('ok');
    expect(await textsOn(on)).toEqual(['Gone']);
    await ask('sam', 'delete', { commentId: id });
    await app.stored(`update comment set deleted = now() - interval '25 hours' where id = $1`, [id]);
    expect((await ask('sam', 'restore', { commentId: id })).status).toBe(404);
  });

  it('is permanently deleted a day after it was deleted', async () => {
    const on = await newFeedback();
    const ids = [];
    for (const text of ['old', 'recent', 'existing']) ids.push((await write('sam', text, { on })).body.comment.id);
    for (const commentId of ids.slice(0, 2)) await ask('sam', 'delete', { commentId });
    await app.stored(`update comment set deleted = now() - interval '25 hours' where id = $1`, [ids[0]]);
    await app.stored(`insert into pgboss.job (name, data) values ('comment.upkeep', '{}')`);
    const left = () => app.stored<{ id: string }>('select id from comment where feedback_id = $1', [on]);
    await expect.poll(async () => (await left()).map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
  });

  it('is deleted with its feedback, and hidden with its property', async () => {
    const { body } = await app.call('feedback', 'save', submission({ rating: 5 }, { form: formOf(airport) }));
    const on = body.feedback.id;
    const { id } = (await write('sam', 'At the airport', { on })).body.comment;
    await app.call('property', 'delete', { propertyId: airport.id }, tokens.dana);
    expect((await ask('sam', 'list', { feedbackId: on })).status).toBe(404);
    for (const action of ['delete', 'restore']) expect((await ask('sam', action, { commentId: id })).status).toBe(404);
    expect((await change('sam', id, 'Still there?')).status).toBe(404);
    await app.stored('delete from feedback where id = $1', [on]);
    expect(await app.stored('select 1 from comment where id = $1', [id])).toEqual([]);
  });

  it('records events with ids and without text', async () => {
    const { id } = (await write('sam', `CANARY words @${noor.id}`)).body.comment;
    await change('sam', id, 'CANARY others');
    await ask('sam', 'delete', { commentId: id });
    await ask('sam', 'restore', { commentId: id });
    const events = await app.stored<{ name: string; data: object }>('select name, data from event where subject = $1 order by id', [id]);
    expect(events.map(({ name }) => name)).toEqual(['comment.created', 'comment.edited', 'comment.deleted', 'comment.restored']);
    expect(JSON.stringify(events)).not.toContain('CANARY');
  });

  it('is limited to 300 an hour per person', async () => {
    await app.stored('delete from rate_limit');
    await write('noor', 'once');
    await app.stored('update rate_limit set count = 299');
    const key = newKey();
    expect((await write('noor', 'the three hundredth', { key })).status).toBe(200);
    const { status, headers } = await write('noor', 'and again');
    expect(status).toBe(429);
    // Repeats don't count.
    expect((await write('noor', 'the three hundredth', { key })).status).toBe(200);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('a mentioned teammate', () => {
  const mailsTo = async (to: string): Promise<number> =>
    (await app.stored(`select 1 from delivery where reason like 'comment.%' and "to" = $1`, [to])).length;
  /** Waits until every event so far has been relayed. */
  const waitUntilRelayed = () => expect.poll(async () => (await app.stored('select 1 from event where not relayed')).length).toBe(0);

  it('gets one email with a link but no text; an edit notifies only added teammates', async () => {
    await app.stored('delete from rate_limit');
    await waitUntilRelayed();
    const before = { noor: await mailsTo(noor.data.emailAddress), dana: await mailsTo(dana.data.emailAddress) };
    const unknown = 'USER_00000000-0000-4000-8000-000000000000';
    const { id } = (await write('sam', `@${noor.id} @${noor.id} @${sam.id} @${unknown} @${otherAccount.userId}: CANARY`)).body.comment;
    const mail = await app.mailTo(noor.data.emailAddress, 'Sam Lee mentioned you on Afterword');
    expect(mail).toContain(`/?id=${feedbackId}`);
    expect(mail).toContain('Pier 4');
    expect(mail).not.toContain('CANARY');
    await change('sam', id, `@${dana.id} and @${noor.id}`);
    await change('sam', id, 'Nobody');
    await change('sam', id, `@${noor.id} @${dana.id}`);
    await waitUntilRelayed();
    expect({ noor: await mailsTo(noor.data.emailAddress), dana: await mailsTo(dana.data.emailAddress) }).toEqual({
      noor: before.noor + 1,
      dana: before.dana + 1,
    });
    expect([await mailsTo(sam.data.emailAddress), await mailsTo(otherAccount.email)]).toEqual([0, 0]);
  });

  it('must be on the team and have joined', async () => {
    const invited = { payload: { data: { displayName: 'Ida', emailAddress: 'ida@harborcoffee.test', level: 'user' } } };
    const { user } = (await app.call('user', 'generate', invited, tokens.dana)).body.data;
    const { id } = (await write('sam', `@${user.id}`)).body.comment;
    const [event] = await app.stored<{ data: object }>('select data from event where subject = $1', [id]);
    expect(event?.data).toMatchObject({ mentioned: [] });
  });

  it('is notified at most 100 times an hour per author; further comments are refused', async () => {
    await app.stored('delete from rate_limit');
    await write('sam', `@${noor.id} @${dana.id}`);
    await app.stored('update rate_limit set count = 99');
    expect((await write('sam', `@${noor.id}: the hundredth`)).status).toBe(200);
    const on = await newFeedback();
    expect((await write('sam', `@${noor.id}`, { on })).status).toBe(429);
    expect(await textsOn(on)).toEqual([]);
    expect((await write('sam', 'No one', { on })).status).toBe(200);
  });
});
