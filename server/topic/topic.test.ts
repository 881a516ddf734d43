import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { hasPhrase } from '#contract/topic/matching.ts';
import { ACCOUNT_ID, airport, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, CANARY, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { formOf, newKey, submission } from '../../test/support/submission.ts';
import { inAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

let app: TestApp;
/** After all answers of the sample business. */
let now = Date.parse('2027-03-01T12:00:00Z');
let [admin, member] = ['', ''];
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount, clock: () => now });
  [admin, member] = [await app.signIn(), await app.signIn(sam.data.emailAddress)];
});
afterAll(() => app.stop());

const START = now;
const call = (action: string, sent: object, token = admin) => app.call('topic', action, sent, token);
const save = async (displayName: string, phrases: string[]) =>
  (await call('save', { payload: { data: { displayName, phrases } } })).body.topic.id;
const visit = async (answers: Parameters<typeof submission>[0], { property = pier, key = newKey() } = {}): Promise<string> => {
  now += 1_000;
  return (await app.call('feedback', 'save', submission(answers, { key, form: formOf(property.data.formId) }))).body.feedback.id;
};
/** Waits until every event is relayed and every topic is matched. */
const waitUntilMatched = () =>
  vi.waitFor(async () => {
    expect(await app.stored('select 1 from event where not relayed')).toEqual([]);
    expect(await app.stored(`select 1 from pgboss.job where name = 'topic.match' and state < 'completed'`)).toEqual([]);
  }, PATIENT);
const countsOf = async (topicId: string, query: object = {}) => {
  await waitUntilMatched();
  const range = { accountId: ACCOUNT_ID, from: START, to: now + 1, ...query };
  const { counts } = (await call('counts', range, member)).body;
  return counts.find((each: { topicId: string }) => each.topicId === topicId);
};
const ratingsOf = async (topicId: string, query: object = {}) => (await countsOf(topicId, query)).ratings;
const examplesOf = async (topicId: string): Promise<string[]> => {
  await waitUntilMatched();
  const { feedback } = (await call('examples', { topicId, from: START, to: now + 1 }, member)).body;
  return feedback.map(({ id }: { id: string }) => id);
};

describe('topics', () => {
  it('start with those of the type of business, in the languages of the forms, once', async () => {
    const { body } = await call('setUp', { businessType: 'hotel' });
    const names = body.topics.map(({ data }: { data: { displayName: string } }) => data.displayName);
    expect(names).toEqual(expect.arrayContaining(['Staff', 'Breakfast', 'Cleanliness']));
    expect(JSON.stringify(body.topics)).not.toContain('sauber');
    expect((await call('setUp', { businessType: 'shop' })).body.code).toBe('conflict');
    for (const { id } of body.topics) expect((await call('delete', { topicId: id })).body.status).toBe('ok');
  });

  it('refuse members, wrong phrases, taken names and another account’s topic', async () => {
    const sent = { payload: { data: { displayName: 'Noise', phrases: ['loud'] } } };
    expect((await call('save', sent, member)).body.code).toBe('not-allowed');
    const id = await save('Noise', ['LOUD', ' so  noisy ']);
    expect((await call('list', { accountId: ACCOUNT_ID }, member)).body.topics[0].data.phrases).toEqual(['loud', 'so noisy']);
    expect((await call('save', { payload: { data: { displayName: 'NOISE', phrases: [] } } })).body.errors[0].path).toBe(
      'payload.data.displayName',
    );
    for (const phrase of ['', '*', 'one two three four', 'x'.repeat(61), 'a\0'])
      expect((await call('save', { payload: { id, data: { phrases: ['ok', phrase] } } })).body.errors[0].path).toBe(
        'payload.data.phrases.1',
      );
    expect((await call('save', { payload: { id, data: { phrases: ['ok', 'OK'] } } })).body.errors[0].path).toBe('payload.data.phrases');
    expect((await call('merge', { topicId: id, otherTopicId: otherAccount.topicId })).body.status).toBe('not found');
    expect((await call('merge', { topicId: id, otherTopicId: id })).body.errors[0].path).toBe('otherTopicId');
    expect(JSON.stringify((await call('list', { accountId: ACCOUNT_ID })).body)).not.toContain(CANARY);
    await call('delete', { topicId: id });
  });
});

