import { and, desc, eq, gte, ilike, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { VISITOR } from '#contract/event.ts';
import type { EventName, RecordedEvent } from '#contract/events.ts';
import {
  type Diagnostics,
  type Feedback,
  type FeedbackSource,
  KINDS,
  type Kind,
  MOST_UNSUSPECTED,
  type Response,
  type Tally,
  total,
} from '#contract/feedback.ts';
import { STANDARD } from '#contract/form.ts';
import { feedbackIdFloor } from '#contract/ids.ts';
import { RATINGS, type Rating } from '#contract/rating.ts';
import { derive } from '#contract/submission.ts';
import { QUARTER_HOUR } from '#contract/time.ts';
import { appendFrom } from '../event/store.ts';
import type { AccountScope, OperatorScope } from '../kernel/access.ts';
import type { Database } from '../kernel/database.ts';
import { DELETED_IDS } from '../property/store.ts';
import { COUNTED, feedback, IS_COUNTED, submissionBudgets, WHOLE_ACCOUNT } from './tables.ts';

type FeedbackRow = typeof feedback.$inferSelect;

/* ── Taking feedback in: no account in scope, the intake role's right to add ── */

/** A row of a submission that is to be stored. */
export interface NewFeedback {
  readonly accountId: string;
  readonly id: string;
  readonly propertyId: string;
  readonly formId: string;
  readonly formVersion: number;
  /** SHA-256 of the idempotency key, in hexadecimal. */
  readonly keyHash: string;
  /** True or undefined: beyond the budget of the network that it came from. */
  readonly suspected: true | undefined;
  /** UTC ms. */
  readonly created: number;
  readonly rating: Rating;
  readonly urgent: boolean;
  readonly kind: Kind;
  readonly source: FeedbackSource;
  readonly text: string | undefined;
  readonly converted: number | undefined;
  readonly responses: readonly Response[];
  readonly diagnostics: Diagnostics | undefined;
  readonly url: string | undefined;
}

/** An event that storing a submission recorded. */
type Arrival = RecordedEvent<'feedback.submitted' | 'feedback.urgent'>;

/** What storing submissions came to. */
export interface Inserted {
  /** The ids of those that are new. Of the others the key (or, once in a very long time, the id) was there before, and is left as it is. */
  readonly ids: ReadonlySet<string>;
  /** What was recorded. */
  readonly arrivals: readonly Arrival[];
}

interface Inserting {
  /** The number of the run among those under way side by side: each counts in rows of its own. */
  readonly lane: number;
  /** The events that a subscriber waits for. */
  readonly subscribedNames: readonly EventName[];
}

/** Stores submissions of any accounts in one transaction, with their counts and their events. */
export async function insertMany(
  database: Database,
  rows: readonly NewFeedback[],
  { lane, subscribedNames }: Inserting,
): Promise<Inserted> {
  const told = await database.intake<{ subject: string; eventId: string | null; name: Arrival['name'] }>({
    name: 'insert feedback',
    text: INSERT_MANY,
    values: [JSON.stringify(rows), lane, subscribedNames],
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    ids: new Set(told.map(({ subject }) => subject)),
    arrivals: told.flatMap(({ subject, eventId, name }) => {
      const row = byId.get(subject);
      return row && eventId !== null ? [arrivalOf(row, { id: Number(eventId), name })] : [];
    }),
  };
}

function arrivalOf(
  { accountId, id: subject, created: at, propertyId, rating }: NewFeedback,
  { id, name }: Pick<Arrival, 'id' | 'name'>,
): Arrival {
  return { id, name, accountId, subject, actor: VISITOR, at, data: { propertyId, rating } };
}

/** Adds new counts to those of an existing row. */
const ADDED_UP = `on conflict (account_id, place, quarter, lane) do update set
      one = feedback_tally.one + excluded.one, two = feedback_tally.two + excluded.two,
      three = feedback_tally.three + excluded.three, four = feedback_tally.four + excluded.four,
      five = feedback_tally.five + excluded.five, urgent = feedback_tally.urgent + excluded.urgent,
      suspected = feedback_tally.suspected + excluded.suspected`;

/** A tally's columns, counted over rows of feedback. */
const COUNTS = `count(*) filter (where rating = 1 and ${IS_COUNTED}), count(*) filter (where rating = 2 and ${IS_COUNTED}),
  count(*) filter (where rating = 3 and ${IS_COUNTED}), count(*) filter (where rating = 4 and ${IS_COUNTED}),
  count(*) filter (where rating = 5 and ${IS_COUNTED}), count(*) filter (where urgent and ${IS_COUNTED}),
  count(*) filter (where suspected)`;

/** Tallies are added in their key's order, so that writers side by side cannot wait for each other in a circle. */
const INSERT_MANY = `
  with arrived as (
    select * from json_to_recordset($1::json) as arrived (
      "accountId" text, id text, "propertyId" text, "formId" text, "formVersion" integer, "keyHash" text, created bigint,
      rating smallint, urgent boolean, kind text, source text, text text, converted bigint, responses jsonb,
      diagnostics json, url text, suspected boolean)
  ), stored as (
    insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source,
                          text, converted, responses, screen_width, screen_height, url, suspected)
    select "accountId", id, "propertyId", "formId", "formVersion", decode("keyHash", 'hex'), to_timestamp(created / 1000.0),
           rating, urgent, kind, source, text, to_timestamp(converted / 1000.0), responses,
           (diagnostics->'screen'->>'width')::integer, (diagnostics->'screen'->>'height')::integer, url, suspected
      from arrived
    on conflict do nothing
    returning account_id, id, property_id, created, rating, urgent, suspected
  ), tallied as (
    insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent, suspected)
    select account_id, place, date_bin('15 minutes', created, 'epoch'), $2::smallint, ${COUNTS}
      from stored, lateral (values ('${WHOLE_ACCOUNT}'), (property_id)) as places (place)
     group by 1, 2, 3
     order by 1, 2, 3
    ${ADDED_UP}
  ), named as (
    select 'feedback.submitted' as name, * from stored where ${IS_COUNTED}
    union all
    select 'feedback.urgent', * from stored where urgent and ${IS_COUNTED}
  ), happened as (
    select account_id, created as at, name, id as subject, '${VISITOR}' as actor,
           jsonb_build_object('propertyId', property_id, 'rating', rating) as data, name <> all ($3::text[]) as relayed
      from named
  ), recorded as (
    ${appendFrom('happened')}
  )
  select subject, id as "eventId", name from recorded
  union all
  select id, null, null from stored where suspected`;

/* ── What networks send: of no account ── */

/** A form whose answers are counted by network. */
export interface BudgetedForm {
  readonly id: string;
  readonly accountId: string;
  readonly propertyId: string;
}

/** What a process has counted since it last said so. */
interface LocalCount extends BudgetedForm {
  /** SHA-256 of form and network, in hexadecimal. */
  readonly key: string;
  readonly added: number;
  /** When the quarter of an hour begins, and when this is said: UTC ms. */
  readonly quarter: number;
  readonly at: number;
}

interface Exchanged {
  /** What all processes have counted, by key. */
  readonly totals: ReadonlyMap<string, number>;
  /** Recorded for each budget that ends with this. */
  readonly events: readonly RecordedEvent[];
}

/** Adds what a process counted to what the others did. */
export async function exchangeBudgets(database: Database, counted: readonly LocalCount[]): Promise<Exchanged> {
  const told = await database.intake<{ key: string; total: number; eventId: null } | { formId: string; eventId: string }>({
    name: 'exchange budgets',
    text: EXCHANGE_BUDGETS,
    values: [JSON.stringify(counted)],
  });
  const byForm = new Map(counted.map((each) => [each.id, each]));
  return {
    totals: new Map(told.flatMap((row) => (row.eventId === null ? [[row.key, row.total] as const] : []))),
    events: told.flatMap((row) => {
      const form = row.eventId === null ? undefined : byForm.get(row.formId);
      return form ? [suspectedEvent(form, Number(row.eventId))] : [];
    }),
  };
}

const suspectedEvent = ({ accountId, id: subject, propertyId, at }: LocalCount, id: number): RecordedEvent<'feedback.suspected'> => ({
  ...{ id, name: 'feedback.suspected', accountId, subject, actor: VISITOR, at },
  data: { propertyId },
});

/** In the key's order, so that processes side by side cannot wait for each other in a circle. */
const EXCHANGE_BUDGETS = `
  with sent as (
    select *, decode(key, 'hex') as hash
      from json_to_recordset($1::json) as sent (
        key text, quarter bigint, added integer, at bigint, id text, "accountId" text, "propertyId" text)
  ), counted as (
    insert into submission_budget as budget (key, quarter, count)
    select hash, to_timestamp(quarter / 1000.0), added from sent order by hash
    on conflict (key, quarter) do update set count = budget.count + excluded.count
    returning key, count
  ), ended as (
    select distinct on (id) sent.* from sent join counted on counted.key = hash
     where count > ${MOST_UNSUSPECTED} and count - added <= ${MOST_UNSUSPECTED}
  ), happened as (
    select "accountId" as account_id, to_timestamp(at / 1000.0) as at, 'feedback.suspected' as name, id as subject,
           '${VISITOR}' as actor, jsonb_build_object('propertyId', "propertyId") as data, true as relayed
      from ended
  ), recorded as (
    ${appendFrom('happened')}
  )
  select sent.key, count as total, null as "formId", null as "eventId" from sent join counted on counted.key = hash
  union all
  select null, null, subject, id::text from recorded`;

/** Forgets quarters of an hour that began before. */
export async function forgetBudgets({ db }: OperatorScope, before: Date): Promise<void> {
  await db.delete(submissionBudgets).where(lt(submissionBudgets.quarter, before));
}

/* ── The key-holder's and the team's path: one account in scope ── */

/** Deletes some of the account's feedback for good; gives back how much. For an account that is purged. */
export async function forget({ accountId, db }: AccountScope, most: number): Promise<number> {
  const some = db.select({ id: feedback.id }).from(feedback).where(eq(feedback.accountId, accountId)).limit(most);
  const { rowCount } = await db.delete(feedback).where(and(eq(feedback.accountId, accountId), inArray(feedback.id, some)));
  return rowCount ?? 0;
}

/** The feedback that a key names, for reading. */
export async function byKey({ accountId, db }: AccountScope, formId: string, keyHash: string): Promise<Feedback | undefined> {
  const [row] = await db
    .select()
    .from(feedback)
    .where(named(accountId, formId, keyHash));
  return row && record(row);
}

/** The feedback that a key names, locked until the transaction ends so that amendments follow one another. */
export async function lockByKey({ accountId, db }: AccountScope, formId: string, keyHash: string): Promise<Feedback | undefined> {
  const [row] = await db
    .select()
    .from(feedback)
    .where(named(accountId, formId, keyHash))
    .for('no key update');
  return row && record(row);
}

const named = (accountId: string, formId: string, keyHash: string) =>
  and(eq(feedback.accountId, accountId), eq(feedback.formId, formId), eq(feedback.keyHash, Buffer.from(keyHash, 'hex')));

/** The parts of feedback that an amendment replaces. */
export type Amendment = Pick<NewFeedback, 'rating' | 'urgent' | 'kind' | 'source' | 'text' | 'converted' | 'responses'>;

/** Replaces what the visitor said, and moves the counts along. Lock the row first (`lockByKey`). */
export async function amend(scope: AccountScope, before: Feedback, after: Amendment): Promise<Feedback> {
  const { accountId, db } = scope;
  const { converted, responses, text, ...rest } = after;
  const [row] = await db
    .update(feedback)
    .set({ ...rest, text: text ?? null, converted: converted === undefined ? null : new Date(converted), responses: [...responses] })
    .where(and(eq(feedback.accountId, accountId), eq(feedback.id, before.id)))
    .returning();
  if (!row) throw new Error('Feedback vanished while it was held');
  const wasUrgent = before.gs1sk === 'URGENT';
  if (!before.data.suspected && (before.data.rating !== after.rating || wasUrgent !== after.urgent)) {
    await moveTally(scope, before, after);
  }
  return record(row);
}

/** Amendments count in a lane of their own. */
const AMENDMENT_LANE = -1;

async function moveTally({ accountId, db }: AccountScope, { gs1sk, data }: Feedback, after: Amendment): Promise<void> {
  const quarter = new Date(Math.floor(data.created / QUARTER_HOUR) * QUARTER_HOUR);
  const moved = RATINGS.map((rating) => Number(after.rating === rating) - Number(data.rating === rating));
  const urgent = Number(after.urgent) - Number(gs1sk === 'URGENT');
  await db.execute(sql`
    insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent)
    select ${accountId}, place, ${quarter.toISOString()}::timestamptz, ${AMENDMENT_LANE}::smallint,
           ${moved[0]}::integer, ${moved[1]}::integer, ${moved[2]}::integer, ${moved[3]}::integer, ${moved[4]}::integer, ${urgent}::integer
      from (values (${WHOLE_ACCOUNT}), (${data.projectId}::text)) as places (place)
     order by place
    ${sql.raw(ADDED_UP)}`);
}

/** The filters of a list of feedback, and the id after which it goes on. Times are UTC ms; `to` is exclusive. */
export interface FeedbackListQuery {
  readonly propertyId?: string | undefined;
  readonly kind: Kind | 'all' | 'urgent' | 'suspected';
  readonly source?: FeedbackSource | undefined;
  readonly rating?: Rating | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly text?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Newest first, by walking an index from the cursor: the time does not grow with what lies behind. */
export async function list(
  { accountId, db }: AccountScope,
  query: FeedbackListQuery,
): Promise<{ feedback: Feedback[]; cursor: string | null }> {
  const rows = await db
    .select()
    .from(feedback)
    .where(and(...conditions(accountId, query)))
    .orderBy(desc(feedback.id))
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit).map(record);
  return { feedback: page, cursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null };
}

function conditions(accountId: string, { propertyId, kind, source, rating, from, to, text, cursor }: FeedbackListQuery): SQL[] {
  const { id } = feedback;
  return [
    eq(feedback.accountId, accountId),
    propertyId === undefined ? OF_LIVE_PROPERTIES : eq(feedback.propertyId, propertyId),
    from !== undefined && gte(id, feedbackIdFloor(from)),
    to !== undefined && lt(id, feedbackIdFloor(to)),
    cursor !== undefined && lt(id, cursor),
    rating !== undefined && eq(feedback.rating, rating),
    // Written as the indexes have it.
    kind === 'suspected' ? sql`${feedback.suspected}` : COUNTED,
    kind === 'urgent' ? sql`${feedback.urgent}` : isKind(kind) && eq(feedback.kind, kind),
    source !== undefined && eq(feedback.source, source),
    text?.trim() ? ilike(feedback.text, `%${literally(text.trim())}%`) : false,
  ].filter((condition): condition is SQL => condition !== false && condition !== undefined);
}

const isKind = (kind: FeedbackListQuery['kind']): kind is Kind => KINDS.some((each) => each === kind);

/** Leaves out feedback of deleted properties. The ids are read once a query, not once a row, so the index walk stays one. */
const OF_LIVE_PROPERTIES = sql`${feedback.propertyId} <> all (array(${sql.raw(DELETED_IDS)}))`;

/** Escapes what `ilike` would take for a wildcard. */
const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

export async function byId({ accountId, db }: AccountScope, id: string): Promise<Feedback | undefined> {
  const [row] = await db
    .select()
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), eq(feedback.id, id), OF_LIVE_PROPERTIES));
  return row && record(row);
}

