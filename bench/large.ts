import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { addDays, calendarDay, DAY, startOfDay } from '#contract/core/time.ts';
import { type ExportedFile, isInProgress } from '#contract/export/export.ts';
import type { FeedbackTopic } from '#contract/topic/topic.ts';
import { ACCOUNT_ID, dana } from '#fixtures/business.ts';
import { SCHEMA } from '../server/platform/jobs/schema.ts';
import { addNeighbour, addPerson } from './attacks/business.ts';
import { memoryOf } from './attacks/memory.ts';
import { compareTimes, openNeighbour } from './attacks/neighbour.ts';
import { line, median, milliseconds, quantile, say, times } from './measure.ts';
import type { BenchProduct } from './product.ts';
import { fillYears } from './years.ts';

const YEARS = { accountId: ACCOUNT_ID, person: dana.id, properties: 40, isSpread: false };
const SMALL = 1_000;
/** What a neighbour does during the purge, and for how long before it (ms). */
const [WATCHED, QUIET] = [['visitor', 'feed', 'counts'] as const, 15_000];
/** So many that a percentile leaves out a rare collection of garbage. */
const REQUESTS = 300;
const WARM_UP = 20;

type ReadRequest = Readonly<Record<string, unknown>>;

const PLACE = 'PROPERTY_Years000007';
const LISTS: Readonly<Record<string, ReadRequest>> = {
  'all, newest first': {},
  'all, oldest first': { order: 'oldest' },
  'one property': { propertyId: PLACE },
  'rating 1': { rating: 1 },
  'rating 1 of one property': { propertyId: PLACE, rating: 1 },
  complaints: { kind: 'complaint' },
  urgent: { kind: 'urgent' },
  'waiting visitors': { waiting: true, order: 'oldest' },
  'status done': { status: 'done' },
  'assigned to one person': { assignee: dana.id },
  'with text': { source: 'open text' },
  'a month two years ago': { from: Date.now() - 760 * DAY, to: Date.now() - 730 * DAY },
  unread: { unread: true },
};
const SEARCHES: Readonly<Record<string, ReadRequest>> = {
  'a common word': { text: 'coffee' },
  'a rare phrase': { text: '"lukewarm soup"' },
  'a word in no item': { text: 'zeppelin' },
  'a rare word with a rating': { text: 'lukewarm', rating: 1 },
};

interface LargeOptions {
  readonly answers: number;
  /** How many accounts have them; with more than one, each has one property. */
  readonly accounts: number;
}

/** Who reads. */
interface MeasuredPerson {
  readonly accountId: string;
  readonly email: string;
}

/** Measures an account on an installation with many answers over three years beside one with a thousand, and then its purge. */
export async function measureLarge(product: BenchProduct, { answers, accounts }: LargeOptions): Promise<void> {
  const client = await product.connect();
  const isSpread = accounts > 1;
  let reader: MeasuredPerson = { accountId: ACCOUNT_ID, email: dana.data.emailAddress };
  try {
    await client.query('truncate feedback, feedback_tally, feedback_day cascade');
    await client.query('truncate event');
    await fillYears(product, { ...YEARS, answers: SMALL });
    const small = new Map<string, readonly number[]>();
    await measureReads(product, reader, (name, durations) => small.set(name, durations));
    await matchTopics(product);
    await measureTopics(product, (name, durations) => small.set(name, durations));
    await client.query('truncate feedback, feedback_tally, feedback_day cascade');
    await client.query('truncate event');
    await client.query(`delete from property where id like 'PROPERTY_Years%'`);
    const before = await sizeOf(client);
    await fillYears(product, { ...YEARS, answers, ...(isSpread && { properties: accounts, isSpread }) });
    say(`    ${((((await sizeOf(client)) - before) / answers) * 1e3).toFixed(0)} MB of disk per million answers`);
    const report = (name: string, durations: readonly number[]) => {
      const ratio = (share: number) => times(quantile(durations, share) / quantile(small.get(name) ?? [], share));
      const comparison = `${ratio(0.99)} that of ${SMALL.toLocaleString('en-US')} answers`;
      line(
        name,
        `p99 ${milliseconds(quantile(durations, 0.99))}`,
        `${comparison}; median ${milliseconds(median(durations))}, ${ratio(0.5)}`,
      );
    };
    if (isSpread) {
      reader = { accountId: 'ACCOUNT_Years000007', email: 'reader@years.test' };
      await addPerson(client, reader);
    }
    await measureReads(product, reader, report);
    if (!isSpread) {
      await measureExport(product);
      line('topics found in all answers', `${((await matchTopics(product)) / 1e3).toFixed(1)} s`);
      await measureTopics(product, report);
      const started = performance.now();
      await request(product, await product.signIn(), { service: 'property', action: 'delete', propertyId: PLACE });
      line('deletion of a property', milliseconds(performance.now() - started));
    }
    await measurePurge(product, client, reader.accountId);
  } finally {
    await client.end();
  }
}

