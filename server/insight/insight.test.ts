import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placementOf } from '#contract/core/ids.ts';
import { calendarDay, DAY, HOUR, isoDay, QUARTER_HOUR, type Range } from '#contract/core/time.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { RATINGS, type Rating } from '#contract/feedback/rating.ts';
import type { Tally } from '#contract/feedback/tally.ts';
import { DAYS_BY_HOUR, type HourOfWeek } from '#contract/insight/insight.ts';
import { MOST_READ } from '#contract/insight/words.ts';
import { ACCOUNT_ID, airport, oldTown, pier, sam, terrace, till, website } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { formOf, newKey, submission } from '../../test/support/submission.ts';
import { COUNTS_BY_HOUR, COUNTS_BY_PERIOD, COUNTS_OF_PLACES, latestTextsQuery } from '../feedback/counts-store.ts';

/* Overviews match a recount from scratch, and no request reads all feedback. */

let app: TestApp;
let token: string;
/** Clocks went back on 25 October in Europe, on 1 November in New York. */
const start = Date.UTC(2026, 9, 20);
let now = start;
beforeAll(async () => {
  app = await openTestApp({ clock: () => now, also: addOtherAccount });
  await simulateVisits();
  // The first session has expired.
  token = await app.signIn();
});
afterAll(() => app.stop());

const ask = async (action: string, sent: object, asToken = token) => (await app.call('insight', action, sent, asToken)).body;
let seed = 20_261_122;
const roll = (sides: number): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % sides;
};
const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T;

const BAD = ['Cold coffee', 'The queue was long', 'Long queue again'];
const GOOD = ['Lovely view', 'Lovely staff, quick service', 'Café très bon'];
const openings: { propertyId: string; at: number }[] = [];

/** Three weeks of visits to three places, one of which is deleted later. Some answers are amended, some are suspected, some are tests. */
async function simulateVisits(): Promise<void> {
  const admin = await app.signIn();
  const zoned = (id: string, timeZone: string | null) => app.call('property', 'save', { payload: { id, data: { timeZone } } }, admin);
  expect((await zoned(pier.id, 'Europe/Lisbon')).status).toBe(200);
  expect((await zoned(airport.id, 'America/New_York')).status).toBe(200);
  const ids: string[] = [];
  for (let round = 0; round < 60; round += 1) {
    now += roll(16) * HOUR + roll(60) * 60_000;
    const visits = await Promise.all(Array.from({ length: 4 }, visit));
    ids.push(...visits);
  }
  const worker = await app.signIn();
  const suspectedIds = ids.filter((_, place) => place % 9 === 0);
  await app.stored('update feedback set suspected = false where id = any($1) and test is null', [suspectedIds]);
  await app.call('feedback', 'trust', { feedbackIds: suspectedIds, counts: false }, worker);
  await app.call('feedback', 'trust', { feedbackIds: suspectedIds.slice(0, 5), counts: true }, worker);
  const tests = await app.stored<{ id: string }>('select id from feedback where test limit 3');
  await app.call('feedback', 'discard', { feedbackIds: tests.map(({ id }) => id) }, worker);
  await app.call('tool', 'delete', { toolId: terrace.id }, worker);
  await app.call('property', 'delete', { propertyId: oldTown.id }, worker);
}

async function visit(): Promise<string> {
  const property = pick([pier, pier, pier, airport, oldTown]);
  const form = formOf(property.data.formId);
  const key = newKey();
  await app.call('view', 'track', { formId: form.id });
  openings.push({ propertyId: property.id, at: now });
  const rating = pick(RATINGS);
  const text = roll(3) === 0 ? undefined : pick(rating < 3 ? BAD : GOOD);
  const at = property === pier ? pick([placementOf(till.id), placementOf(terrace.id), undefined]) : undefined;
  const { idempotencyKey, payload } = submission({ rating, ...(text !== undefined && { text }) }, { key, form });
  const test = roll(12) === 0 && { test: true };
  const origin = { ...(at !== undefined && { at }), ...test };
  const { body } = await app.call('feedback', 'save', { idempotencyKey, payload: { data: { ...payload.data, ...origin } } });
  if (roll(3) === 0) await amend(property.data.formId, key, { rating: pick(RATINGS) });
  if (roll(3) === 0 && property === pier) await amend(property.data.formId, key, { review: 'Google' });
  return body.feedback.id;
}