/** Says whether suspected feedback counts, and moves the counts along. Gives back what the ids name as it is now, and what was changed of it. */
export async function trust(
  { accountId, db }: AccountScope,
  ids: readonly string[],
  counts: boolean,
): Promise<{ all: Feedback[]; changed: Feedback[] }> {
  const found = await db
    .select()
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), inArray(feedback.id, [...ids]), OF_LIVE_PROPERTIES))
    .orderBy(desc(feedback.id))
    .for('no key update');
  const isChanged = ({ suspected }: FeedbackRow) => suspected === counts;
  const changed = found.filter(isChanged).map((row) => record({ ...row, suspected: !counts }));
  if (changed.length > 0) await db.execute(trustStatement(accountId, changed, counts));
  return { all: [...changed, ...found.filter((row) => !isChanged(row)).map(record)], changed };
}

/** Moves them between the counts of ratings and that of suspected feedback. */
const trustStatement = (accountId: string, named: readonly Feedback[], counts: boolean): SQL => sql`
  with changed as (
    update feedback set suspected = ${!counts} where account_id = ${accountId} and id = any(${sql.param(named.map(({ id }) => id))}::text[])
    returning property_id, created, rating, urgent, ${sql.raw(counts ? '1' : '-1')} as sign
  )
  insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent, suspected)
  select ${accountId}, place, date_bin('15 minutes', created, 'epoch'), ${AMENDMENT_LANE}::smallint,
         sum(sign * (rating = 1)::integer), sum(sign * (rating = 2)::integer), sum(sign * (rating = 3)::integer),
         sum(sign * (rating = 4)::integer), sum(sign * (rating = 5)::integer), sum(sign * urgent::integer), -sum(sign)
    from changed, lateral (values (${WHOLE_ACCOUNT}), (property_id)) as places (place)
   group by 2, 3
   order by 2, 3
  ${sql.raw(ADDED_UP)}`;

