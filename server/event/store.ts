import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { INSTALLATION } from '#contract/event/event.ts';
import type { EventData, EventName, RecordedEvent } from '#contract/events.ts';
import { purging } from '../platform/database/batches.ts';
import type { Transaction } from '../platform/database/database.ts';
import { containing } from '../platform/database/pages.ts';
import { publishOnCommit } from '../platform/live/pubsub.ts';
import type { AccountScope, ChangeContext, OperatorScope } from '../platform/tenancy/access.ts';
import { events } from './tables.ts';

type EventRow = typeof events.$inferSelect;

interface NewEvent<Name extends EventName> {
  /** The id of the record that the event is about, such as a form’s. */
  readonly subject: string;
  readonly data: EventData<Name>;
}

/** Records an event of an account in the transaction of its change. It's published at the commit. */
export async function record<Name extends EventName>(scope: AccountScope, name: Name, event: NewEvent<Name>): Promise<void> {
  await publishOnCommit(scope.db, await append(scope, name, event));
}

/** Records a frequent event and returns it, so that the caller can publish many together after the commit. */
export function append<Name extends EventName>(scope: AccountScope, name: Name, event: NewEvent<Name>): Promise<RecordedEvent> {
  return insert(scope, { accountId: scope.accountId, name, ...event });
}

/** Records an event of the installation, such as an operator's action. */
export async function recordForInstallation<Name extends EventName>(
  scope: OperatorScope,
  name: Name,
  event: NewEvent<Name>,
): Promise<void> {
  await insert(scope, { accountId: INSTALLATION, name, ...event });
}

async function insert<Name extends EventName>(
  { db, actor, now }: ChangeContext & { readonly db: Transaction },
  { accountId, name, subject, data }: NewEvent<Name> & { readonly accountId: string; readonly name: Name },
): Promise<RecordedEvent> {
  const [row] = await db.insert(events).values({ accountId, at: now, name, subject, actor, data, relayed: false }).returning();
  if (!row) throw new Error('An event was not stored');
  return eventOf(row);
}

/**
 * Returns SQL that records many events within a larger statement: it inserts the rows of `source`, a name in that statement with the
 * table's columns, and returns the `id`, `name` and `subject` of each.
 */
export const appendFrom = (source: string): string => `
  insert into event (account_id, at, name, subject, actor, data, relayed)
  select account_id, at, name, subject, actor, data, relayed from ${source}
  returning id, name, subject`;

/** Returns the next accounts after one that have events waiting for their subscribers, in order. Reads one event of each. */
export async function waitingAccounts({ db }: OperatorScope, { after, most }: { after: string; most: number }): Promise<string[]> {
  const nextAfter = (id: SQL) => sql`select account_id from ${events} where not relayed and account_id > ${id} order by account_id limit 1`;
  const read = sql`
    with recursive waiting as (
      select account_id, 1 as place from (${nextAfter(sql`${after}`)}) as first
      union all
      select next.account_id, place + 1 from waiting, lateral (${nextAfter(sql`waiting.account_id`)}) as next where place < ${most}
    )
    select account_id from waiting`;
  const { rows } = await walkingIndex(db, () => db.execute<{ account_id: string }>(read));
  return rows.map(({ account_id: id }) => id);
}

interface WaitingQuery {
  readonly accountId: string;
  readonly names: readonly EventName[];
  readonly most: number;
}

/** Locks and returns an account's events that wait for their subscribers, oldest first; other processes skip them. */
export async function takeWaiting({ db }: OperatorScope, { accountId, names, most }: WaitingQuery): Promise<RecordedEvent[]> {
  const rows = await walkingIndex(db, () =>
    db
      .select()
      .from(events)
      .where(and(sql`not relayed`, eq(events.accountId, accountId), inArray(events.name, [...names])))
      .orderBy(events.id)
      .limit(most)
      .for('update', { skipLocked: true }),
  );
  return rows.map(eventOf);
}

/**
 * Runs a query that has to walk an index in its order: the planner expects row security to leave hardly any rows, and would read and sort
 * the whole backlog.
 */
async function walkingIndex<T>(db: Transaction, query: () => Promise<T>): Promise<T> {
  await db.execute(sql`set local enable_sort = off`);
  const result = await query();
  await db.execute(sql`set local enable_sort = on`);
  return result;
}