async function amend(formId: string, key: string, answers: { rating?: Rating; review?: 'Google' }): Promise<void> {
  const { status } = await app.call('feedback', 'save', submission(answers, { key, form: formOf(formId) }));
  expect(status).toBe(200);
}

/* ── The recount ── */

async function allFeedback(query: object): Promise<Feedback['data'][]> {
  const items: Feedback[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await app.call('feedback', 'list', { ...query, limit: 100, ...(cursor && { cursor }) }, token);
    items.push(...body.feedback);
    cursor = body.cursor ?? undefined;
    if (cursor === undefined) return items.map(({ data }) => data).filter(({ test }) => !test);
  }
}

const tallyOf = (items: readonly Feedback['data'][]): Tally =>
  RATINGS.map((rating) => items.filter((item) => item.rating === rating).length) as Tally;

const quarterOf = (at: number): number => Math.floor(at / QUARTER_HOUR) * QUARTER_HOUR;
const isIn = ({ from, to }: Range, at: number): boolean => quarterOf(at) >= from && quarterOf(at) < to;

/** Uses the platform's calendar. */
function clockAt(at: number, timeZone: string): { weekday: number; hour: number } {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { weekday: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts['weekday'] ?? '') + 1, hour: Number(parts['hour']) };
}

function hoursOf(items: readonly Feedback['data'][], zoneOf: (propertyId: string) => string): HourOfWeek[] {
  const cells = new Map<number, Feedback['data'][]>();
  for (const item of items) {
    const { weekday, hour } = clockAt(item.created, zoneOf(item.projectId));
    const cell = weekday * 24 + hour;
    cells.set(cell, [...(cells.get(cell) ?? []), item]);
  }
  return [...cells]
    .sort(([one], [other]) => one - other)
    .map(([cell, list]) => ({ weekday: Math.floor(cell / 24), hour: cell % 24, ratings: tallyOf(list) }));
}

const ZONES: Readonly<Record<string, string>> = { [pier.id]: 'Europe/Lisbon', [airport.id]: 'America/New_York' };

async function recount(propertyId: string | undefined, span: Range): Promise<object> {
  const items = (await allFeedback(propertyId === undefined ? { accountId: ACCOUNT_ID } : { propertyId })).filter(({ created }) =>
    isIn(span, created),
  );
  const places = propertyId === undefined ? [airport.id, pier.id] : propertyId === pier.id ? [till.id, website.id] : [];
  const partOf = (id: string) => items.filter(({ projectId, toolId }) => projectId === id || toolId === id);
  const alive = openings.filter(
    ({ propertyId: of, at }) => (propertyId === undefined ? of !== oldTown.id : of === propertyId) && isIn(span, at),
  );
  const from = Math.max(span.from, span.to - DAYS_BY_HOUR * DAY);
  return {
    status: 'ok',
    funnel: {
      views: alive.length,
      ratings: items.length,
      reviews: items.filter(({ converted }) => converted !== undefined).length,
    },
    places: places.flatMap((id) => (partOf(id).length > 0 ? [{ id, ratings: tallyOf(partOf(id)) }] : [])),
    hours: {
      from,
      cells: hoursOf(
        items.filter(({ created }) => quarterOf(created) >= from),
        (id) => ZONES[id] ?? 'Asia/Kolkata',
      ),
    },
  };
}