export interface SummaryQuery {
  readonly propertyId?: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly grain: 'hour' | 'day';
}

export interface Summary {
  readonly ratings: Tally;
  readonly urgent: number;
  readonly suspected: number;
  /** One entry for each hour or day that has ratings; `at` is where it begins (UTC ms). */
  readonly trend: { at: number; ratings: Tally }[];
}

/** Counts from the tallies, to the quarter of an hour. */
export async function summary({ accountId, db }: AccountScope, query: SummaryQuery): Promise<Summary> {
  const { propertyId = WHOLE_ACCOUNT, from, to, zone, grain } = query;
  const { rows } = await db.$client.query<Counted>({
    name: 'summary',
    text: `select ${COUNTED_UP} from feedback_tally
            where account_id = $1 and place = $2 and quarter >= $3 and quarter < $4
            group by place, at having ${RATED} order by at`,
    values: [accountId, propertyId, new Date(from), new Date(to), grain, zone],
  });
  return summaryOf(rows);
}

/** Counts by day of each property that has ratings in the range. */
export async function overview(
  { accountId, db }: AccountScope,
  { from, to, zone }: Pick<SummaryQuery, 'from' | 'to' | 'zone'>,
): Promise<({ propertyId: string } & Summary)[]> {
  const { rows } = await db.$client.query<Counted>({
    name: 'overview',
    text: `select ${COUNTED_UP} from feedback_tally
            where account_id = $1 and place <> $2 and quarter >= $3 and quarter < $4
              and place <> all (array(${DELETED_IDS}))
            group by place, at having ${RATED} order by place, at`,
    values: [accountId, WHOLE_ACCOUNT, new Date(from), new Date(to), 'day', zone],
  });
  const places = new Set(rows.map(({ place }) => place));
  return [...places].map((propertyId) => ({ propertyId, ...summaryOf(rows.filter(({ place }) => place === propertyId)) }));
}

