import { randomUUID } from 'node:crypto';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { matchesSearch } from '#contract/feedback/search.ts';
import { ACCOUNT_ID, pier } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { submission } from '../../test/support/submission.ts';
import { contactQuery } from './contact-store.ts';

/* The database's index and the contract's rule find the same feedback. */

let app: TestApp;
let token: string;
/** Of enough older texts that searches use the word index, oldest first. */
let older: string[];
const TEXTS = [
  'Café crème was cold; the waiter didn’t come for 40 minutes.',
  'ΓΕΙΆ ΣΟΥ, ωραίο μέρος!',
  'Ёлка стояла криво — «очень» криво',
  '東京駅で待った、40分',
  'كلمة، أخرى؛ شكرا؟',
  'हिन्दी में लिखा है।',
  'https://example.org/a-b_c?d=1 e-mail: a.b@c.org',
  'it’s 3d, 1e5 and 8.5/10 (really) "quoted" \\back\\slash\' or 1=1 --',
  'naïve 😡😡 ﬁne',
];
beforeAll(async () => {
  app = await openTestApp();
  token = await app.signIn();
  for (const text of TEXTS) await app.call('feedback', 'save', submission({ rating: 3, text }));
  older = await addTexts(1_500);
});
afterAll(() => app.stop());

/** Adds older texts, one a second: every tenth has a common word, and the oldest three have a rare one. Returns their ids, oldest first. */
async function addTexts(count: number): Promise<string[]> {
  const rows = await app.stored<{ id: string }>(
    `insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, text, responses)
     select $1, 'EXPERIENCE_20200101_' || (1577836800000 + each * 1000) || '_texts', $2, $3, 1, decode(md5(each::text), 'hex'),
            to_timestamp(1577836800 + each), 3, false, 'regular', 'open text',
            'Visit ' || each || case when each % 10 = 0 then ' plenty' else '' end || case when each <= 3 then ' seldom' else '' end, '[]'
       from generate_series(1, $4::integer) as each returning id`,
    [ACCOUNT_ID, pier.id, pier.data.formId, count],
  );
  return rows.map(({ id }) => id);
}

const list = async (filters: object) => {
  const { body } = await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 50, ...filters }, token);
  return { found: body.feedback.map(({ id }: { id: string }) => id), cursor: body.cursor };
};

const search = async (text: string): Promise<string[]> => {
  const { body } = await app.call('feedback', 'list', { accountId: ACCOUNT_ID, text, limit: 100 }, token);
  return body.feedback
    .map(({ data }: { data: { textFeedback: string } }) => data.textFeedback)
    .filter((text: string) => TEXTS.includes(text));
};

describe('a search', () => {
  it.each([
    ...['cafe', 'CRÈME cold', '"was cold"', '"cold was"', 'didn’t', "didn't", '40', 'aiter', 'wait 40'],
    ...['γεια', 'Σου μερος', 'елка', '"очень криво"', 'КРИВО', '東京', '京東', '駅', '"東京駅"', 'أخرى', '"كلمة أخرى"', 'हिन्दी', 'हिन्'],
    ...[
      'example',
      'a-b_c',
      '"e-mail"',
      'a.b@c.org',
      '3d',
      '1e5',
      '8.5',
      'slash',
      '"or 1"',
      'naive',
      'fine',
      '😡',
      "'",
      '\\',
      '" "',
      ':*',
      '!cafe & |',
    ],
  ])('for %s finds the same as the rule', async (query) => {
    const expected = TEXTS.filter((text) => matchesSearch(text, query));
    expect((await search(query)).toSorted()).toEqual(expected.toSorted());
  });

  it('reads the word index if none of the next hundred texts matches, or the next thousand don’t fill the page', async () => {
    const common = older.filter((_id, index) => index % 10 === 9).toReversed();
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    const sent = (words: string) => queries.mock.calls.filter((call) => JSON.stringify(call).includes(words)).length;
    const lookups = () => sent("set_config('role'");
    const readThousand = () => sent(older.at(-1_000) ?? '') > 0;
    const plenty = { text: 'plenty', to: Date.UTC(2020, 0, 2) };
    const first = await list(plenty);
    expect([first.found, lookups(), readThousand()]).toEqual([common.slice(0, 50), 0, true]);
    const second = await list({ ...plenty, cursor: first.cursor });
    expect(second.found).toEqual(common.slice(50, 100));
    // Fewer than a thousand are left.
    const third = await list({ ...plenty, cursor: second.cursor });
    expect([third.found, third.cursor, lookups()]).toEqual([common.slice(100), null, 1]);
    const oldest = await list({ ...plenty, order: 'oldest' });
    expect([oldest.found, lookups()]).toEqual([common.toReversed().slice(0, 50), 1]);
    queries.mockClear();
    const rare = await list({ ...plenty, text: 'seldom' });
    expect([rare.found, lookups(), readThousand()]).toEqual([older.slice(0, 3).toReversed(), 1, false]);
    queries.mockRestore();
  });

  it('counts matches', async () => {
    const count = async (filters: object) =>
      (await app.call('feedback', 'count', { accountId: ACCOUNT_ID, text: 'plenty', ...filters }, token)).body.count;
    expect([await count({ to: Date.UTC(2020, 0, 1, 0, 10) }), await count({})]).toEqual([59, 150]);
  });

  // They have fewer bytes than PostgreSQL allows, and more with the five of the account.
  it.each(['ж'.repeat(1_022), 'ก'.repeat(681)])('finds the words beside one that is too long', async (word) => {
    const beside = randomUUID();
    expect((await app.call('feedback', 'save', submission({ rating: 3, text: `${word} ${beside}` }))).status).toBe(200);
    expect((await list({ text: beside })).found).toHaveLength(1);
  });

  it('reads no words of other accounts in the index', async () => {
    const isRead = async (reader: string) =>
      (await app.stored(`select searched('ACCOUNT_one', 'Plenty') @@ owned($1, to_tsquery('simple', 'plen:*')) as read`, [reader]))[0];
    expect([await isRead('ACCOUNT_one'), await isRead('ACCOUNT_two')]).toEqual([{ read: true }, { read: false }]);
  });

  it('uses the word index', async () => {
    const client = await app.connect();
    await client.query('set enable_seqscan = off; set enable_indexscan = off');
    const { rows } = await client.query(
      `explain select id from feedback where text is not null
          and searched(account_id, text) @@ owned('${ACCOUNT_ID}', to_tsquery('simple', '''creme'':*'))`,
    );
    await client.end();
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Bitmap Index Scan on feedback_words');
  });

  it.each([{ email: 'ann@example.com' }, { phone: '49305550188' }])('for a contact, %o, uses it too', async (contact) => {
    const { sql, params } = new PgDialect().sqlToQuery(contactQuery(contact));
    const client = await app.connect();
    await client.query('set enable_seqscan = off; set enable_indexscan = off');
    const { rows } = await client.query(
      `explain select id from feedback where text is not null and searched(account_id, text) @@ owned('${ACCOUNT_ID}', ${sql})`,
      params,
    );
    await client.end();
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Bitmap Index Scan on feedback_words');
  });
});
