import { and, asc, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import { type SubscriptionState, subscriptionStateAt } from '#contract/billing/billing.ts';
import { deleteSome } from '../platform/database/batches.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import type { EventBody, ProviderEvent } from './port.ts';
import { billingEvents, billingNotices, billingReadings, billingReferences, subscriptions } from './tables.ts';

/** The table, for later modules to join in their queries. */
export { subscriptions };

export type SubscriptionRow = typeof subscriptions.$inferSelect;

/** Returns the account's subscription, locked until the transaction ends so that concurrent steps run one after another. */
export async function lock({ accountId, db }: AccountScope): Promise<SubscriptionRow | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId)).for('no key update');
  return row;
}

export async function byScope({ accountId, db }: AccountScope): Promise<SubscriptionRow | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId));
  return row;
}

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof subscriptions.$inferInsert, 'accountId'>): Promise<void> {
  await db.insert(subscriptions).values({ ...row, accountId });
}

type SubscriptionChanges = Partial<Omit<SubscriptionRow, 'accountId'>>;

export async function change({ accountId, db }: AccountScope, changes: SubscriptionChanges): Promise<void> {
  await db.update(subscriptions).set(changes).where(eq(subscriptions.accountId, accountId));
}

/** Returns a subscription's standing at a time. */
export const standingAt = (
  { status, plan, trialStartedAt, trialEndsAt, purchases }: SubscriptionRow,
  at: { isPaid: boolean; now: Date },
): SubscriptionState =>
  subscriptionStateAt(
    {
      isSetUp: status !== 'inactive',
      ...(plan !== null && { plan }),
      ...(trialStartedAt && { trialStartedAt: trialStartedAt.getTime() }),
      ...(trialEndsAt && { trialEndsAt: trialEndsAt.getTime() }),
      purchases,
    },
    { isPaid: at.isPaid, now: at.now.getTime() },
  );

/* ── The provider's records and their accounts ── */

/** Stores that these records of the provider belong to the account. Skips records of another account. */
export async function claim({ accountId, db }: AccountScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .insert(billingReferences)
    .values([...new Set(ids)].map((id) => ({ id, accountId })))
    .onConflictDoNothing();
}

/** Returns true if a record of the provider belongs to the account. */
export async function isClaimed({ accountId, db }: AccountScope, id: string): Promise<boolean> {
  const isOwned = and(eq(billingReferences.id, id), eq(billingReferences.accountId, accountId));
  return (await db.select({ id: billingReferences.id }).from(billingReferences).where(isOwned)).length > 0;
}

/** Returns the account of the first known record of the provider, and whether it still exists. */
export async function ownerOf({ db }: OperatorScope, ids: readonly string[]): Promise<{ accountId: string; exists: boolean } | undefined> {
  if (ids.length === 0) return undefined;
  const rows = await db
    .select({ id: billingReferences.id, accountId: billingReferences.accountId, account: subscriptions.accountId })
    .from(billingReferences)
    .leftJoin(subscriptions, eq(subscriptions.accountId, billingReferences.accountId))
    .where(inArray(billingReferences.id, [...ids]));
  const reference = ids.flatMap((id) => rows.filter((row) => row.id === id))[0];
  return reference && { accountId: reference.accountId, exists: reference.account !== null };
}

export async function hasAccount({ db }: OperatorScope, accountId: string): Promise<boolean> {
  const rows = await db.select({ id: subscriptions.accountId }).from(subscriptions).where(eq(subscriptions.accountId, accountId));
  return rows.length > 0;
}

/* ── The provider's events ── */

type StoredEvent = typeof billingEvents.$inferSelect;
export type EventOutcome = Pick<StoredEvent, 'outcome' | 'why' | 'accountId'>;

/** Locks an event until the transaction ends. Returns false if it is settled or already waits for an operator. */
export async function lockEvent(
  { db, now }: OperatorScope,
  { eventId, type, at }: Pick<ProviderEvent, 'eventId' | 'type' | 'at'>,
): Promise<boolean> {
  const row = { eventId, type, at, received: now, outcome: 'failed' as const, why: '' };
  const { rowCount } = await db.insert(billingEvents).values(row).onConflictDoNothing();
  if (rowCount === 1) return true;
  const [existing] = await db.select().from(billingEvents).where(eq(billingEvents.eventId, eventId)).for('no key update');
  return existing?.outcome === 'failed';
}