interface Counted {
  readonly place: string;
  readonly at: Date;
  readonly ratings: Tally;
  readonly urgent: number;
  readonly suspected: number;
}

/** Parameters 5 and 6 are the grain and the zone. */
const COUNTED_UP = `place, date_trunc($5, quarter, $6) as at, sum(urgent)::integer as urgent, sum(suspected)::integer as suspected,
  array[sum(one), sum(two), sum(three), sum(four), sum(five)]::integer[] as ratings`;

/** Leaves out days whose ratings all belonged to a property that was deleted since. */
const RATED = 'sum(one + two + three + four + five + suspected) > 0';

function summaryOf(rows: readonly Counted[]): Summary {
  const trend = rows.map(({ at, ratings }) => ({ at: at.getTime(), ratings })).filter(({ ratings }) => total(ratings) > 0);
  const ratings = trend.reduce((sum, each) => added(sum, each.ratings), NONE);
  const sumOf = (count: 'urgent' | 'suspected') => rows.reduce((sum, row) => sum + row[count], 0);
  return { ratings, urgent: sumOf('urgent'), suspected: sumOf('suspected'), trend };
}

const NONE: Tally = [0, 0, 0, 0, 0];

const added = ([a, b, c, d, e]: Tally, [one, two, three, four, five]: Tally): Tally => [a + one, b + two, c + three, d + four, e + five];