/** Deletes all topics, creates the usual ones, and returns how long their matching takes (ms). */
async function matchTopics(product: BenchProduct): Promise<number> {
  // It may take longer than a token lives.
  const ask = async (action: string, sent: object) => request(product, await product.signIn(), { service: 'topic', action, ...sent });
  const list = async () => ((await ask('list', { accountId: ACCOUNT_ID })) as { topics: FeedbackTopic[] }).topics;
  for (const { id: topicId } of await list()) await ask('delete', { topicId });
  const started = performance.now();
  await ask('setUp', { businessType: 'restaurant' });
  while ((await list()).some(({ data }) => !data.isMatched)) await sleep(1_000);
  return performance.now() - started;
}

async function sizeOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ kilobytes: string }>('select pg_database_size(current_database()) / 1000 as kilobytes');
  return Number(rows[0]?.kilobytes);
}

/** Receives how long each request for a read took (ms). */
type ReadReport = (name: string, durations: readonly number[]) => void;

/** Reports each read as soon as it is measured. */
async function measureReads(product: BenchProduct, { accountId, email }: MeasuredPerson, report: ReadReport): Promise<void> {
  const token = await product.signIn(email);
  const ask = (read: ReadRequest) => request(product, token, read);
  const measure = async (name: string, read: ReadRequest) => report(name, await timesOf(() => ask(read)));
  for (const [name, filters] of Object.entries({ ...LISTS, ...SEARCHES })) {
    const list = { action: 'list', accountId, ...filters };
    const { cursor } = (await ask(list)) as { cursor: string | null };
    await measure(name, list);
    await measure(`${name}, next page`, cursor ? { ...list, cursor } : list);
    await measure(`${name}, count`, { action: 'count', accountId, ...filters });
  }
  for (const [name, read] of Object.entries(COUNTS)) await measure(name, { accountId, ...read });
}

async function measureTopics(product: BenchProduct, report: ReadReport): Promise<void> {
  const token = await product.signIn();
  for (const [name, read] of Object.entries(TOPIC_COUNTS))
    report(name, await timesOf(() => request(product, token, { service: 'topic', action: 'counts', ...read })));
}

const ZONE = 'Europe/Berlin';
const TODAY = calendarDay(Date.now(), ZONE);
/** Whole days until today's end, as the dashboard sends them. */
const period = (days: number) => ({ from: startOfDay(addDays(TODAY, -days), ZONE), to: startOfDay(addDays(TODAY, 1), ZONE), zone: ZONE });
const COUNTS: Readonly<Record<string, ReadRequest>> = {
  inbox: { action: 'inbox' },
  'counts of a month': { action: 'summary', grain: 'day', ...period(31) },
  'counts of three years': { action: 'summary', grain: 'month', ...period(3 * 365) },
  'overview of a month': { action: 'overview', ...period(31) },
  'overview of all time': { service: 'insight', action: 'overview', ...period(4 * 365) },
  'insights of a month': { service: 'insight', action: 'overview', ...period(31) },
  'words of a month': { service: 'insight', action: 'words', from: Date.now() - 31 * DAY, to: Date.now() },
  'totals of each property': { action: 'totals' },
};
const [MONTH_AGO, YEARS_AGO] = [Date.now() - 31 * DAY, Date.now() - 4 * 365 * DAY];
const TOPIC_COUNTS: Readonly<Record<string, ReadRequest>> = {
  'topics of a month': { accountId: ACCOUNT_ID, from: MONTH_AGO, to: Date.now(), before: MONTH_AGO - 31 * DAY },
  'topics of all time': { accountId: ACCOUNT_ID, from: YEARS_AGO, to: Date.now() },
};

