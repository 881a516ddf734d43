import { PgDialect } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchesSearch } from '#contract/feedback/search.ts';
import { ACCOUNT_ID } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { submission } from '../../test/support/submission.ts';
import { contactQuery } from './contact-store.ts';

/* The database's index and the contract's rule find the same feedback. */

let app: TestApp;
let token: string;
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
});
afterAll(() => app.stop());

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

  it('uses the word index', async () => {
    const client = await app.connect();
    await client.query('set enable_seqscan = off; set enable_indexscan = off');
    const { rows } = await client.query(
      `explain select id from feedback where text is not null
          and searched(account_id, text) @@ ('@${ACCOUNT_ID}'::tsquery && to_tsquery('simple', '''creme'':*'))`,
    );
    await client.end();
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Bitmap Index Scan on feedback_words');
  });

  it.each([{ email: 'ann@example.com' }, { phone: '49305550188' }])('for a contact, %o, uses it too', async (contact) => {
    const { sql, params } = new PgDialect().sqlToQuery(contactQuery(ACCOUNT_ID, contact));
    const client = await app.connect();
    await client.query('set enable_seqscan = off; set enable_indexscan = off');
    const { rows } = await client.query(
      `explain select id from feedback where text is not null and searched(account_id, text) @@ (${sql})`,
      params,
    );
    await client.end();
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Bitmap Index Scan on feedback_words');
  });
});