export async function eventOf({ db }: OperatorScope, eventId: string): Promise<StoredEvent | undefined> {
  const [row] = await db.select().from(billingEvents).where(eq(billingEvents.eventId, eventId)).for('no key update');
  return row;
}

export async function storeOutcome(
  { db }: OperatorScope,
  { eventId, body }: Pick<ProviderEvent, 'eventId' | 'body'>,
  { outcome, why, accountId }: EventOutcome,
): Promise<void> {
  const isOpen = outcome === 'unmatched' || outcome === 'failed';
  await db
    .update(billingEvents)
    .set({ outcome, why, accountId, body: isOpen ? body : null })
    .where(eq(billingEvents.eventId, eventId));
}

/** Stores an event that couldn't be read or applied, if it has an id. */
export async function storeFailed(
  { db, now }: OperatorScope,
  { body, problem }: { readonly body: EventBody; readonly problem: string },
): Promise<void> {
  const { event_id: eventId, event_type: type } = body;
  if (typeof eventId !== 'string' || typeof type !== 'string') return;
  const row = { eventId, type, at: '', received: now, outcome: 'failed' as const, why: `It could not be applied: ${problem}`, body };
  await db.insert(billingEvents).values(row).onConflictDoNothing();
}

/** Returns events that wait for an operator, newest first. */
export function unsettledEvents({ db }: OperatorScope, most: number): Promise<StoredEvent[]> {
  return db.select().from(billingEvents).where(ne(billingEvents.outcome, 'settled')).orderBy(desc(billingEvents.received)).limit(most);
}

/** Deletes events received before a time. */
export const deleteEvents = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, billingEvents, lt(billingEvents.received, before));

/* ── Progress through the provider's list of events ── */

const SLOT = 1;
type ReadingProgress = Omit<typeof billingReadings.$inferSelect, 'slot'>;

/** Returns the progress, or undefined if the list was never read. */
export async function progress({ db }: OperatorScope): Promise<ReadingProgress | undefined> {
  const [row] = await db.select().from(billingReadings).where(eq(billingReadings.slot, SLOT));
  return row;
}

export async function saveProgress({ db }: OperatorScope, change: Partial<ReadingProgress>): Promise<void> {
  await db
    .insert(billingReadings)
    .values({ slot: SLOT, ...change })
    .onConflictDoUpdate({ target: billingReadings.slot, set: change });
}

/** Returns how many events wait for an operator, and the result of the last reading. */
export async function health(scope: OperatorScope): Promise<{ open: number; readAt: Date | null; failure: string | null }> {
  const [{ readAt = null, failure = null } = {}, open] = [
    await progress(scope),
    await scope.db.$count(billingEvents, ne(billingEvents.outcome, 'settled')),
  ];
  return { open, readAt, failure };
}

/* ── Reminders ── */

/** Stores that the account was reminded. Returns false if it already was. */
export async function markReminded({ db, accountId, now }: AccountScope, kind: string): Promise<boolean> {
  const { rowCount } = await db.insert(billingNotices).values({ accountId, kind, at: now }).onConflictDoNothing();
  return rowCount === 1;
}

/** Returns accounts that are set up and whose trial ends after `from` and by `to`, in the order of their ids. */
export async function trialsEnding(
  { db }: OperatorScope,
  { from, to, after, most }: { readonly from: Date; readonly to: Date; readonly after: string; readonly most: number },
): Promise<string[]> {
  const rows = await db
    .select({ accountId: subscriptions.accountId })
    .from(subscriptions)
    .where(
      and(
        sql`${subscriptions.onboardedAt} is not null`,
        sql`${subscriptions.trialEndsAt} > ${from} and ${subscriptions.trialEndsAt} <= ${to}`,
        sql`${subscriptions.accountId} > ${after}`,
      ),
    )
    .orderBy(asc(subscriptions.accountId))
    .limit(most);
  return rows.map(({ accountId }) => accountId);
}