async function request({ address }: Pick<BenchProduct, 'address'>, token: string, read: ReadRequest): Promise<unknown> {
  for (;;) {
    const answer = await fetch(`${address}/api/data`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ service: 'feedback', ...read }),
    });
    const body = (await answer.json()) as { status?: unknown };
    if (answer.ok) return body;
    if (answer.status !== 429 && answer.status !== 503)
      throw new Error(`${JSON.stringify(read)} was answered with ${answer.status} ${JSON.stringify(body)}`);
    await sleep(1_000);
  }
}

async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const durations: number[] = [];
  for (let count = 0; count < REQUESTS + WARM_UP; count += 1) {
    const started = performance.now();
    await work();
    const duration = performance.now() - started;
    if (count >= WARM_UP) durations.push(duration);
    // A slow read needs fewer repetitions.
    if (duration > 2_000 && count >= WARM_UP + 2) break;
  }
  return durations;
}

/** Exports 90 days as CSV, which is less than the most that one file may have, and reports the memory while it is written. */
async function measureExport(product: BenchProduct): Promise<void> {
  const token = await product.signIn();
  const to = Date.now();
  const create = {
    service: 'export',
    action: 'create',
    accountId: ACCOUNT_ID,
    format: 'csv',
    zone: ZONE,
    from: to - 90 * DAY,
    to,
  };
  const started = performance.now();
  let { file } = (await request(product, token, create)) as { file: ExportedFile };
  let peak = 0;
  while (isInProgress(file)) {
    await sleep(1_000);
    peak = Math.max(peak, await memoryOf(product.pid));
    ({ file } = (await request(product, token, { service: 'export', action: 'get', exportId: file.id })) as { file: ExportedFile });
  }
  line(
    `export of ${file.data.rows.toLocaleString('en-US')} answers: ${file.data.status}`,
    `${Math.round((performance.now() - started) / 1000)} s`,
    `at most ${Math.round(peak)} MB of memory`,
  );
}

/** Purges the account, and reports how long that takes and how much slower a neighbour becomes. */
async function measurePurge(product: BenchProduct, owner: pg.Client, accountId: string): Promise<void> {
  const neighbour = openNeighbour(await addNeighbour(product, owner));
  try {
    // Warms up, because first requests take longer.
    await neighbour.during(WATCHED, sleep(QUIET / 3));
    const quiet = await neighbour.during(WATCHED, sleep(QUIET));
    const started = performance.now();
    const during = await neighbour.during(WATCHED, purge(owner, accountId));
    line('purge', `${((performance.now() - started) / 1e3).toFixed(1)} s`);
    for (const kind of WATCHED) compareTimes(kind, quiet.observed, during.observed);
  } finally {
    await neighbour.stop();
  }
}

/** Deletes an account a week ago, and waits until it's purged. */
async function purge(owner: pg.Client, accountId: string): Promise<void> {
  await owner.query(`update account set deleted = now() - interval '8 days' where id = $1`, [accountId]);
  await owner.query(`insert into ${SCHEMA}.job (name, retry_limit, retry_delay) values ('account.purge', 100, 1)`);
  while ((await owner.query('select from account where id = $1', [accountId])).rowCount === 1) await sleep(500);
}