/** Takes a deleted property's ratings out of the account's counts, by adding their opposite. */
export async function subtractTally({ accountId, db }: AccountScope, propertyId: string): Promise<void> {
  await db.execute(sql`
    insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent, suspected)
    select account_id, ${WHOLE_ACCOUNT}, quarter, ${AMENDMENT_LANE}::smallint,
           -sum(one), -sum(two), -sum(three), -sum(four), -sum(five), -sum(urgent), -sum(suspected)
      from feedback_tally where account_id = ${accountId} and place = ${propertyId}
     group by account_id, quarter
     order by quarter
    ${sql.raw(ADDED_UP)}`);
}

function record(row: FeedbackRow): Feedback {
  const contact = derive(row.responses)?.contact;
  return {
    id: row.id,
    sk: 'EXPERIENCE',
    gs1sk: row.urgent ? 'URGENT' : 'NORMAL',
    data: {
      created: row.created.getTime(),
      experience: STANDARD,
      accountId: row.accountId,
      projectId: row.propertyId,
      formId: row.formId,
      formVersion: row.formVersion,
      rating: row.rating,
      kind: row.kind,
      source: row.source,
      responses: row.responses,
      ...(row.text !== null && { textFeedback: row.text }),
      ...(contact && { contact }),
      ...(row.converted && { converted: row.converted.getTime() }),
      ...(row.screenWidth !== null &&
        row.screenHeight !== null && {
          diagnostics: { screen: { width: row.screenWidth, height: row.screenHeight } },
        }),
      ...(row.url !== null && { url: row.url }),
      ...(row.suspected !== null && { suspected: row.suspected }),
    },
  };
}
