import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_BRAND } from '#contract/brand/brand.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import { ACCOUNT_ID, oldTown, pier } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { blockIn, formOf, newKey, responsesTo, submission } from '../../test/support/submission.ts';
import { openIntake } from './intake.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.signIn();
});
afterAll(() => app.stop());

const save = (sent: object) => app.call('feedback', 'save', sent);
const rowsOf = (id: string) => app.stored(`select * from feedback where id = $1`, [id]);
const countedRatings = async () =>
  (await app.stored<{ n: number }>(`select sum(one + two + three + four + five)::int as n from feedback_tally where place = ''`))[0]?.n;
const stored = async () => (await app.stored<{ n: number }>('select count(*)::int as n from feedback'))[0]?.n;

describe('feedback.save', () => {
  it.each([
    ['no key', { payload: submission({ rating: 1 }).payload }, 'idempotencyKey'],
    ['a short key', { ...submission({ rating: 1 }), idempotencyKey: 'short' }, 'idempotencyKey'],
    ['no responses', { ...submission({}) }, 'payload.data.responses'],
    ['a field too many', { ...submission({ rating: 1 }), rating: 5 }, 'rating'],
    // As a page of a later version may send it; the page waits for a server that knows the field.
    ['a field too many in its data', withData({ later: 1 }), 'payload.data.later'],
    [
      'a rating of nine',
      withResponse({ uuid: blockIn(formOf(), 'EmojiGauge').uuid, block: 'EmojiGauge', response: 9 }),
      'payload.data.responses.0.response',
    ],
    ['another form’s block', withResponse(responsesTo(formOf(oldTown.data.formId), { rating: 1 })[0]), 'payload.data.responses.0.uuid'],
    [
      'a request to be contacted without a phone number or email address',
      { ...submission({ rating: 1, contact: { answer: 'Yes' } }) },
      'payload.data.responses.1.response.phone',
    ],
    ['text without a rating', { ...submission({ text: 'hello' }) }, 'payload.data.responses'],
    [
      'a review service that the form doesn’t offer',
      withResponse({ uuid: blockIn(formOf(), 'ExternalReview').uuid, block: 'ExternalReview', response: { service: 'Bing' } }),
      'payload.data.responses.0.response.service',
    ],
  ])('refuses %s, naming the field', async (_name, sent, path) => {
    const before = await stored();
    const { status, headers, body } = await save(sent);
    expect(status).toBe(400);
    expect(headers['content-type']).toMatch('application/problem+json');
    expect(body.errors.map((error: { path: string }) => error.path)).toContain(path);
    expect(await stored()).toBe(before);
  });

  it('returns “not found” for an unknown form', async () => {
    const { status, body } = await save({
      ...submission({ rating: 1 }),
      payload: { data: { formId: 'FORM_nobody', responses: responsesTo(formOf(), { rating: 1 }) } },
    });
    expect([status, body]).toEqual([404, { status: 'not found' }]);
  });

  it('stores the answers, with the kind, source and urgency derived from them', async () => {
    const { status, body } = await save(
      submission({ rating: 2, text: ' Cold coffee ', contact: { answer: 'Yes', name: 'Ann', email: 'ann@example.org' } }),
    );
    expect(status).toBe(200);
    expect(body.feedback).toMatchObject({ sk: 'EXPERIENCE', gs1sk: 'URGENT', data: { rating: 2, projectId: pier.id } });
    const { body: read } = await app.call('feedback', 'get', { feedbackId: body.feedback.id }, token);
    expect(read.feedback.data).toMatchObject({
      textFeedback: 'Cold coffee',
      kind: 'contact me',
      source: 'open text',
      contact: { name: 'Ann', email: 'ann@example.org' },
    });
  });

  it('returns nothing to the visitor that only the team may see', async () => {
    const { body } = await save(submission({ rating: 4 }));
    expect(Object.keys(body.feedback.data).sort()).toEqual(['created', 'formId', 'left', 'projectId', 'rating']);
  });

  it('returns neither text nor contact to the holder of a key, only the names of the fields that were filled in', async () => {
    const key = newKey();
    const contact = { answer: 'Yes', name: 'Ann Mole', phone: '040 98765', email: 'ann@mole.example' } as const;
    const first = await save(submission({ rating: 2, text: 'Cold coffee', contact }, { key }));
    const firstRepeat = await save(submission({ rating: 1 }, { key }));
    const secondRepeat = await save(submission({ rating: 1 }, { key }));
    const form = formOf();
    const [words, asked] = [blockIn(form, 'OpenText').uuid, blockIn(form, 'ContactMe').uuid];
    for (const { body } of [first, firstRepeat, secondRepeat]) {
      expect(JSON.stringify(body)).not.toMatch(/Cold coffee|Ann Mole|98765|mole\.example/);
      expect(body.feedback.data.left).toEqual([words, `${asked}.name`, `${asked}.phone`, `${asked}.email`]);
    }
  });

  it('stores one record of concurrent repeats', async () => {
    const before = await stored();
    const sent = submission({ rating: 5 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => save(sent)));
    expect(new Set(answers.map(({ body }) => body.feedback.id)).size).toBe(1);
    expect(await stored()).toBe((before ?? 0) + 1);
  });

  it('stores two records for the same key on two forms', async () => {
    const key = newKey();
    const [first, second] = await Promise.all([
      save(submission({ rating: 5 }, { key })),
      save(submission({ rating: 1 }, { key, form: formOf(oldTown.data.formId) })),
    ]);
    expect(first?.body.feedback.id).not.toBe(second?.body.feedback.id);
  });

  it('shows the team the page and the user id in the business’s link', async () => {
    const { idempotencyKey, payload } = submission({ rating: 3 });
    const data = { ...payload.data, url: 'https://feedback.example/feedback/FORM_Pier04?key=secret#x', userId: 'table-7' };
    const { body } = await save({ idempotencyKey, payload: { data } });
    expect(JSON.stringify(body)).not.toContain('table-7');
    const { body: seen } = await app.call('feedback', 'get', { feedbackId: body.feedback.id }, token);
    expect(seen.feedback.data).toMatchObject({ url: 'https://feedback.example/feedback/FORM_Pier04', userId: 'table-7' });
  });

  it('never stores or logs the key itself', async () => {
    const sent = submission({ rating: 3 });
    await save(sent);
    const dump = JSON.stringify(await app.stored('select f::text from feedback f'));
    expect(dump).not.toContain(sent.idempotencyKey);
    expect(app.log.join('')).not.toContain(sent.idempotencyKey);
  });

  it('stores the other rows of a batch with one bad row', async () => {
    const intake = openIntake(app.app.platform);
    const target = {
      accountId: ACCOUNT_ID,
      business: 'Harbor Coffee',
      look: NO_BRAND,
      style: undefined,
      lookKey: '',
      closed: false,
      ...{ receiptSecret: undefined, retention: undefined, privacyContact: undefined, privateReplies: true },
      form: formOf(),
      languages: ['en'] as const,
    };
    // Passes every check but can't be stored: its form vanished between reading it and the insert.
    const ghost = { ...target, form: { ...formOf(), id: 'FORM_ghost1' } };
    const send = (to: typeof target) => intake.submit(to, { key: newKey(), responses: responsesTo(formOf(), { rating: 4 }) });
    const [first, lost, second] = await Promise.allSettled([send(target), send(ghost), send(target)]);
    expect([first?.status, lost?.status, second?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(lost?.status === 'rejected' && lost.reason).toMatchObject({ code: 'form-closed' });
  });
});

describe('amending', () => {
  it('replaces the rating, adds the rest and never counts twice', async () => {
    const key = newKey();
    const first = await save(submission({ rating: 1 }, { key }));
    const second = await save(submission({ rating: 4, text: 'Better than I thought' }, { key }));
    expect(second.body.feedback.id).toBe(first.body.feedback.id);
    expect(second.body.feedback).toMatchObject({ gs1sk: 'NORMAL', data: { rating: 4 } });
    expect(await countedRatings()).toBe(await stored());
    const { body } = await app.call(
      'feedback',
      'summary',
      { propertyId: pier.id, from: Date.now() - 3_600_000, to: Date.now() + 3_600_000, zone: 'UTC' },
      token,
    );
    const rows = await app.stored<{ n: number }>(
      `select count(*)::int as n from feedback where property_id = $1 and created > now() - interval '1 hour' and rating = 1`,
      [pier.id],
    );
    expect(body.ratings[0]).toBe(rows[0]?.n);
  });

  it('keeps missing contact details, and deletes empty ones, and all of them when contact is declined', async () => {
    const key = newKey();
    const contact = { answer: 'Yes', name: 'Ann', phone: '040 12345' } as const;
    const { body } = await save(submission({ rating: 2, contact }, { key }));
    const contactNow = async () =>
      (await app.call('feedback', 'get', { feedbackId: body.feedback.id }, token)).body.feedback.data.contact as object | undefined;
    expect((await save(submission({ contact: { answer: 'Yes' } }, { key }))).status).toBe(200);
    expect(await contactNow()).toEqual({ name: 'Ann', phone: '040 12345' });
    const unreachable = await save(submission({ contact: { answer: 'Yes', name: ' ', phone: '' } }, { key }));
    expect([unreachable.status, unreachable.body.errors[0].path]).toEqual([400, 'payload.data.responses.0.response.phone']);
    await save(submission({ contact: { answer: 'Yes', email: 'ann@example.org', name: 'Anna' } }, { key }));
    expect(await contactNow()).toEqual({ name: 'Anna', phone: '040 12345', email: 'ann@example.org' });
    await save(submission({ contact: { answer: 'Yes', name: ' ', phone: '' } }, { key }));
    expect(await contactNow()).toEqual({ email: 'ann@example.org' });
    await save(submission({ contact: { answer: 'No' } }, { key }));
    expect(await contactNow()).toBeUndefined();
    const { status, body: refused } = await save(submission({ rating: 1, contact: { answer: 'Yes', name: 'Ann' } }, { key }));
    expect([status, refused.errors[0].path]).toEqual([400, 'payload.data.responses.1.response.phone']);
  });

  it('changes nothing for a repeat, whatever the order of fields', async () => {
    const key = newKey();
    const contact = { answer: 'Yes', phone: '040 12345', name: 'Ann' } as const;
    const { body } = await save(submission({ rating: 2, contact }, { key }));
    const before = await rowsOf(body.feedback.id);
    await save(submission({ rating: 2, contact: { name: 'Ann', phone: '040 12345', answer: 'Yes' } }, { key }));
    expect(await rowsOf(body.feedback.id)).toEqual(before);
  });

  it('applies concurrent amendments one after another', async () => {
    const key = newKey();
    const { body } = await save(submission({ rating: 1 }, { key }));
    await Promise.all(([1, 2, 3, 4, 5] as const).map((rating) => save(submission({ rating }, { key }))));
    expect(await rowsOf(body.feedback.id)).toHaveLength(1);
    expect(await countedRatings()).toBe(await stored());
  });

  it('ignores a request that arrives after a later one of the same visitor', async () => {
    const [key, changed] = [newKey(), Date.now()];
    const saveAt = (rating: Rating, at?: number) => {
      const { idempotencyKey, payload } = submission({ rating }, { key });
      return save({ idempotencyKey, payload: { data: { ...payload.data, changed: at } } });
    };
    const ratings: unknown[] = [];
    for (const [rating, at] of [
      [4, 0],
      [2, 2_000],
      [5, 1_000],
      [2, 4_000],
      [1, 3_000],
      [3, undefined],
      [1, 3_500],
      [5, 4_000],
    ] as const) {
      const { status, body } = await saveAt(rating, at === undefined ? undefined : changed + at);
      ratings.push(status === 200 && body.feedback.data.rating);
    }
    expect(ratings).toEqual([4, 2, 2, 2, 2, 3, 3, 5]);
    expect(await countedRatings()).toBe(await stored());
    app.advance(60 * 60_000 + 1);
    expect((await saveAt(1, changed)).body.feedback.data.rating).toBe(5);
    expect((await saveAt(1, changed + 5_000)).body.code).toBe('amend-closed');
    app.advance(-60 * 60_000 - 1);
  });

  it('takes a request from another screen as the latest, whatever its clock shows', async () => {
    const [key, changed] = [newKey(), Date.now()];
    const ratings: unknown[] = [];
    for (const [rating, at, width, height] of [
      [4, 0, 390, 844],
      [1, -120_000, 1440, 900],
      [5, -180_000, 844, 390],
    ] as const) {
      const { idempotencyKey, payload } = submission({ rating }, { key });
      const data = { ...payload.data, changed: changed + at, diagnostics: { screen: { width, height } } };
      ratings.push((await save({ idempotencyKey, payload: { data } })).body.feedback.data.rating);
    }
    // The last is the first one's screen, turned, with an older change.
    expect(ratings).toEqual([4, 1, 1]);
  });

  it.each([-1, 0, 9_007_199_254_740_991])('accepts a device whose clock shows %i', async (changed) => {
    const { idempotencyKey, payload } = submission({ rating: 2 });
    const { status, body } = await save({ idempotencyKey, payload: { data: { ...payload.data, changed } } });
    expect([status, (await rowsOf(body.feedback.id))[0]?.['changed']]).toEqual([200, String(changed)]);
  });

  it('stores when a review service was first opened', async () => {
    const key = newKey();
    await save(submission({ rating: 5 }, { key }));
    const { body } = await save(submission({ review: 'Google' }, { key }));
    expect(body.feedback.data.converted).toEqual(expect.any(Number));
    app.advance(1000);
    const repeat = await save(submission({ review: 'Google' }, { key }));
    expect(repeat.body.feedback.data.converted).toBe(body.feedback.data.converted);
  });

  it('refuses amendments after an hour, but accepts a repeat of the same responses', async () => {
    const key = newKey();
    await save(submission({ rating: 3 }, { key }));
    app.advance(60 * 60_000 + 1);
    token = await app.signIn();
    expect((await save(submission({ rating: 3 }, { key }))).status).toBe(200);
    const { status, body } = await save(submission({ rating: 5 }, { key }));
    expect([status, body.code]).toEqual([410, 'amend-closed']);
  });
});

describe('reading', () => {
  it('is for members only', async () => {
    for (const [action, sent] of Object.entries({
      list: { accountId: ACCOUNT_ID },
      get: { feedbackId: 'EXPERIENCE_20260101_1767225600000_aaaaa' },
    })) {
      expect((await app.call('feedback', action, sent)).status).toBe(401);
      expect((await app.call('feedback', action, sent, 'not.a.token')).status).toBe(401);
    }
  });

  it('pages through everything once, newest first', async () => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 40, ...(cursor !== null && { cursor }) }, token);
      ids.push(...body.feedback.map(({ id }: { id: string }) => id));
      cursor = body.cursor;
    } while (cursor !== null);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect(ids).toHaveLength((await stored()) ?? 0);
  });

  it.each([
    [{ kind: 'urgent' }, 'urgent'],
    [{ kind: 'complaint' }, `kind = 'complaint'`],
    [{ rating: 5 }, 'rating = 5'],
    [{ source: 'Google' }, `source = 'Google'`],
    [{ text: 'coffee' }, `text ~* '\\mcoffee'`],
    [{ text: '"nobody at the" WAIT' }, `text ~* '\\mnobody at the\\M' and text ~* '\\mwait'`],
    [{ kind: 'urgent', rating: 1, text: 'the' }, `urgent and rating = 1 and text ~* '\\mthe'`],
  ])('filters by %j', async (filter, condition) => {
    const expected = await app.stored<{ id: string }>(`select id from feedback where ${condition} order by id desc limit 100`);
    const { body } = await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 100, ...filter }, token);
    expect(body.feedback.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id));
  });

  it('counts exactly what it lists', async () => {
    const [from, to] = [Date.now() - 8 * 86_400_000, Date.now() + 7_200_000].map((at) => Math.floor(at / 900_000) * 900_000);
    const { body } = await app.call('feedback', 'summary', { accountId: ACCOUNT_ID, from, to, zone: 'Europe/Berlin' }, token);
    const rows = await app.stored<{ rating: number; n: number }>(
      `select rating, count(*)::int as n from feedback where created >= to_timestamp($1 / 1000.0) and created < to_timestamp($2 / 1000.0) group by 1`,
      [from, to],
    );
    expect(body.ratings).toEqual([1, 2, 3, 4, 5].map((rating) => rows.find((row) => row.rating === rating)?.n ?? 0));
  });

  it('counts each property as its summary does', async () => {
    const span = { from: Date.now() - 31 * 86_400_000, to: Date.now() + 7_200_000, zone: 'America/New_York' };
    const { body } = await app.call('feedback', 'overview', { accountId: ACCOUNT_ID, ...span }, token);
    expect(body.properties.length).toBeGreaterThan(1);
    for (const { propertyId, ...counts } of body.properties) {
      const { body: alone } = await app.call('feedback', 'summary', { propertyId, ...span }, token);
      expect({ status: 'ok', ...counts }).toEqual(alone);
    }
  });

  it('counts every answer of each property that isn’t deleted', async () => {
    const { body } = await app.call('feedback', 'totals', { accountId: ACCOUNT_ID }, token);
    const rows = await app.stored(`select property_id as "propertyId", count(*)::int as answers from feedback group by 1 order by 1`);
    expect(rows.length).toBeGreaterThan(1);
    expect(body.properties).toEqual(rows);
  });

  it('walks an index and sorts nothing, whatever the filter', async () => {
    const client = await app.connect();
    // A table this small would be scanned. With scans off, a plan that can't use an index still shows one.
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off');
    const ofLanguage = `and language = 'de' and suspected is not true`;
    for (const filter of [``, `and rating = 1`, `and urgent`, `and property_id = '${pier.id}'`, ofLanguage]) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain select * from feedback where account_id = '${ACCOUNT_ID}' ${filter} and id < 'EXPERIENCE_3' order by id desc limit 26`,
      );
      const text = rows.map((line) => line['QUERY PLAN']).join('\n');
      expect(text).toMatch(/Index Scan/);
      expect(text).not.toMatch(/Sort|Seq Scan/);
      if (filter === ofLanguage) expect(text).toContain('feedback_of_language');
    }
    await client.end();
  });

  it('finds an id by the primary key, also in a new database, of which the planner knows nothing', async () => {
    const indexes = await app.stored(
      `select indexrelid::regclass::text as name from pg_index
        where indrelid = 'feedback'::regclass and indpred is null
          and (select attname from pg_attribute where attrelid = indrelid and attnum = indkey[0]) = 'account_id'`,
    );
    expect(indexes).toEqual([{ name: 'feedback_account_id_id_pk' }]);
  });
});

function withData(data: object) {
  const { payload, ...rest } = submission({ rating: 1 });
  return { ...rest, payload: { data: { ...payload.data, ...data } } };
}

function withResponse(response: unknown) {
  return { idempotencyKey: newKey(), payload: { data: { formId: formOf().id, responses: [response] } } };
}
