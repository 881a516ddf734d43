import type pg from 'pg';
import { say } from './measure.ts';
import type { BenchProduct } from './product.ts';

/** Answers of three years. */
interface YearsOptions {
  /** The account that has the properties, or whose copies have one each. */
  readonly accountId: string;
  /** Who worked on the answers. */
  readonly person: string;
  readonly answers: number;
  readonly properties: number;
  /** Whether each property has an account of its own: `ACCOUNT_Years000001` and so on. */
  readonly isSpread: boolean;
}

const DAYS = 3 * 365;
/** Rows of one statement. */
const PART = 250_000;

/** Adds answers to an installation without any, with their counts and events, spread evenly over properties and time. */
export async function fillYears(product: BenchProduct, options: YearsOptions): Promise<void> {
  const { accountId, person, answers, properties, isSpread } = options;
  const started = performance.now();
  const report = (step: string) => say(`    ${step} after ${Math.round((performance.now() - started) / 1000)} s`);
  const clients = await Promise.all([product.connect(), product.connect()]);
  const [first, second] = clients as [pg.Client, pg.Client];
  for (const client of clients)
    await client.query(`set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '512MB'`);
  if (isSpread) for (const [table, key] of COPIED) await first.query(copyAccount(table, key), [accountId, properties]);
  await first.query(ADD_PROPERTIES, [accountId, properties, isSpread]);
  const indexes = await dropIndexes(first);
  const parts = Array.from({ length: Math.ceil(answers / PART) }, (_, index) => index * PART);
  await Promise.all(
    clients.map(async (client) => {
      for (let from = parts.shift(); from !== undefined; from = parts.shift())
        await client.query(ADD_FEEDBACK, [accountId, from, Math.min(from + PART, answers), answers, DAYS, person, properties, isSpread]);
    }),
  );
  report(`${answers.toLocaleString('en-US')} answers`);
  await Promise.all([runAll(first, indexes), runAll(second, [ADD_QUARTERS, ADD_DAYS, ADD_EVENTS])]);
  report(`${indexes.length} indexes, counts and events`);
  await Promise.all([runAll(first, ['vacuum analyze feedback']), runAll(second, ['vacuum analyze event, feedback_tally, feedback_day'])]);
  report('statistics');
  for (const client of clients) await client.end();
}

async function runAll(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

/** Drops the indexes that are faster to build afterward, and returns the statements that create them. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = 'feedback' and indexname not like '%_pk'`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** The tables whose rows make an account, with the column of its id. */
const COPIED = [
  ['account', 'id'],
  ['subscription', 'account_id'],
] as const;

const copyAccount = (table: string, key: string): string => `
  insert into ${table}
  select (jsonb_populate_record(original, jsonb_build_object('${key}', 'ACCOUNT_Years' || lpad(n::text, 6, '0')))).*
    from ${table} as original, generate_series(1, $2::integer) as n where ${key} = $1`;

/** Returns the id of the account that has a property. */
const accountOf = (place: string, isSpread: string): string =>
  `case when ${isSpread}::boolean then 'ACCOUNT_Years' || lpad(${place}::text, 6, '0') else $1 end`;

/** Copies the account's first form and its property until there are enough. */
const ADD_PROPERTIES = `
  with numbers as (
    select n, 'PROPERTY_Years' || lpad(n::text, 6, '0') as property, 'FORM_Y' || lpad(n::text, 5, '0') as form
      from generate_series(1, $2::integer) as n
  ), first as (select * from form where account_id = $1 order by id limit 1), added as (
    insert into property (account_id, id, created, author, display_name, service, form_id, complaints, weekly, time_zone)
    select ${accountOf('n', '$3')}, numbers.property, created, author, 'Branch ' || n, service, numbers.form, '{}', '{}', time_zone
      from property, numbers where account_id = $1 and id = (select property_id from first)
  )
  insert into form (account_id, id, property_id, version) select ${accountOf('n', '$3')}, form, property, 1 from numbers`;

/** A third of the answers has text. Older bad answers are done, and some are assigned. */
const ADD_FEEDBACK = `
  insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, text,
                        responses, status, status_by, status_at, assignee)
  select ${accountOf('place', '$8')}, 'EXPERIENCE_' || to_char(at at time zone 'UTC', 'YYYYMMDD') || '_' || floor(extract(epoch from at) * 1000)::bigint || '_'
           || lpad(to_hex(n % 1048576), 5, '0'),
         'PROPERTY_Years' || lpad(place::text, 6, '0'), 'FORM_Y' || lpad(place::text, 5, '0'), 1, sha256(n::text::bytea), at, rating,
         rating < 3, case when rating < 3 then 'complaint' else 'regular' end, case when n % 3 = 0 then 'open text' else 'none' end,
         case when n % 3 = 0 then (array['The coffee was lovely and the staff friendly', 'We waited too long for our table',
           'Cold soup, and nobody noticed', 'Great service, we will be back', 'Clean rooms and a quiet garden',
           'The bill was wrong twice'])[1 + n / 3 % 6] || ', visit ' || n || case when n % 60000 = 0 then ', lukewarm soup' else '' end end,
         jsonb_build_array(jsonb_build_object('uuid', '3b9f4a7e-0000-4000-8000-000000000002', 'block', 'EmojiGauge', 'response', rating)),
         case when done then 'done' else 'new' end, case when done then $6 end, case when done then at + interval '1 day' end,
         case when n % 50 = 0 then $6 end
    from (
      select n, at, 1 + abs(hashint4(n)) % 5 as rating, 1 + n % $7::integer as place,
             at < now() - interval '14 days' and abs(hashint4(n)) % 5 < 2 as done
        from (
          select n, now() - ($4::float - n) / $4 * $5 * interval '1 day' as at from generate_series($2::integer + 1, $3::integer) as n
        ) as moments
    ) as answers`;

const COLUMNS = 'one, two, three, four, five';
const COUNTS = [1, 2, 3, 4, 5].map((rating) => `count(*) filter (where rating = ${rating})`).join(', ');
const PLACES = `feedback, lateral (values (''), (property_id)) as places (place)`;

/* In the order of time, as the product writes them. */

const ADD_QUARTERS = `
  insert into feedback_tally (account_id, place, quarter, lane, ${COLUMNS}, urgent)
  select account_id, place, date_bin('15 minutes', created, 'epoch'), 0, ${COUNTS}, count(*) filter (where urgent)
    from ${PLACES} group by 1, 2, 3 order by 3
  on conflict do nothing`;

const ADD_DAYS = `
  insert into feedback_day (account_id, place, day, lane, ${COLUMNS}, urgent, reviews)
  select account_id, place, (created at time zone 'UTC')::date, 0, ${COUNTS}, count(*) filter (where urgent), 0
    from ${PLACES} group by 1, 2, 3 order by 3
  on conflict do nothing`;

const ADD_EVENTS = `
  insert into event (account_id, at, name, subject, actor, data, relayed)
  select account_id, created, name, id, 'visitor', jsonb_build_object('propertyId', property_id, 'rating', rating), true
    from feedback, lateral (values ('feedback.submitted', true), ('feedback.urgent', urgent)) as names (name, happened)
   where happened`;
