import { lt } from 'drizzle-orm';
import { VISITOR } from '#contract/event/event.ts';
import type { RecordedEvent } from '#contract/events.ts';
import { FLOOD_LIMIT } from '#contract/feedback/feedback.ts';
import { appendFrom } from '../event/store.ts';
import { deleteSome } from '../platform/database/batches.ts';
import type { Database } from '../platform/database/database.ts';
import type { OperatorScope } from '../platform/tenancy/access.ts';
import { submissionBudgets } from './tables.ts';

/* What networks send: of no account. */

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
     where count > ${FLOOD_LIMIT} and count - added <= ${FLOOD_LIMIT}
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
export const forgetBudgets = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, submissionBudgets, lt(submissionBudgets.quarter, before));