describe('an overview', () => {
  it('is limited to the member’s account and its properties', async () => {
    const span = { from: start, to: now, zone: 'UTC' };
    expect((await app.call('insight', 'overview', { accountId: ACCOUNT_ID, ...span })).status).toBe(401);
    const unknownProperty = await app.call('insight', 'overview', { propertyId: 'PROPERTY_NobodyHere', ...span }, token);
    expect([unknownProperty.status, unknownProperty.body]).toEqual([404, { status: 'not found' }]);
    for (const sent of [{ propertyId: otherAccount.propertyId }, { propertyId: oldTown.id }, { accountId: otherAccount.accountId }]) {
      for (const action of ['overview', 'words']) {
        const { zone, ...range } = span;
        const answer = await app.call('insight', action, { ...sent, ...(action === 'overview' ? span : range) }, token);
        expect([answer.status, answer.body]).toEqual([unknownProperty.status, unknownProperty.body]);
      }
    }
    const member = await app.signIn(sam.data.emailAddress);
    expect((await ask('overview', { accountId: ACCOUNT_ID, ...span }, member)).status).toBe('ok');
  });

  it('refuses a range that ends before it begins, or is longer than fifty years', async () => {
    for (const [from, to] of [
      [now, now],
      [0, 51 * 366 * DAY],
    ]) {
      const { code, errors } = await ask('overview', { accountId: ACCOUNT_ID, from, to, zone: 'UTC' });
      expect([code, errors[0].path]).toEqual(['bad-input', 'to']);
    }
  });

  it('matches a recount for any range, for the account and each property', async () => {
    const spans: Range[] = [
      { from: start - 100 * DAY, to: now + DAY },
      { from: start, to: start + 6 * HOUR },
      ...Array.from({ length: 12 }, () => {
        const from = start + roll(60 * 24) * QUARTER_HOUR;
        return { from, to: from + (1 + roll(1_000)) * QUARTER_HOUR };
      }),
    ];
    let counted = 0;
    for (const span of spans) {
      for (const propertyId of [undefined, pier.id, airport.id]) {
        const subject = propertyId === undefined ? { accountId: ACCOUNT_ID } : { propertyId };
        const answer = await ask('overview', { ...subject, ...span, zone: 'Asia/Kolkata' });
        expect(answer).toEqual(await recount(propertyId, span));
        counted += answer.funnel.ratings;
      }
    }
    expect(counted).toBeGreaterThan(300);
  });

  it('counts a property’s hours in the viewer’s zone, until it has its own', async () => {
    const span = { from: start, to: now + DAY };
    await app.call('property', 'save', { payload: { id: pier.id, data: { timeZone: null } } }, token);
    const items = (await allFeedback({ propertyId: pier.id })).filter(({ created }) => isIn(span, created));
    const { hours } = await ask('overview', { propertyId: pier.id, ...span, zone: 'Australia/Lord_Howe' });
    expect(hours.cells).toEqual(hoursOf(items, () => 'Australia/Lord_Howe'));
    await app.call('property', 'save', { payload: { id: pier.id, data: { timeZone: 'Europe/Lisbon' } } }, token);
  });
});