describe('the answers about a topic', () => {
  it('are those with any of its phrases, old and new, and follow every change', async () => {
    const old = await visit({ rating: 2, text: 'The queue was endless' });
    const topicId = await save('Waiting', ['queue', 'had to wait']);
    expect(await examplesOf(topicId)).toEqual([old]);
    const key = newKey();
    const amended = await visit({ rating: 3, text: 'We HAD to wait, twice' }, { key });
    await visit({ rating: 5, text: 'The waiter was quick' });
    expect(await ratingsOf(topicId)).toEqual([0, 1, 1, 0, 0]);
    // Another rating of the same answer.
    await visit({ rating: 1 }, { key });
    expect(await ratingsOf(topicId)).toEqual([1, 1, 0, 0, 0]);
    expect(await examplesOf(topicId)).toEqual([amended, old]);
    await visit({ rating: 1, text: 'Nothing to say' }, { key });
    expect(await ratingsOf(topicId)).toEqual([0, 1, 0, 0, 0]);
    const contact = { answer: 'Yes' as const, email: 'topic@example.com' };
    await visit({ rating: 4, text: 'A queue', contact });
    expect(await ratingsOf(topicId)).toEqual([0, 1, 0, 1, 0]);
    await app.call('privacy', 'erase', { contact: 'topic@example.com' }, admin);
    expect(await ratingsOf(topicId)).toEqual([0, 1, 0, 0, 0]);
    await call('save', { payload: { id: topicId, data: { phrases: ['quick*'] } } });
    expect(await ratingsOf(topicId)).toEqual([0, 0, 0, 0, 1]);
    await call('delete', { topicId });
    await waitUntilMatched();
    expect(await app.stored('select 1 from topic_match where topic_id = $1', [topicId])).toEqual([]);
  });

  it('are found again if the job repeats, and with the newest of several changes', async () => {
    const topicId = await save('Music', ['waltz']);
    await visit({ rating: 2, text: 'A slow waltz' });
    await visit({ rating: 4, text: 'A tango at last' });
    for (const phrases of [['tango'], ['waltz', 'tango'], ['tango']]) await call('save', { payload: { id: topicId, data: { phrases } } });
    expect(await ratingsOf(topicId)).toEqual([0, 0, 0, 1, 0]);
    await app.stored(`update pgboss.job set state = 'retry', start_after = now() where name = 'topic.match' and data ->> 'topicId' = $1`, [
      topicId,
    ]);
    expect(await ratingsOf(topicId)).toEqual([0, 0, 0, 1, 0]);
    expect(
      (await call('list', { accountId: ACCOUNT_ID })).body.topics.find(({ id }: { id: string }) => id === topicId).data.isMatched,
    ).toBe(true);
  });

  it('are looked for from where a run was cut off', async () => {
    const topicId = await save('Gardens', ['orchid']);
    await visit({ rating: 2, text: 'An orchid, wilted' });
    const newer = await visit({ rating: 4, text: 'An orchid in bloom' });
    expect(await ratingsOf(topicId)).toEqual([0, 1, 0, 1, 0]);
    await app.stored('delete from topic_match where topic_id = $1', [topicId]);
    await app.stored('update topic set matched = null, reached = $1 where id = $2', [newer, topicId]);
    await app.stored(`update pgboss.job set state = 'retry', start_after = now() where name = 'topic.match' and data ->> 'topicId' = $1`, [
      topicId,
    ]);
    expect(await ratingsOf(topicId)).toEqual([0, 1, 0, 0, 0]);
    await call('save', { payload: { id: topicId, data: { phrases: ['orchid', 'orchids'] } } });
    expect(await ratingsOf(topicId)).toEqual([0, 1, 0, 1, 0]);
  });

  it('stay matched if the topic is saved with another name and the same phrases', async () => {
    const topicId = await save('Dancing', ['rumba']);
    await visit({ rating: 5, text: 'A rumba to remember' });
    expect(await ratingsOf(topicId)).toEqual([0, 0, 0, 0, 1]);
    const change = async (data: object) => (await call('save', { payload: { id: topicId, data } })).body.topic.data;
    const renamed = await change({ displayName: 'Dance', phrases: ['rumba'], isHidden: true });
    expect(renamed).toMatchObject({ displayName: 'Dance', isHidden: true, isMatched: true });
    expect(await ratingsOf(topicId)).toEqual([0, 0, 0, 0, 1]);
    expect(await change({ phrases: ['rumba', 'samba'] })).toMatchObject({ isMatched: false });
    await call('delete', { topicId });
  });

  it('are none without phrases that the word index has', async () => {
    for (const phrases of [[], ['々']]) {
      const topicId = await save('Nothing', phrases);
      await visit({ rating: 2, text: '々 and more' });
      expect(await ratingsOf(topicId)).toEqual([0, 0, 0, 0, 0]);
      expect((await call('preview', { accountId: ACCOUNT_ID, phrases })).body).toMatchObject({ count: 0, feedback: [] });
      await call('delete', { topicId });
    }
  });

  it('are counted by property and period, with the period before', async () => {
    const topicId = await save('Coffee', ['espresso']);
    await visit({ rating: 5, text: 'Great espresso' });
    now += 2 * DAY;
    [admin, member] = [await app.signIn(), await app.signIn(sam.data.emailAddress)];
    const middle = now;
    await visit({ rating: 1, text: 'Cold espresso' }, { property: airport });
    expect(await countsOf(topicId, { from: middle, before: START })).toEqual({
      topicId,
      ratings: [1, 0, 0, 0, 0],
      before: [0, 0, 0, 0, 1],
    });
    expect(await ratingsOf(topicId, { accountId: undefined, propertyId: airport.id })).toEqual([1, 0, 0, 0, 0]);
    expect(await ratingsOf(topicId, { accountId: undefined, propertyId: pier.id })).toEqual([0, 0, 0, 0, 1]);
    const elsewhere = { propertyId: otherAccount.propertyId, from: START, to: now };
    expect((await call('counts', elsewhere)).body.status).toBe('not found');
  });

  it('move with a merged topic', async () => {
    const [from, into] = [await save('Cakes', ['muffin']), await save('Food', ['sandwich'])];
    await visit({ rating: 4, text: 'Lovely muffin' });
    await visit({ rating: 5, text: 'Fresh sandwich' });
    const { topic } = (await call('merge', { topicId: from, otherTopicId: into })).body;
    expect(topic.data).toMatchObject({ phrases: ['sandwich', 'muffin'], isMatched: false });
    expect(await ratingsOf(into)).toEqual([0, 0, 0, 1, 1]);
    expect((await call('list', { accountId: ACCOUNT_ID })).body.topics.map(({ id }: { id: string }) => id)).not.toContain(from);
  });

  it.each([
    ['zeppelin*', 'Two ZEPPELINS!', 'a zeppeln'],
    ['café au lait', 'Un café-au-lait parfait', 'lait au café'],
    ['sauber', 'Alles SAUBER.', 'saubere Zimmer'],
    ['ακριβο*', 'Πολύ ακριβό', 'φτηνό'],
    ['等待', '我们等待了很久', '待等'],
    ['التنظيف', 'مشكلة التنظيف هنا', 'نظيف'],
    ["l'attente", 'Quelle l’attente', 'attente'],
  ])('match %j in %j, as the demo does', async (phrase, matching, unrelated) => {
    const id = await visit({ rating: 3, text: matching });
    await visit({ rating: 3, text: unrelated });
    const { count, feedback } = (await call('preview', { accountId: ACCOUNT_ID, phrases: [phrase] })).body;
    expect([count, feedback.map((each: { id: string }) => each.id)]).toEqual([1, [id]]);
    expect([hasPhrase(matching, [phrase]), hasPhrase(unrelated, [phrase])]).toEqual([true, false]);
  });

  it('are previewed without tests and suspected ones', async () => {
    const ids = [];
    for (const rating of [3, 4, 5] as const) ids.push(await visit({ rating, text: 'A bagpipe' }));
    await app.stored('update feedback set test = true where id = $1', [ids[0]]);
    await app.stored('update feedback set suspected = true where id = $1', [ids[1]]);
    const { count, feedback } = (await call('preview', { accountId: ACCOUNT_ID, phrases: ['bagpipe'] })).body;
    expect([count, feedback.map(({ id }: { id: string }) => id)]).toEqual([1, ids.slice(2)]);
  });

  it('are counted from the index of matches alone', async () => {
    const client = await app.connect();
    // Enough rows for the planner to prefer one index over another, as if vacuumed. They refer to no answers.
    await client.query(`begin; set local session_replication_role = replica;
      insert into topic_match select 'A', 'T' || n % 5, 'E' || n, 'P', 1 + n % 5 from generate_series(1, 20000) n; analyze topic_match;
      update pg_class set relallvisible = relpages where relname = 'topic_match';
      set local enable_seqscan = off; set local enable_bitmapscan = off`);
    const { rows } = await client.query(
      `explain select topic_id, rating, count(*) from topic_match
        where account_id = 'A' and feedback_id >= 'E' and feedback_id < 'F' and property_id = 'P' group by 1, 2`,
    );
    await client.end();
    expect(JSON.stringify(rows)).toContain('Index Only Scan using topic_match_counted');
  });

  it('are looked for a few texts at a time, also those of a word that every text has', async () => {
    const original = await visit({ rating: 5, text: 'A gondola' });
    const copy = `jsonb_build_object('id', left(id, -5) || n, 'key_hash', '\\x' || md5(n::text))`;
    await app.stored(
      `insert into feedback select (jsonb_populate_record(feedback, ${copy})).* from feedback, generate_series(10001, 20099) as n where id = $1`,
      [original],
    );
    const topicId = await save('Boats', ['gondola']);
    expect(await ratingsOf(topicId)).toEqual([0, 0, 0, 0, 10_100]);
    const { count, feedback } = (await call('preview', { accountId: ACCOUNT_ID, phrases: ['gondola'] })).body;
    const newest = await app.stored<{ id: string }>(`select id from feedback where text like '%gondola' order by id desc limit 25`);
    expect([count, feedback.map(({ id }: { id: string }) => id)]).toEqual([10_001, newest.map(({ id }) => id)]);
    await app.stored('update topic set matched = null, reached = null where id = $1', [topicId]);
    await app.stored('delete from topic_match where topic_id = $1', [topicId]);
    const matchNext = () =>
      inAccount(app.app.platform, { accountId: ACCOUNT_ID, actor: SYSTEM }, async (scope) => {
        const topic = (await store.lockAll(scope)).find(({ id }) => id === topicId);
        return topic && store.matchNext(scope, topic, 500);
      });
    const steps: [isMoreLeft: boolean | undefined, matches: unknown][] = [];
    for (let count = 0; count < 2; count += 1)
      steps.push([await matchNext(), (await app.stored('select 1 from topic_match where topic_id = $1', [topicId])).length]);
    expect(steps).toEqual([
      [true, 500],
      [true, 1000],
    ]);
    await call('delete', { topicId });
    await waitUntilMatched();
    expect(await app.stored('select 1 from topic_match where topic_id = $1', [topicId])).toEqual([]);
    await app.stored(`delete from feedback where text like '%gondola'`);
  });
});
