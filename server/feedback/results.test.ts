import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, airport, oldTown, pier } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await openTestApp({ settings: { ROLES: 'web' } });
  token = await app.signIn();
  await app.stored('delete from feedback');
  await add({ count: 1_204, property: pier, words: 'The door is sticky', day: 1 });
  await add({ count: 10_000, property: oldTown, words: 'The floor is sticky', day: 2 });
  await add({ count: 10_000, property: airport, words: 'The wall is sticky', day: 3 });
});
afterAll(() => app.stop());

interface ComplaintBatch {
  readonly count: number;
  readonly property: typeof pier;
  readonly words: string;
  /** Day of January 2026. */
  readonly day: number;
}

const add = ({ count, property, words, day }: ComplaintBatch) =>
  app.stored(
    `insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, responses, text)
     select $1, 'EXPERIENCE_2026010' || $6::integer || '_' || (extract(epoch from at) * 1000)::bigint || '_' || lpad(n::text, 5, '0'), $2, $3, 1,
            sha256(($2 || n)::bytea), at, 1, true, 'regular', 'none', '[]', $5
       from generate_series(1, $4::integer) n, (select make_timestamptz(2026, 1, $6::integer, 12, 0, 0, 'UTC') as at) as moment`,
    [ACCOUNT_ID, property.id, property.data.formId, count, words, day],
  );

const count = async (filters: object): Promise<number> => {
  const { status, body } = await app.call('feedback', 'count', { accountId: ACCOUNT_ID, ...filters }, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.count;
};

describe('feedback.count', () => {
  it('refuses an unknown property, and a call without an account or property', async () => {
    const { body } = await app.call('feedback', 'count', { propertyId: 'PROPERTY_nobody' }, token);
    expect(body).toEqual({ status: 'not found' });
    expect((await app.call('feedback', 'count', {}, token)).status).toBe(400);
  });

  it.each([
    ['door', {}, 1_204],
    ['floor', {}, 10_000],
    ['sticky', { propertyId: pier.id }, 1_204],
    ['sticky', { to: Date.UTC(2026, 0, 2) }, 1_204],
    ['sticky', { from: Date.UTC(2026, 0, 2), to: Date.UTC(2026, 0, 3) }, 10_000],
    // More have the word than are looked at first.
    ['sticky', { propertyId: airport.id }, 10_000],
    ['sticky', { from: Date.UTC(2026, 1, 1) }, 0],
    ['sticky', { rating: 5 }, 0],
    ['window', {}, 0],
    ['-', {}, 0],
  ])('is exact for a search for "%s" with %o', async (text, filters, expected) => {
    expect(await count({ text, ...filters })).toBe(expected);
  });

  it('stops after 10,000, with and without a search', async () => {
    for (const filters of [{}, { text: 'sticky' }, { kind: 'urgent' }, { waiting: true }]) expect(await count(filters)).toBe(10_001);
  });
});