describe('counts by day and month', () => {
  interface Trend {
    readonly trend: readonly { readonly at: number; readonly ratings: Tally }[];
  }

  const middle = start + 11 * DAY;
  const spans: Range[] = [
    { from: start - 40 * DAY, to: start + 40 * DAY },
    { from: middle + 7 * HOUR, to: start + 40 * DAY },
    { from: middle + HOUR, to: middle + 20 * HOUR },
  ];
  it.each([
    ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Asia/Kolkata', 'Asia/Kathmandu'],
    ...['Australia/Sydney', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/Havana'],
  ])('in %s add up those by hour', async (zone) => {
    for (const span of spans) {
      const read = async (grain: string): Promise<Trend> =>
        (await app.call('feedback', 'summary', { accountId: ACCOUNT_ID, ...span, zone, grain }, token)).body;
      const { trend: hours, ...counts } = await read('hour');
      for (const grain of ['day', 'month']) {
        const periodOf = (at: number) => isoDay(calendarDay(at, zone)).slice(0, grain === 'day' ? 10 : 7);
        const byPeriod = await read(grain);
        expect(byPeriod).toMatchObject(counts);
        expect(byPeriod.trend.map(({ at, ratings }) => [periodOf(at), ratings])).toEqual(
          [...new Set(hours.map(({ at }) => periodOf(at)))].map((period) => [
            period,
            addedUp(hours.filter(({ at }) => periodOf(at) === period)),
          ]),
        );
      }
    }
  });

  const addedUp = (entries: Trend['trend']): number[] =>
    [0, 1, 2, 3, 4].map((rating) => entries.reduce((sum, { ratings }) => sum + (ratings[rating] ?? 0), 0));
});

describe('feedback from before the counts', () => {
  it('is counted by the migration', async () => {
    const span = { from: start - 100 * DAY, to: now + DAY, zone: 'UTC' };
    const readOverviews = () =>
      Promise.all([{ accountId: ACCOUNT_ID }, { propertyId: pier.id }].map((subject) => ask('overview', { ...subject, ...span })));
    const readCounts = async (action: string, sent: object) =>
      (await app.call('feedback', action, { accountId: ACCOUNT_ID, ...sent }, token)).body;
    const readAll = () => Promise.all([readOverviews(), readCounts('summary', { ...span, grain: 'month' }), readCounts('totals', {})]);
    const before = await readAll();
    await app.stored('truncate feedback_day, view_quarter; update feedback_tally set reviews = 0');
    expect(await readAll()).not.toEqual(before);
    for (const name of ['0023_insight', '0040_day_counts']) {
      const migration = readFileSync(path.join(import.meta.dirname, `../../database/migrations/${name}.sql`), 'utf8');
      const inserts = migration.split('--> statement-breakpoint').filter((part) => part.includes('insert into'));
      for (const part of inserts) await app.stored(part);
    }
    expect(await readAll()).toEqual(before);
  });
});

describe('the review funnel', () => {
  it('has who was offered the links by each rule, and who opened one', async () => {
    const funnelOf = async () => (await ask('reviewFunnel', { propertyId: pier.id })).spans;
    const [first, ...others] = await funnelOf();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ first: 1, invite: 'good', services: ['Google', 'Yelp'] });
    const items = (await allFeedback({ propertyId: pier.id })).filter(({ test }) => !test);
    for (const rating of [1, 2, 3, 4, 5]) {
      const rated = items.filter((item) => item.rating === rating);
      expect([first.ratings[rating - 1], first.opened[rating - 1]]).toEqual([
        rated.length,
        rated.filter(({ converted }) => converted !== undefined).length,
      ]);
    }
    const { form } = (await app.call('form', 'get', { formId: pier.data.formId })).body;
    const data = { basedOn: form.data.version, inviteToReview: 'everyone' };
    expect((await app.call('form', 'save', { payload: { id: form.id, data } }, token)).status).toBe(200);
    const [newest, before] = await funnelOf();
    expect(newest).toMatchObject({ first: 2, last: 2, invite: 'everyone', ratings: [0, 0, 0, 0, 0] });
    expect(before).toEqual(first);
    expect((await app.call('insight', 'reviewFunnel', { propertyId: 'PROPERTY_NobodyHere' }, token)).status).toBe(404);
  });
});

describe('frequent words', () => {
  it('are in as many items as the feed finds', async () => {
    const span = { from: start, to: now + DAY };
    const { pieces, read, hasMore, bad, good } = await ask('words', { accountId: ACCOUNT_ID, ...span });
    const items = (await allFeedback({ accountId: ACCOUNT_ID, ...span })).filter(({ textFeedback }) => textFeedback !== undefined);
    const sides = (list: readonly Feedback['data'][]) => ({
      bad: list.filter(({ rating }) => rating < 3).length,
      good: list.filter(({ rating }) => rating > 3).length,
    });
    expect({ pieces, read, hasMore }).toEqual({ pieces: sides(items), read: items.length, hasMore: false });
    expect([bad.length, good.length].every((many) => many > 0)).toBe(true);
    for (const { words, ...counts } of [...bad, ...good]) {
      expect(sides(await allFeedback({ accountId: ACCOUNT_ID, ...span, text: `"${words}"` }))).toEqual(counts);
    }
    expect((await ask('words', { propertyId: pier.id, ...span })).read).toBe(items.filter(({ projectId }) => projectId === pier.id).length);
  });
});

/* ── Bounds ── */

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'CTE Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Returns how many rows of these tables a statement read. */
async function rowsRead(sql: string, values: unknown[], tables: readonly string[]): Promise<number> {
  const [row] = await app.stored<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`explain (analyze, format json) ${sql}`, values);
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('There is no plan');
  const scans = nodesOf(plan).filter((node) => tables.includes(node['Relation Name'] ?? node['CTE Name'] ?? ''));
  expect(scans.length).toBeGreaterThan(0);
  return scans.reduce((sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], 0);
}

