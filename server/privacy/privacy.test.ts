import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '#contract/core/time.ts';
import { ACCOUNT_ID, airport, oldTown, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { duringTransaction } from '../../test/support/at-once.ts';
import { addOtherAccount, CANARY } from '../../test/support/other-account.ts';
import { formOf, newKey, submission } from '../../test/support/submission.ts';
import { openMails } from '../notification/mail/mails.ts';
import { applyRetention } from './retention.ts';

let app: TestApp;
let now = Date.parse('2026-11-22T12:00:00Z');
let [admin, member] = ['', ''];
const signIn = async () => {
  [admin, member] = [await app.signIn(), await app.signIn(sam.data.emailAddress)];
};
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount, clock: () => now });
  await signIn();
});
afterAll(() => app.stop());

type VisitAnswers = Parameters<typeof submission>[0];
const visit = async (answers: VisitAnswers, property = pier): Promise<string> => {
  now += 1_000;
  return (await app.call('feedback', 'save', submission(answers, { form: formOf(property.data.formId) }))).body.feedback.id;
};
const retain = () => applyRetention({ ...app.app.platform, deleteMail: openMails(app.app.platform).delete });
const ask = (action: string, sent: object, token = admin) => app.call('privacy', action, sent, token);
const itemOf = async (feedbackId: string) => (await app.call('feedback', 'get', { feedbackId }, admin)).body.feedback;
const tallies = () =>
  app.stored(`select place, quarter, sum(one) as one, sum(two) as two, sum(five) as five from feedback_tally group by 1, 2 order by 1, 2`);
const asking = (contact: { email?: string; phone?: string }): VisitAnswers => ({
  rating: 2,
  text: 'Call me',
  contact: { answer: 'Yes', ...contact },
});

