import { lt } from 'drizzle-orm';
import { VISITOR } from '#contract/event/event.ts';
import type { RecordedEvent } from '#contract/events.ts';
import { FLOOD_LIMIT } from '#contract/feedback/feedback.ts';
import { appendFrom } from '../event/store.ts';
import { deleteSome } from '../platform/database/batches.ts';
import type { Database } from '../platform/database/database.ts';
import type { OperatorScope } from '../platform/tenancy/access.ts';
import { submissionBudgets } from './tables.ts';

/* Counts of answers per network. They belong to no account. */

/** A form that limits its answers per network. */
export interface LimitedForm {
  readonly id: string;
  readonly accountId: string;
  readonly propertyId: string;
}

/** A count of one process since its last exchange. */
interface LocalCount extends LimitedForm {
  /** SHA-256 of form and network, in hexadecimal. */
  readonly key: string;
  readonly added: number;
  /** Start of the quarter of an hour, and time of the exchange (UTC ms). */
  readonly quarter: number;
  readonly at: number;
}

interface ExchangeResult {
  /** The counts of all processes, by key. */
  readonly totals: ReadonlyMap<string, number>;
  /** Recorded for each network that has just exceeded its limit. */
  readonly events: readonly RecordedEvent[];
}

/** Adds the counts of this process to those of the others. Returns the totals. */
export async function exchangeCounts(database: Database, counts: readonly LocalCount[]): Promise<ExchangeResult> {
  const rows = await database.intake<{ key: string; total: number; eventId: null } | { formId: string; eventId: string }>({
    name: 'exchange counts per network',
    text: EXCHANGE_COUNTS,
    values: [JSON.stringify(counts)],
  });
  const byForm = new Map(counts.map((count) => [count.id, count]));
  return {
    totals: new Map(rows.flatMap((row) => (row.eventId === null ? [[row.key, row.total] as const] : []))),
    events: rows.flatMap((row) => {
      const form = row.eventId === null ? undefined : byForm.get(row.formId);
      return form ? [suspectedEvent(form, Number(row.eventId))] : [];
    }),
  };
}

const suspectedEvent = ({ accountId, id: subject, propertyId, at }: LocalCount, id: number): RecordedEvent<'feedback.suspected'> => ({
  ...{ id, name: 'feedback.suspected', accountId, subject, actor: VISITOR, at },
  data: { propertyId },
});

/** In the key's order, so that concurrent processes can't deadlock. */
const EXCHANGE_COUNTS = `
  with sent as (
    select *, decode(key, 'hex') as hash
      from json_to_recordset($1::json) as sent (
        key text, quarter bigint, added integer, at bigint, id text, "accountId" text, "propertyId" text)
  ), counted as (
    insert into submission_budget as existing (key, quarter, count)
    select hash, to_timestamp(quarter / 1000.0), added from sent order by hash
    on conflict (key, quarter) do update set count = existing.count + excluded.count
    returning key, count
  ), exceeded as (
    select distinct on (id) sent.* from sent join counted on counted.key = hash
     where count > ${FLOOD_LIMIT} and count - added <= ${FLOOD_LIMIT}
  ), happened as (
    select "accountId" as account_id, to_timestamp(at / 1000.0) as at, 'feedback.suspected' as name, id as subject,
           '${VISITOR}' as actor, jsonb_build_object('propertyId', "propertyId") as data, true as relayed
      from exceeded
  ), recorded as (
    ${appendFrom('happened')}
  )
  select sent.key, count as total, null as "formId", null as "eventId" from sent join counted on counted.key = hash
  union all
  select null, null, subject, id::text from recorded`;

/** Deletes the counts of quarters of an hour that began before a time. */
export const deleteNetworkCounts = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, submissionBudgets, lt(submissionBudgets.quarter, before));