describe('with much feedback', () => {
  it('a range is read from its days and the quarters of an hour at its ends', async () => {
    const from = Date.UTC(2020, 0, 1);
    await app.stored(
      `with quarters as (
         select $1::text as account_id, 'PROPERTY_busy' as place, quarter, 0 as lane
           from generate_series($2::timestamptz, $2::timestamptz + interval '400 days', interval '15 minutes') as quarter
       ), by_quarter as (
         insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent)
         select account_id, place, quarter, lane, 0, 0, 0, 0, 1, 0 from quarters)
       insert into feedback_day (account_id, place, day, lane, one, two, three, four, five, reviews)
       select account_id, case when other = 0 then place else place || other end, (quarter at time zone 'UTC')::date, lane, 0, 0, 0, 0, count(*), 0
         from quarters, generate_series(0, 9) as other group by 1, 2, 3, 4`,
      [ACCOUNT_ID, new Date(from)],
    );
    await app.stored('analyze feedback_tally; analyze feedback_day');
    const moment = (days: number) => new Date(from + days * DAY);
    const read = await rowsRead(
      COUNTS_OF_PLACES,
      [ACCOUNT_ID, ['PROPERTY_busy'], '2020-01-02', '2021-01-01', moment(0.25), moment(1), moment(366), moment(366.75)],
      ['feedback_tally', 'feedback_day'],
    );
    expect(read).toBeLessThanOrEqual(365 + 2 * 96);
    const [first, last] = [moment(1), moment(366)];
    // Berlin's midnight is an hour or two before that of UTC, so that many hours are moved for each day or month.
    for (const [grain, periods] of [
      ['month', 12],
      ['day', 365],
    ] as const) {
      const values = [ACCOUNT_ID, ['PROPERTY_busy'], 'Europe/Berlin', grain, first, last, moment(0.25), first, last, moment(366.75)];
      expect(await rowsRead(COUNTS_BY_PERIOD, values, ['feedback_tally', 'feedback_day'])).toBeLessThanOrEqual(365 + 2 * 96 + periods * 8);
      // Added to one period and subtracted from another.
      expect(await rowsRead(COUNTS_BY_PERIOD, values, ['moved'])).toBeLessThanOrEqual(2 * periods);
    }
  });

  it('the hours of a place are read from its own quarters of an hour', async () => {
    const [from, to] = [new Date(Date.UTC(2021, 0, 1)), new Date(Date.UTC(2021, 3, 1))];
    await app.stored(
      `insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent)
       select $1, 'PROPERTY_hours' || place, quarter, 0, 0, 0, 0, 0, 1, 0
         from generate_series(0, 19) as place, generate_series($2::timestamptz, $3::timestamptz, interval '15 minutes') as quarter`,
      [ACCOUNT_ID, from, to],
    );
    await app.stored('analyze feedback_tally');
    const places = JSON.stringify([{ place: 'PROPERTY_hours0', zone: 'Europe/Berlin' }]);
    expect(await rowsRead(COUNTS_BY_HOUR, [ACCOUNT_ID, places, from, to], ['feedback_tally'])).toBe(90 * 96);
  });

  it('at most the stated number of texts is read, by an index of feedback with text', async () => {
    await app.stored(
      `insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, text, responses)
       select $1, 'EXPERIENCE_20200101_' || (1577836800000 + each) || '_many0', $2, $3, 1, decode(md5(each::text), 'hex'),
              to_timestamp(1577836800 + each / 1000.0), 1 + each % 5, false, 'regular', 'none',
              case when each % 3 = 0 then 'Waited ' || each end, '[]'
         from generate_series(1, 12000) as each`,
      [ACCOUNT_ID, pier.id, pier.data.formId],
    );
    await app.stored('analyze feedback');
    const range = ['EXPERIENCE_20200101_', 'EXPERIENCE_20200102_'];
    for (const [condition, values] of [
      ['true', []],
      ['property_id = $4', [pier.id]],
    ] as const) {
      expect(await rowsRead(latestTextsQuery(condition), [ACCOUNT_ID, ...range, ...values], ['feedback'])).toBe(MOST_READ + 1);
    }
    const { read, hasMore } = await ask('words', { accountId: ACCOUNT_ID, from: Date.UTC(2020, 0, 1), to: Date.UTC(2020, 0, 2) });
    expect({ read, hasMore }).toEqual({ read: MOST_READ, hasMore: true });
  });
});