describe('a visitor’s request', () => {
  it('finds answers in all properties by address or number, however they are written', async () => {
    const ids = [
      await visit(asking({ email: 'Ann@Example.com' })),
      await visit(asking({ email: 'ann@example.com', phone: '+49 30 555-0188' }), airport),
    ];
    await visit(asking({ email: 'other@example.com', phone: '+49 30 555 0189' }));
    const matches = async (contact: string) => {
      const { body } = await ask('find', { contact });
      return [body.count, body.feedback.map(({ id }: { id: string }) => id)];
    };
    expect(await matches(' ann@EXAMPLE.com ')).toEqual([2, ids.toReversed()]);
    expect(await matches('0049 (30) 5550188')).toEqual([1, [ids[1]]]);
    expect(await matches('nobody@example.com')).toEqual([0, []]);
  });

  it('is refused to members, and for what is neither an address nor a number', async () => {
    for (const action of ['find', 'file', 'erase']) {
      expect((await ask(action, { contact: 'ann@example.com' }, member)).body.code).toBe('not-allowed');
      for (const contact of ['', 'ann', '12', 'a b@c', 'DROP TABLE 12345'])
        expect((await ask(action, { contact })).body.errors[0].path).toBe('contact');
    }
  });

  it('gets a file with what was given and written, and nothing of others', async () => {
    const feedbackId = await visit(asking({ email: 'file@example.com' }));
    await app.call('conversation', 'answer', { feedbackId, text: 'We called you', idempotencyKey: newKey() }, admin);
    await app.call('comment', 'save', { idempotencyKey: newKey(), payload: { data: { feedbackId, text: 'INTERNAL' } } }, admin);
    const { body } = await ask('file', { contact: 'file@example.com' });
    expect(body.name).toBe('afterword-visitor-2026-11-22.json');
    expect(JSON.parse(body.content).answers).toEqual([
      expect.objectContaining({
        id: feedbackId,
        property: 'Pier 4',
        rating: 2,
        text: 'Call me',
        messages: [{ from: 'team', sent: new Date(now).toISOString(), text: 'We called you' }],
      }),
    ]);
    expect(body.content).not.toMatch(new RegExp(`INTERNAL|${CANARY}`));
    const events = await app.stored(`select data from event where name = 'privacy.requested'`);
    expect(events).toEqual([{ data: { answers: 1 } }]);
  });

  it('erases every answer, keeps the counts, and records only how many', async () => {
    const ids = [await visit(asking({ email: 'gone@example.com' })), await visit(asking({ email: 'gone@example.com' }), oldTown)];
    await app.call('conversation', 'answer', { feedbackId: ids[0], text: 'Sorry', idempotencyKey: newKey() }, admin);
    const mails = () => app.stored(`select id from delivery where "to" = 'gone@example.com'`);
    expect(await mails()).toHaveLength(1);
    await app.call('property', 'delete', { propertyId: oldTown.id }, admin);
    const before = await tallies();
    expect((await ask('erase', { contact: 'gone@example.com' })).body).toMatchObject({ erased: 2, left: 0 });
    expect((await ask('erase', { contact: 'gone@example.com' })).body).toMatchObject({ erased: 0, left: 0 });
    expect(await mails()).toEqual([]);
    expect(await tallies()).toEqual(before);
    const rows = await app.stored('select rating, text, kind, url, responses from feedback where id = any($1)', [ids]);
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row).toMatchObject({ rating: 2, text: null, kind: 'complaint', url: null });
    expect(JSON.stringify(await app.stored('select * from event'))).not.toContain('gone@example.com');
    expect(await app.stored(`select data from event where name = 'privacy.erased'`)).toEqual([{ data: { answers: 2 } }]);
  });

  it('finds, gets and erases answers with the address or number in their words, and no others', async () => {
    const write = (text: string, property = pier) => visit({ rating: 3, text }, property);
    const byEmail = [await write('Write to Cy@Example.com, please'), await write('이메일은 cy@example.com입니다', airport)];
    const byPhone = [await write('Call 0049 30 / 555-01 77. Thanks'), await write('٤٩٣٠ ٥٥٥٠١٧٧', airport)];
    byEmail.push(await visit({ rating: 2, text: 'cy@example.com', contact: { answer: 'Yes', email: 'cy@example.com' } }));
    const others = [
      await write('lucy@example.com or cy@example.com.br'),
      await write('Call 030 5550177, table 49'),
      await write('We waited 49 minutes for 77 cents of change'),
    ];
    const find = async (contact: string) => {
      const { body } = await ask('find', { contact });
      return [body.count, body.feedback.map(({ id }: { id: string }) => id)];
    };
    expect(await find('CY@example.com')).toEqual([3, byEmail.toReversed()]);
    expect(await find('+49 (30) 5550177')).toEqual([2, byPhone.toReversed()]);
    // Without a letter or a digit, every answer of the account would match the index.
    expect(await find('-@-')).toEqual([0, []]);
    for (const [contact, ids] of [['cy@example.com', byEmail] as const, ['004930 5550177', byPhone] as const]) {
      const file = JSON.parse((await ask('file', { contact })).body.content);
      expect(file.answers.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
      expect((await ask('erase', { contact })).body).toMatchObject({ erased: ids.length, left: 0 });
      expect(await find(contact)).toEqual([0, []]);
      const rows = await app.stored('select text, responses from feedback where id = any($1)', [ids]);
      expect(rows.map(({ text }) => text)).toEqual(ids.map(() => null));
      expect(JSON.stringify(rows)).not.toMatch(/example|0177|٠١٧٧/);
    }
    expect(await app.stored('select count(*)::int as kept from feedback where id = any($1) and text is not null', [others])).toEqual([
      { kept: others.length },
    ]);
  });
});

