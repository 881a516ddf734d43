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

type Who = keyof typeof tokens;
const newFeedback = async (): Promise<string> => (await app.call('feedback', 'save', submission({ rating: 4 }))).body.feedback.id;
const ask = (who: Who, action: string, sent: object): Promise<Answered> => app.call('comment', action, sent, tokens[who]);
const write = (who: Who, text: string, { key = newKey(), on = feedbackId } = {}): Promise<Answered> =>
  ask(who, 'save', { idempotencyKey: key, payload: { data: { feedbackId: on, text } } });
const change = (who: Who, id: string, text: string): Promise<Answered> => ask(who, 'save', { payload: { id, data: { text } } });
const textsOn = async (on: string): Promise<string[]> =>
  (await ask('sam', 'list', { feedbackId: on })).body.comments.map(({ data }: { data: { text: string } }) => data.text);

describe('a comment', () => {
  it('is refused without words, without a key, with too many, and on what is not there', async () => {
    for (const text of ['', '  \n ', 'x'.repeat(2_001), 'a\0b']) expect((await write('sam', text)).body.code).toBe('bad-input');
    const keyless = await ask('sam', 'save', { payload: { data: { feedbackId, text: 'Hm' } } });
    expect(keyless.body.errors).toEqual([{ path: 'idempotencyKey', message: 'Send a key with a new comment' }]);
    const nowhere = await write('sam', 'Hm', { on: otherAccount.feedbackId });
    expect([nowhere.status, nowhere.body]).toEqual([404, { status: 'not found' }]);
    const forged = { idempotencyKey: newKey(), payload: { data: { feedbackId, text: 'Hm', createdBy: dana.id } } };
    expect((await ask('sam', 'save', forged)).body.errors[0].path).toBe('payload.data.createdBy');
  });

  it('stands first in the list, as its author’s', async () => {
    await write('sam', 'First words');
    const { body } = await write('noor', '  Second words ');
    expect(body.comment).toMatchObject({ sk: 'COMMENT', gs1sk: feedbackId });
    expect(body.comment.data).toMatchObject({ text: 'Second words', createdBy: noor.id, feedbackId, accountId: ACCOUNT_ID });
    expect(await textsOn(feedbackId)).toEqual(['Second words', 'First words']);
  });

  it('is one, however often and from however many places at once it is sent', async () => {
    const [on, key] = [await newFeedback(), newKey()];
    const answers = await Promise.all(Array.from({ length: 6 }, () => write('sam', 'Once', { on, key })));
    expect(new Set(answers.map(({ body }) => body.comment.id)).size).toBe(1);
    expect(await textsOn(on)).toEqual(['Once']);
    const told = await app.stored(`select 1 from event where name = 'comment.created' and subject = $1`, [answers[0]?.body.comment.id]);
    expect(told).toHaveLength(1);
    // A key is its author's: another person's is another comment.
    await write('noor', 'Also once', { on, key });
    expect(await textsOn(on)).toEqual(['Also once', 'Once']);
  });

  it('is listed page by page, in the order of its making', async () => {
    const on = await newFeedback();
    for (const text of ['a', 'b', 'c', 'd', 'e']) await write('sam', text, { on });
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await ask('dana', 'list', { feedbackId: on, limit: 2, ...(cursor && { cursor }) });
      expect(body.count).toBe(5);
      seen.push(...body.comments.map(({ data }: { data: { text: string } }) => data.text));
      cursor = body.cursor;
    }
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect((await ask('dana', 'list', { feedbackId: on, cursor: 'nonsense' })).body.comments).toEqual([]);
    expect((await ask('dana', 'count', { feedbackIds: [on, otherAccount.feedbackId] })).body.counts).toEqual([
      { feedbackId: on, count: 5 },
    ]);
  });

  it('is changed by its author and by nobody else', async () => {
    const { id } = (await write('sam', 'Before', { on: await newFeedback() })).body.comment;
    for (const who of ['noor', 'dana'] as const) expect((await change(who, id, 'Not his words')).body.code).toBe('not-allowed');
    expect((await change('sam', 'COMMENT_nobodyhere', 'Hm')).status).toBe(404);
    expect((await change('sam', id, 'Before')).body.comment.data.edited).toBeUndefined();
    const { body } = await change('sam', id, 'After');
    expect(body.comment.data).toMatchObject({ text: 'After', edited: expect.any(Number) });
  });

  it('is deleted by its author or an admin, and brought back by whoever did it, within a day', async () => {
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
    await app.stored(`update comment set deleted = deleted - interval '25 hours' where id = $1`, [id]);
    expect((await ask('sam', 'restore', { commentId: id })).status).toBe(404);
  });

  it('that was deleted is forgotten after a day, and nothing else is', async () => {
    const on = await newFeedback();
    const ids = [];
    for (const text of ['old', 'young', 'standing']) ids.push((await write('sam', text, { on })).body.comment.id);
    for (const commentId of ids.slice(0, 2)) await ask('sam', 'delete', { commentId });
    await app.stored(`update comment set deleted = deleted - interval '25 hours' where id = $1`, [ids[0]]);
    await app.stored(`insert into pgboss.job (name, data) values ('comment.upkeep', '{}')`);
    const left = () => app.stored<{ id: string }>('select id from comment where feedback_id = $1', [on]);
    await expect.poll(async () => (await left()).map(({ id }) => id).sort(), { timeout: 60_000 }).toEqual(ids.slice(1).sort());
  });

  it('goes with its feedback, and leaves with its property', async () => {
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

  it('tells those who follow ids and no words', async () => {
    const { id } = (await write('sam', `CANARY words @${noor.id}`)).body.comment;
    await change('sam', id, 'CANARY others');
    await ask('sam', 'delete', { commentId: id });
    await ask('sam', 'restore', { commentId: id });
    const told = await app.stored<{ name: string; data: object }>('select name, data from event where subject = $1 order by id', [id]);
    expect(told.map(({ name }) => name)).toEqual(['comment.created', 'comment.edited', 'comment.deleted', 'comment.restored']);
    expect(JSON.stringify(told)).not.toContain('CANARY');
  });

  it('comes 300 times an hour from one person, and no more', async () => {
    await app.stored('delete from rate_limit');
    await write('noor', 'once');
    await app.stored('update rate_limit set count = 299');
    const key = newKey();
    expect((await write('noor', 'the three hundredth', { key })).status).toBe(200);
    const { status, headers } = await write('noor', 'and again');
    expect(status).toBe(429);
    // What is only sent again counts no more.
    expect((await write('noor', 'the three hundredth', { key })).status).toBe(200);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('somebody who is mentioned', () => {
  const mailsTo = async (to: string): Promise<number> =>
    (await app.stored(`select 1 from delivery where reason like 'comment.%' and "to" = $1`, [to])).length;
  /** Until every event so far has been followed. */
  const settled = () =>
    expect.poll(async () => (await app.stored('select 1 from event where not relayed')).length, { timeout: 60_000 }).toBe(0);

  it('hears of it once, by a mail with a link and without the words; an edit tells whom it adds', async () => {
    await app.stored('delete from rate_limit');
    await settled();
    const before = { noor: await mailsTo(noor.data.emailAddress), dana: await mailsTo(dana.data.emailAddress) };
    const nobody = 'USER_00000000-0000-4000-8000-000000000000';
    const { id } = (await write('sam', `@${noor.id} @${noor.id} @${sam.id} @${nobody} @${otherAccount.userId}: CANARY`)).body.comment;
    const mail = await app.mailTo(noor.data.emailAddress, 'Sam Lee mentioned you on Afterword');
    expect(mail).toContain(`/?id=${feedbackId}`);
    expect(mail).toContain('Pier 4');
    expect(mail).not.toContain('CANARY');
    await change('sam', id, `@${dana.id} and @${noor.id}`);
    await change('sam', id, 'Nobody');
    await change('sam', id, `@${noor.id} @${dana.id}`);
    await settled();
    expect({ noor: await mailsTo(noor.data.emailAddress), dana: await mailsTo(dana.data.emailAddress) }).toEqual({
      noor: before.noor + 1,
      dana: before.dana + 1,
    });
    expect([await mailsTo(sam.data.emailAddress), await mailsTo(otherAccount.email)]).toEqual([0, 0]);
  });

  it('is no stranger, nor somebody who was invited and has not come', async () => {
    const invited = { payload: { data: { displayName: 'Ida', emailAddress: 'ida@harborcoffee.test', level: 'user' } } };
    const { user } = (await app.call('user', 'generate', invited, tokens.dana)).body.data;
    const { id } = (await write('sam', `@${user.id}`)).body.comment;
    const [told] = await app.stored<{ data: object }>('select data from event where subject = $1', [id]);
    expect(told?.data).toMatchObject({ mentioned: [] });
  });

  it('is mentioned 100 times an hour by one person; then the comment is refused and its author knows', async () => {
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
