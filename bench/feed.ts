import type pg from 'pg';
import type { Grain } from '#contract/feedback/feedback.ts';
import { ACCOUNT_ID, pier } from '#fixtures/business.ts';
import { line, median, milliseconds, quantile, say, times } from './measure.ts';
import type { BenchProduct } from './product.ts';

const SIZES = [1_000, 100_000, 1_000_000];
const REQUESTS = 200;
const WARM_UP = 30;
const DAY = 86_400_000;

const QUERIES: Readonly<Record<string, object>> = {
  'first page': { action: 'list', accountId: ACCOUNT_ID },
  'rating 1': { action: 'list', accountId: ACCOUNT_ID, rating: 1 },
  urgent: { action: 'list', accountId: ACCOUNT_ID, kind: 'urgent' },
  'one property': { action: 'list', propertyId: pier.id },
  'waiting visitors': { action: 'list', accountId: ACCOUNT_ID, waiting: true, order: 'oldest' },
  'waiting and unread counts': { action: 'inbox', accountId: ACCOUNT_ID },
  'a word in every third item': { action: 'list', accountId: ACCOUNT_ID, text: 'coff' },
  'a phrase in one of 50,000 items': { action: 'list', accountId: ACCOUNT_ID, text: '"lukewarm soup"' },
  'a word in no item': { action: 'list', accountId: ACCOUNT_ID, text: 'zeppelin' },
};

/** Measures the feed's queries as the account grows. Times must stay flat. */
export async function measureFeed(product: BenchProduct): Promise<void> {
  const client = await product.connect();
  const token = await product.signIn();
  const first = new Map<string, number>();
  try {
    await client.query('truncate feedback, feedback_tally, feedback_day cascade');
    for (const [index, size] of SIZES.entries()) {
      await grow(client, { from: SIZES[index - 1] ?? 0, to: size });
      for (const [name, query] of Object.entries({
        ...QUERIES,
        'counts of a month': summary(31, 'day'),
        'counts of two years': summary(730, 'month'),
      })) {
        const durations = await timesOf(product, token, query);
        const middle = median(durations);
        const before = first.get(name) ?? middle;
        first.set(name, before);
        const comparison = index === 0 ? 'baseline' : `${times(middle / before)} the time with ${(SIZES[0] ?? 0).toLocaleString('en-US')}`;
        line(
          `${size.toLocaleString('en-US')} items, ${name}`,
          milliseconds(middle),
          `${comparison}, p99 ${milliseconds(quantile(durations, 0.99))}`,
        );
      }
    }
    await showPlan(client);
  } finally {
    await client.end();
  }
}

const summary = (days: number, grain: Grain) => ({
  action: 'summary',
  accountId: ACCOUNT_ID,
  from: Date.now() - days * DAY,
  to: Date.now(),
  zone: 'Europe/Berlin',
  grain,
});

/** Adds items of the past two years, spread evenly over the sample business's properties. */
export async function grow(client: pg.Client, { from, to }: { from: number; to: number }): Promise<void> {
  await client.query(
    `insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, text, responses)
     select f.account_id, 'EXPERIENCE_' || to_char(at at time zone 'UTC', 'YYYYMMDD') || '_' || floor(extract(epoch from at) * 1000)::bigint || '_' || lpad(n::text, 5, '0'),
            f.property_id, f.id, 1, sha256(n::text::bytea), at, 1 + n % 5, n % 5 < 2,
            case when n % 5 < 2 then 'complaint' else 'regular' end, 'open text',
            'Number ' || n || case when n % 3 = 0 then ' good coffee' else ' fine' end || case when n % 50000 = 7 then ', lukewarm soup' else '' end, '[]'
       from (select n, now() - (random() * 730) * interval '1 day' as at from generate_series($1::integer + 1, $2::integer) as n) as items
       join (select *, row_number() over (order by id) - 1 as place, count(*) over () as forms from form where account_id = $3) as f on f.place = n % f.forms
     on conflict do nothing`,
    [from, to, ACCOUNT_ID],
  );
  await client.query('truncate feedback_tally, feedback_day');
  await client.query(
    `insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent)
     select account_id, place, date_bin('15 minutes', created, 'epoch'), 0,
            count(*) filter (where rating = 1), count(*) filter (where rating = 2), count(*) filter (where rating = 3),
            count(*) filter (where rating = 4), count(*) filter (where rating = 5), count(*) filter (where urgent)
       from feedback, lateral (values (''), (property_id)) as places (place) group by 1, 2, 3`,
  );
  await client.query(
    `insert into feedback_day (account_id, place, day, lane, one, two, three, four, five, urgent, reviews)
     select account_id, place, (quarter at time zone 'UTC')::date, 0, sum(one), sum(two), sum(three), sum(four), sum(five), sum(urgent), 0
       from feedback_tally group by 1, 2, 3`,
  );
  await client.query('vacuum analyze feedback, feedback_tally, feedback_day');
}

async function timesOf({ address }: BenchProduct, token: string, query: object): Promise<number[]> {
  const durations: number[] = [];
  for (let count = 0; count < REQUESTS + WARM_UP; count += 1) {
    const started = performance.now();
    const answer = await fetch(`${address}/api/data`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ service: 'feedback', ...query }),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The feed returned ${answer.status}`);
    if (count >= WARM_UP) durations.push(performance.now() - started);
  }
  return durations;
}

async function showPlan(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off, timing off) select * from feedback where account_id = $1 and rating = 1 order by id desc limit 26`,
    [ACCOUNT_ID],
  );
  say(rows.map((row) => `    ${row['QUERY PLAN']}`).join('\n'));
}