describe('a property’s retention', () => {
  const keep = (retention: number | null) => app.call('property', 'save', { payload: { id: pier.id, data: { retention } } }, admin);

  it('erases words and contact details after its months, and only there', async () => {
    const old = await visit({ rating: 1, text: 'Old words' });
    const oldElsewhere = await visit({ rating: 1, text: 'Old words elsewhere' }, airport);
    now += 62 * DAY;
    await signIn();
    const recent = await visit({ rating: 5, text: 'Recent words' });
    const before = await tallies();
    expect((await keep(2)).body.property.data.retention).toBe(2);
    const preview = await ask('previewRetention', { propertyId: pier.id, months: 2 });
    expect(preview.body.count).toBeGreaterThan(0);
    expect((await ask('previewRetention', { propertyId: pier.id, months: 120 })).body.count).toBe(0);

    await retain();
    expect((await itemOf(old)).data.textFeedback).toBeUndefined();
    expect((await itemOf(recent)).data.textFeedback).toBe('Recent words');
    expect((await itemOf(oldElsewhere)).data.textFeedback).toBe('Old words elsewhere');
    expect(await tallies()).toEqual(before);
    expect(await app.stored(`select subject, data from event where name = 'privacy.retained'`)).toEqual([
      { subject: pier.id, data: { answers: preview.body.count } },
    ]);
    expect((await ask('previewRetention', { propertyId: pier.id, months: 2 })).body.count).toBe(0);
  });

  it('erases more than one batch in a run', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 101; count += 1) ids.push(await visit({ rating: 1, text: 'One of many' }));
    now += 62 * DAY;
    await retain();
    expect(await app.stored('select count(*)::int as left from feedback where id = any($1) and text is not null', [ids])).toEqual([
      { left: 0 },
    ]);
  });

  it('continues where it stopped, and erases what a kiosk delivered late', async () => {
    const late = await visit({ rating: 1, text: 'Late words' });
    await app.stored(`update feedback set id = overlay(id placing $1 from 1), created = $2 where id = $3`, [
      `EXPERIENCE_20261201_${Date.parse('2026-12-01T12:00:00Z')}`,
      new Date('2026-12-01T12:00:00Z'),
      late,
    ]);
    const has = async () => (await app.stored(`select 1 from feedback where text = 'Late words'`)).length;
    now += 31 * DAY;
    await retain();
    expect(await has()).toBe(0);
    const [row] = await app.stored<{ until: Date }>('select erased_until as until from property where id = $1', [pier.id]);
    expect(row?.until.getTime()).toBeGreaterThan(Date.parse('2026-12-01'));
  });

  it('can be removed, and refuses other numbers', async () => {
    await signIn();
    for (const months of [0, 121, 1.5]) expect((await keep(months)).body.errors[0].path).toBe('payload.data.retention');
    expect((await keep(null)).body.property.data.retention).toBeUndefined();
    const old = await visit({ rating: 1, text: 'Words without a limit' });
    now += 200 * DAY;
    await retain();
    expect(await app.stored('select text from feedback where id = $1', [old])).toEqual([{ text: 'Words without a limit' }]);
    expect(await app.stored(`select data from event where name = 'property.retention-changed' order by id`)).toEqual([
      { data: { to: 2 } },
      { data: { to: null } },
    ]);
  });

  it('still erases after the property is deleted, and leaves the account’s counts', async () => {
    await signIn();
    await app.call('property', 'save', { payload: { id: airport.id, data: { retention: 1 } } }, admin);
    // Urgent only because its visitor asks to be contacted.
    const id = await visit({ rating: 4, text: 'Words of the past', contact: { answer: 'Yes', email: 'past@example.com' } }, airport);
    await app.call('property', 'delete', { propertyId: airport.id }, admin);
    const urgent = () => app.stored(`select sum(urgent)::int as urgent from feedback_tally where place = ''`);
    const before = await urgent();
    now += 31 * DAY;
    await retain();
    expect(await app.stored('select text, urgent from feedback where id = $1', [id])).toEqual([{ text: null, urgent: false }]);
    expect(await urgent()).toEqual(before);
  });

  it('waits for a topic that an answer is being matched with', async () => {
    await signIn();
    await keep(1);
    const { topic } = (await app.call('topic', 'save', { payload: { data: { displayName: 'Soup', phrases: [] } } }, admin)).body;
    const id = await visit({ rating: 1, text: 'Cold soup' });
    // Nothing else waits for the topic.
    const work = `select 1 from event where account_id = $1 and not relayed union all select 1 from topic where id = $2 and matched is null`;
    await expect.poll(() => app.stored(work, [ACCOUNT_ID, topic.id])).toEqual([]);
    now += 62 * DAY;
    const match = `select from topic for no key update;
      insert into topic_match (account_id, topic_id, feedback_id, property_id, rating) values ('${ACCOUNT_ID}', '${topic.id}', '${id}', '${pier.id}', 1)`;
    await duringTransaction(app, match, 1, retain);
    expect(await app.stored('select from topic_match where feedback_id = $1', [id])).toEqual([]);
  });
});
