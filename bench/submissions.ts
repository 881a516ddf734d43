import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { randomAlphanumeric } from '#contract/core/ids.ts';
import { gaugeOf } from '#contract/form/steps.ts';
import { forms } from '#fixtures/business.ts';
import { postOf, sendRequests } from './load.ts';
import { line, median, milliseconds, perSecond, rateOf, times } from './measure.ts';
import { processorTimeOf } from './processor-time.ts';
import type { BenchProduct } from './product.ts';

const CONNECTIONS = 32;
const MANY_CONNECTIONS = 512;
const ROUNDS = 5;
const MS = 5_000;

const random = (size: number) => randomBytes(size);

/** Compares submissions over HTTP, with validation, idempotency, counts and events, with inserts into a plain table, by turns. */
export async function measureSubmissions(product: BenchProduct): Promise<void> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => product.connect()));
  const [singles, few, many]: [number[], HttpRun[], HttpRun[]] = [[], [], []];
  try {
    await clients[0]?.query(
      'create table plain (id text primary key, at timestamptz not null, rating smallint not null, body jsonb not null)',
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      singles.push(await rateOf((worker) => insertPlain(clients[worker]), { workers: CONNECTIONS, ms: MS }));
      few.push(await measureHttp(product));
      many.push(await measureHttp(product, { connections: MANY_CONNECTIONS }));
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  const single = median(singles);
  line(`single-row inserts into a plain table, ${CONNECTIONS} connections`, perSecond(single), 'baseline');
  for (const [connections, results] of [
    [CONNECTIONS, few],
    [MANY_CONNECTIONS, many],
  ] as const) {
    const rate = median(results.map((result) => result.rate));
    const [p50, p99] = [median(results.map((result) => result.p50)), median(results.map((result) => result.p99))];
    line(`submissions over HTTP, ${connections} connections`, perSecond(rate), `${times(rate / single)} the rate of plain inserts`);
    line('  median, 99th percentile', `${milliseconds(p50)}, ${milliseconds(p99)}`, `${times(p99 / p50)} the median`);
    line('  processor time per submission, Node', milliseconds(median(results.map(({ node }) => node))));
    line('  processor time per submission, PostgreSQL', milliseconds(median(results.map(({ postgres }) => postgres))));
  }
}

async function insertPlain(client: pg.Client | undefined): Promise<number> {
  await client?.query({
    name: 'plain insert',
    text: 'insert into plain (id, at, rating, body) values ($1, now(), 5, $2)',
    values: [randomAlphanumeric(24, random), '[]'],
  });
  return 1;
}

/** A few seconds of submissions. Times in ms; `node` and `postgres` are processor time per submission. */
export interface HttpRun {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly node: number;
  readonly postgres: number;
}

interface HttpRunOptions {
  readonly connections?: number;
  readonly ratingOf?: (count: number) => number;
}

/** Sends submissions over HTTP for some seconds, each from another network. Throws if one is refused. */
export async function measureHttp(
  { address, pid, postgres }: Pick<BenchProduct, 'address' | 'pid' | 'postgres'>,
  { connections = CONNECTIONS, ratingOf = (count) => (count % 5) + 1 }: HttpRunOptions = {},
): Promise<HttpRun> {
  let count = 0;
  const requestOf = () => {
    count += 1;
    return postOf('/api/data', bodyOf(count, ratingOf(count)), { 'x-forwarded-for': addressOf(count) });
  };
  const timesNow = () => [processorTimeOf(pid), processorTimeOf(postgres)] as const;
  const before = timesNow();
  const { answers, rate, p50, p99 } = await sendRequests(address, { connections, ms: MS, requestOf });
  const after = timesNow();
  return { rate, p50, p99, node: (after[0] - before[0]) / answers, postgres: (after[1] - before[1]) / answers };
}

/** Returns another network each time, as visitors' phones have. */
const addressOf = (count: number): string => `10.${(count >> 14) % 256}.${(count >> 6) % 256}.${count % 64}`;

function bodyOf(count: number, rating: number) {
  const form = forms[count % forms.length];
  if (!form) throw new Error('The sample business has no form');
  const responses = [{ uuid: gaugeOf(form.data.steps).uuid, block: 'EmojiGauge', response: rating }];
  return {
    service: 'feedback',
    action: 'save',
    idempotencyKey: randomAlphanumeric(24, random),
    payload: { data: { formId: form.id, responses } },
  };
}
