import { VISITOR } from '#contract/event/event.ts';
import type { EventName, RecordedEvent } from '#contract/events.ts';
import type { Diagnostics, Response } from '#contract/feedback/feedback.ts';
import type { FeedbackSource, Kind } from '#contract/feedback/filters.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { appendFrom } from '../event/store.ts';
import { existingFormId } from '../form/store.ts';
import type { Database } from '../platform/database/database.ts';
import { existingId } from '../tool/store.ts';
import { IS_COUNTED, WHOLE_ACCOUNT } from './tables.ts';
import { BY_DAY, BY_QUARTER, COUNTS, TALLIED } from './tally-store.ts';

/* Stores new feedback: no account in scope, only the intake role's right to insert. */

/** A submission to store. */
export interface NewFeedback {
  readonly accountId: string;
  readonly id: string;
  readonly propertyId: string;
  readonly formId: string;
  readonly formVersion: number;
  /** SHA-256 of the idempotency key, in hexadecimal. */
  readonly keyHash: string;
  /** True if it is beyond its network's limit. */
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
  readonly userId?: string | undefined;
  /** The placement in the form's address, whether or not it exists. */
  readonly toolId?: string | undefined;
  readonly orderNumber?: string | undefined;
  readonly test?: true | undefined;
  /** Undefined for the form's own language. */
  readonly language?: LanguageTag | undefined;
  /** When its visitor last changed it, by their device's clock (UTC ms). */
  readonly changed?: number | undefined;
}

/** An event that storing a submission recorded. */
type Arrival = RecordedEvent<'feedback.submitted' | 'feedback.urgent'>;

/** The result of storing submissions. */
interface InsertResult {
  /** The ids of new rows. The others' keys (or, very rarely, ids) exist already, and the existing rows are unchanged. */
  readonly ids: ReadonlySet<string>;
  /** The recorded events. */
  readonly arrivals: readonly Arrival[];
}

/** Stores rows in one transaction. */
export type Insert = (rows: readonly NewFeedback[], lane: number) => Promise<InsertResult>;

interface InsertOptions {
  /** The number of this batch among the concurrent ones; each writes to separate rows of the counts. */
  readonly lane: number;
  /** The events that have a subscriber. */
  readonly subscribedNames: readonly EventName[];
}

/** Stores submissions of any accounts in one transaction, with their counts and events. */
export async function insertMany(
  database: Pick<Database, 'intake' | 'intakeTogether' | 'isDistributed'>,
  rows: readonly NewFeedback[],
  { lane, subscribedNames }: InsertOptions,
): Promise<InsertResult> {
  const stored = database.isDistributed
    ? await database.intakeTogether((run) => insertInSteps(run, rows, { lane, subscribedNames }))
    : await database.intake<StoredArrival>({
        name: 'insert feedback',
        text: INSERT_MANY,
        values: [JSON.stringify(rows), lane, subscribedNames],
      });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    ids: new Set(stored.map(({ subject }) => subject)),
    arrivals: stored.flatMap(({ subject, eventId, name }) => {
      const row = byId.get(subject);
      return row && eventId !== null ? [arrivalOf(row, { id: Number(eventId), name })] : [];
    }),
  };
}

/** A stored submission's event, or just the submission if it is suspected. */
interface StoredArrival {
  readonly subject: string;
  readonly eventId: string | null;
  readonly name: Arrival['name'];
}

/** Stores submissions with one statement for each distributed table, because Citus doesn't support `INSERT` in a CTE. */
async function insertInSteps(
  run: Database['intake'],
  rows: readonly NewFeedback[],
  { lane, subscribedNames }: InsertOptions,
): Promise<StoredArrival[]> {
  const stored = JSON.stringify(await run({ name: 'store', text: STORE, values: [JSON.stringify(rows)] }));
  for (const [name, text] of Object.entries(TALLY_STORED)) await run({ name, text, values: [stored, lane] });
  return run<StoredArrival>({ name: 'record stored', text: RECORD_STORED, values: [stored, subscribedNames] });
}

function arrivalOf(
  { accountId, id: subject, created: at, propertyId, rating }: NewFeedback,
  { id, name }: Pick<Arrival, 'id' | 'name'>,
): Arrival {
  return { id, name, accountId, subject, actor: VISITOR, at, data: { propertyId, rating } };
}

const ARRIVED = `arrived as (
    select * from json_to_recordset($1::json) as arrived (
      "accountId" text, id text, "propertyId" text, "formId" text, "formVersion" integer, "keyHash" text, created bigint,
      rating smallint, urgent boolean, kind text, source text, text text, converted bigint, responses jsonb,
      diagnostics json, url text, "userId" text, suspected boolean, "toolId" text, test boolean, language text,
      "orderNumber" text, changed bigint)
  )`;

/** `formId` is the SQL of the form's id. */
const insertArrived = (formId: string): string => `
    insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source,
                          text, converted, responses, screen_width, screen_height, url, user_id, suspected, tool_id, test, language,
                          order_number, changed)
    select "accountId", id, "propertyId", ${formId}, "formVersion", decode("keyHash", 'hex'), to_timestamp(created / 1000.0),
           rating, urgent, kind, source, text, to_timestamp(converted / 1000.0), responses,
           (diagnostics->'screen'->>'width')::integer, (diagnostics->'screen'->>'height')::integer, url, "userId", suspected,
           ${existingId('arrived."accountId"', 'arrived."propertyId"', 'arrived."toolId"')}, test, language, "orderNumber", changed
      from arrived
    on conflict do nothing
    returning account_id, id, property_id, created, rating, urgent, converted, suspected, tool_id, test`;

const COUNTED_ARRIVALS = `counted as (
    select account_id, place, date_bin('15 minutes', created, 'epoch') as quarter, $2::smallint as lane, ${COUNTS}
      from stored, lateral (values ('${WHOLE_ACCOUNT}'), (property_id), (tool_id)) as places (place)
     where place is not null and test is not true
     group by 1, 2, 3
  )`;

const recordAs = (subscribedNames: string): string => `named as (
    select 'feedback.submitted' as name, * from stored where ${IS_COUNTED}
    union all
    select 'feedback.urgent', * from stored where urgent and ${IS_COUNTED} and test is not true
  ), happened as (
    select account_id, created as at, name, id as subject, '${VISITOR}' as actor,
           jsonb_build_object('propertyId', property_id, 'rating', rating) as data, name <> all (${subscribedNames}::text[]) as relayed
      from named
  ), recorded as (
    ${appendFrom('happened')}
  )
  select subject, id as "eventId", name from recorded
  union all
  select id, null, null from stored where suspected`;

const INSERT_MANY = `
  with ${ARRIVED}, stored as (${insertArrived('"formId"')}
  ), ${COUNTED_ARRIVALS}, ${TALLIED}, ${recordAs('$3')}`;

/* The same in steps. No foreign key checks the form there, so a missing one is null, which the column refuses. */

const STORE = `with ${ARRIVED}${insertArrived(existingFormId('"accountId"', '"propertyId"', '"formId"'))}`;

const STORED = `stored as (
    select * from json_to_recordset($1::json) as stored (
      account_id text, id text, property_id text, created timestamptz, rating smallint, urgent boolean, converted timestamptz,
      suspected boolean, tool_id text, test boolean)
  )`;

const TALLY_STORED = {
  'tally stored': `with ${STORED}, ${COUNTED_ARRIVALS} ${BY_QUARTER}`,
  'tally stored by day': `with ${STORED}, ${COUNTED_ARRIVALS} ${BY_DAY}`,
};

const RECORD_STORED = `with ${STORED}, ${recordAs('$2')}`;
