import { and, desc, eq, gte, ilike, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { VISITOR } from '#contract/event.ts';
import type { EventName, RecordedEvent } from '#contract/events.ts';
import type { Diagnostics, Feedback, FeedbackSource, Kind, Response, Tally } from '#contract/feedback.ts';
import { STANDARD } from '#contract/form.ts';
import { feedbackIdFloor } from '#contract/ids.ts';
import { RATINGS, type Rating } from '#contract/rating.ts';
import { derive } from '#contract/submission.ts';
import { QUARTER_HOUR } from '#contract/time.ts';
import { appendFrom } from '../event/store.ts';
import type { AccountScope } from '../kernel/access.ts';
import type { Database } from '../kernel/database.ts';
import { DELETED_IDS } from '../property/store.ts';
import { feedback, WHOLE_ACCOUNT } from './tables.ts';

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
export type Arrival = RecordedEvent<'feedback.submitted' | 'feedback.urgent'>;

interface Inserting {
  /** The number of the run among those under way side by side: each counts in rows of its own. */
  readonly lane: number;
  /** The events that a subscriber waits for. */
  readonly subscribedNames: readonly EventName[];
}

/**
 * Stores submissions of any accounts in one transaction, with their counts and their events. Gives back the events; where
 * there is none for a row, its key (or, once in a very long time, its id) was there before and is left as it is.
 */
export async function insertMany(
  database: Database,
  rows: readonly NewFeedback[],
  { lane, subscribedNames }: Inserting,
): Promise<Arrival[]> {
  const appended = await database.intake<{ id: string; name: Arrival['name']; subject: string }>({
    name: 'insert feedback',
    text: INSERT_MANY,
    values: [JSON.stringify(rows), lane, subscribedNames],
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return appended.flatMap(({ id, name, subject }) => {
    const row = byId.get(subject);
    return row ? [arrivalOf(row, { id: Number(id), name })] : [];
  });
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
      five = feedback_tally.five + excluded.five, urgent = feedback_tally.urgent + excluded.urgent`;

/** Tallies are added in their key's order, so that writers side by side cannot wait for each other in a circle. */
const INSERT_MANY = `
  with arrived as (
    select * from json_to_recordset($1::json) as arrived (
      "accountId" text, id text, "propertyId" text, "formId" text, "formVersion" integer, "keyHash" text, created bigint,
      rating smallint, urgent boolean, kind text, source text, text text, converted bigint, responses jsonb,
      diagnostics json, url text)
  ), stored as (
    insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source,
                          text, converted, responses, screen_width, screen_height, url)
    select "accountId", id, "propertyId", "formId", "formVersion", decode("keyHash", 'hex'), to_timestamp(created / 1000.0),
           rating, urgent, kind, source, text, to_timestamp(converted / 1000.0), responses,
           (diagnostics->'screen'->>'width')::integer, (diagnostics->'screen'->>'height')::integer, url
      from arrived
    on conflict do nothing
    returning account_id, id, property_id, created, rating, urgent
  ), tallied as (
    insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent)
    select account_id, place, date_bin('15 minutes', created, 'epoch'), $2::smallint,
           count(*) filter (where rating = 1), count(*) filter (where rating = 2), count(*) filter (where rating = 3),
           count(*) filter (where rating = 4), count(*) filter (where rating = 5), count(*) filter (where urgent)
      from stored, lateral (values ('${WHOLE_ACCOUNT}'), (property_id)) as places (place)
     group by 1, 2, 3
     order by 1, 2, 3
    ${ADDED_UP}
  ), named as (
    select 'feedback.submitted' as name, * from stored
    union all
    select 'feedback.urgent', * from stored where urgent
  ), happened as (
    select account_id, created as at, name, id as subject, '${VISITOR}' as actor,
           jsonb_build_object('propertyId', property_id, 'rating', rating) as data, name <> all ($3::text[]) as relayed
      from named
  )
  ${appendFrom('happened')}`;

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
  if (before.data.rating !== after.rating || wasUrgent !== after.urgent) {
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
  readonly kind: Kind | 'all' | 'urgent';
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
    kind === 'urgent' ? sql`${feedback.urgent}` : kind !== 'all' && eq(feedback.kind, kind),
    source !== undefined && eq(feedback.source, source),
    text?.trim() ? ilike(feedback.text, `%${literally(text.trim())}%`) : false,
  ].filter((condition): condition is SQL => condition !== false && condition !== undefined);
}

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
  /** One entry for each hour or day that has ratings; `at` is where it begins (UTC ms). */
  readonly trend: { at: number; ratings: Tally }[];
}

/** Counts from the tallies, to the quarter of an hour. */
export async function summary({ accountId, db }: AccountScope, query: SummaryQuery): Promise<Summary> {
  const { propertyId = WHOLE_ACCOUNT, from, to, zone, grain } = query;
  const { rows } = await db.$client.query<Counted>({
    name: 'summary',
    text: `select ${COUNTED} from feedback_tally
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
    text: `select ${COUNTED} from feedback_tally
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
}

/** Parameters 5 and 6 are the grain and the zone. */
const COUNTED = `place, date_trunc($5, quarter, $6) as at, sum(urgent)::integer as urgent,
  array[sum(one), sum(two), sum(three), sum(four), sum(five)]::integer[] as ratings`;

/** Leaves out days whose ratings all belonged to a property that was deleted since. */
const RATED = 'sum(one + two + three + four + five) > 0';

function summaryOf(rows: readonly Counted[]): Summary {
  const trend = rows.map(({ at, ratings }) => ({ at: at.getTime(), ratings }));
  const ratings = trend.reduce((sum, each) => added(sum, each.ratings), NONE);
  return { ratings, urgent: rows.reduce((sum, row) => sum + row.urgent, 0), trend };
}

const NONE: Tally = [0, 0, 0, 0, 0];

const added = ([a, b, c, d, e]: Tally, [one, two, three, four, five]: Tally): Tally => [a + one, b + two, c + three, d + four, e + five];

/** Takes a deleted property's ratings out of the account's counts, by adding their opposite. */
export async function subtractTally({ accountId, db }: AccountScope, propertyId: string): Promise<void> {
  await db.execute(sql`
    insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent)
    select account_id, ${WHOLE_ACCOUNT}, quarter, ${AMENDMENT_LANE}::smallint,
           -sum(one), -sum(two), -sum(three), -sum(four), -sum(five), -sum(urgent)
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
    },
  };
}
