import { randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import type pg from 'pg';
import { feedbackId, randomAlphanumeric } from '#contract/core/ids.ts';
import { gaugeOf } from '#contract/form/steps.ts';
import { ACCOUNT_ID, forms, pier } from '#fixtures/business.ts';
import { line, median, milliseconds, perSecond, rateOf, times } from './measure.ts';
import type { BenchProduct } from './product.ts';

const CONNECTIONS = 32;
const ROUNDS = 3;
const MS = 5_000;
const ROWS = 50;

const random = (size: number) => randomBytes(size);

/** Compares submissions over HTTP, including validation, idempotency and fsync, with bare inserts into the same columns and indexes. */
export async function measureSubmissions(product: BenchProduct): Promise<void> {
  await createBaselineTable(product);
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => product.connect()));
  const singles: number[] = [];
  const multis: number[] = [];
  const runs: { rate: number; p50: number; p99: number }[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      singles.push(await rateOf((worker) => insert(clients[worker], 1), { workers: CONNECTIONS, ms: MS }));
      multis.push(await rateOf((worker) => insert(clients[worker], ROWS), { workers: 2, ms: MS }));
      runs.push(await measureHttp(product));
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  const single = median(singles);
  const http = median(runs.map(({ rate }) => rate));
  line(`bare single-row inserts, ${CONNECTIONS} connections`, perSecond(single), 'baseline');
  line(`bare inserts of ${ROWS} rows, 2 connections`, perSecond(median(multis)), `${times(median(multis) / single)} the single-row rate`);
  line(`submissions over HTTP, ${CONNECTIONS} connections`, perSecond(http), `${times(http / single)} the bare single-row rate`);
  line(
    '  median, 99th percentile',
    `${milliseconds(median(runs.map(({ p50 }) => p50)))}, ${milliseconds(median(runs.map(({ p99 }) => p99)))}`,
  );
}

/** Creates the same columns and indexes without foreign keys, because 32 sessions that check the same form would wait for each other. */
async function createBaselineTable(product: BenchProduct): Promise<void> {
  const client = await product.connect();
  await client.query('drop table if exists bare_feedback; create table bare_feedback (like feedback including all)');
  await client.end();
}

async function insert(client: pg.Client | undefined, rows: number): Promise<number> {
  const now = Date.now();
  const list = Array.from({ length: rows }, () => ({ id: feedbackId(now, random), key: random(32).toString('hex') }));
  await client?.query({
    name: 'bare insert',
    text: `insert into bare_feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, responses)
           select $1, id, $2, $3, 1, decode(key, 'hex'), now(), 5, false, 'regular', 'none', '[]' from json_to_recordset($4) as rows (id text, key text) on conflict do nothing`,
    values: [ACCOUNT_ID, pier.id, pier.data.formId, JSON.stringify(list)],
  });
  return rows;
}

/** Sends submissions over HTTP for some seconds. Returns how many per second and how long they take (ms). */
export async function measureHttp(
  { address }: BenchProduct,
  ratingOf = (count: number): number => (count % 5) + 1,
): Promise<{ rate: number; p50: number; p99: number }> {
  let count = 0;
  const result = await autocannon({
    url: `${address}/api/data`,
    connections: CONNECTIONS,
    duration: MS / 1000,
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => {
          count += 1;
          return {
            ...request,
            headers: { 'content-type': 'application/json', 'x-forwarded-for': addressOf(count) },
            body: bodyOf(count, ratingOf(count)),
          };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return { rate: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}

/** Returns a different network for each number, as visitors' phones have. */
const addressOf = (count: number): string => `10.${(count >> 14) % 256}.${(count >> 6) % 256}.${count % 64}`;

function bodyOf(count: number, rating: number): string {
  const form = forms[count % forms.length];
  if (!form) throw new Error('The sample business has no form');
  const responses = [{ uuid: gaugeOf(form.data.steps).uuid, block: 'EmojiGauge', response: rating }];
  return JSON.stringify({
    service: 'feedback',
    action: 'save',
    idempotencyKey: randomAlphanumeric(24, random),
    payload: { data: { formId: form.id, responses } },
  });
}