export async function markRelayed({ db }: OperatorScope, accountId: string, ids: readonly number[]): Promise<void> {
  await db
    .update(events)
    .set({ relayed: true })
    .where(and(sql`not relayed`, eq(events.accountId, accountId), sql`${events.id} = any(${sql.param([...ids])}::bigint[])`));
}

/** Marks events without a subscriber as relayed. */
export async function markUnsubscribed({ db }: OperatorScope, names: readonly EventName[]): Promise<void> {
  await db
    .update(events)
    .set({ relayed: true })
    .where(and(sql`not ${events.relayed}`, inArray(events.name, [...names])));
}

export async function byId({ db, accountId }: AccountScope, id: number): Promise<RecordedEvent | undefined> {
  const [row] = await db
    .select()
    .from(events)
    .where(and(eq(events.accountId, accountId), eq(events.id, id)));
  return row && eventOf(row);
}

interface SubjectQuery<Name extends EventName> {
  readonly subject: string;
  readonly names: readonly Name[];
  readonly most: number;
}

/** Returns the events of one record, newest first, without `feedback.submitted` and `feedback.urgent`, which the index omits. */
export async function ofSubject<Name extends Exclude<EventName, 'feedback.submitted' | 'feedback.urgent'>>(
  { db, accountId }: AccountScope,
  { subject, names, most }: SubjectQuery<Name>,
): Promise<RecordedEvent<Name>[]> {
  const rows = await db
    .select()
    .from(events)
    .where(
      and(
        eq(events.accountId, accountId),
        eq(events.subject, subject),
        // Matches the index's condition.
        sql`${events.name} not in ('feedback.submitted', 'feedback.urgent')`,
        inArray(events.name, [...names]),
      ),
    )
    .orderBy(desc(events.id))
    .limit(most);
  // The query selected only these names.
  return rows.map((row) => eventOf(row) as RecordedEvent<Name>);
}

/** Returns a page of the account's events, by id. */
export async function page({ db, accountId }: AccountScope, after: number, most: number): Promise<RecordedEvent[]> {
  const rows = await db
    .select()
    .from(events)
    .where(and(eq(events.accountId, accountId), gt(events.id, after)))
    .orderBy(asc(events.id))
    .limit(most);
  return rows.map(eventOf);
}

/** Returns the id of the account's newest event, or 0 without events. */
export async function newestId({ db, accountId }: AccountScope): Promise<number> {
  const [row] = await db.select({ id: events.id }).from(events).where(eq(events.accountId, accountId)).orderBy(desc(events.id)).limit(1);
  return row?.id ?? 0;
}

interface LogQuery {
  readonly search: string;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Returns the installation's events, which are operators' actions, newest first. */
export async function ofInstallation(
  { db }: OperatorScope,
  { search, cursor, limit }: LogQuery,
): Promise<{ entries: RecordedEvent[]; cursor: string | null }> {
  const rows = await db
    .select()
    .from(events)
    .where(
      and(
        eq(events.accountId, INSTALLATION),
        containing(search, events.subject, events.actor),
        cursor === undefined ? undefined : lt(events.id, /^\d{1,15}$/.test(cursor) ? Number(cursor) : 0),
      ),
    )
    .orderBy(desc(events.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return { entries: page.map(eventOf), cursor: rows.length > limit ? String(page.at(-1)?.id ?? '') : null };
}

/** Returns the time of the installation's latest event of a name (UTC ms); undefined without one. */
export async function lastOfInstallation({ db }: OperatorScope, name: EventName): Promise<number | undefined> {
  const [row] = await db
    .select({ at: events.at })
    .from(events)
    .where(and(eq(events.accountId, INSTALLATION), eq(events.name, name)))
    .orderBy(desc(events.id))
    .limit(1);
  return row?.at.getTime();
}

/** Deletes an account's few events, including those being relayed, which a batch of a purge would skip. */
export async function deleteAll({ db }: OperatorScope, accountId: string): Promise<void> {
  await db.delete(events).where(eq(events.accountId, accountId));
}

/** Permanently deletes a purged account's events. Row security prevents deleting other events. */
export const purge = purging(events.accountId, events.id);

/** Returns an event row as the contract's type, including names that only another version knows. */
const eventOf = ({ id, accountId, name, subject, actor, at, data }: EventRow): RecordedEvent =>
  ({ id, accountId, name, subject, actor, at: at.getTime(), data }) as RecordedEvent;
