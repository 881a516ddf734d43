import { and, asc, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import { type SubscriptionState, subscriptionStateAt } from '#contract/billing/billing.ts';
import { deleteSome } from '../platform/database/batches.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import type { EventBody, ProviderEvent } from './port.ts';
import { billingEvents, billingNotices, billingReadings, billingReferences, subscriptions } from './tables.ts';

/** The table, for later rooms to join in their queries. */
export { subscriptions };

export type Subscribed = typeof subscriptions.$inferSelect;

/** The account's subscription, locked until the transaction ends so that steps follow one another. */
export async function lock({ accountId, db }: AccountScope): Promise<Subscribed | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId)).for('no key update');
  return row;
}

export async function byScope({ accountId, db }: AccountScope): Promise<Subscribed | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId));
  return row;
}

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof subscriptions.$inferInsert, 'accountId'>): Promise<void> {
  await db.insert(subscriptions).values({ ...row, accountId });
}

export type SubscriptionChanges = Partial<Omit<Subscribed, 'accountId'>>;

export async function change({ accountId, db }: AccountScope, changes: SubscriptionChanges): Promise<void> {
  await db.update(subscriptions).set(changes).where(eq(subscriptions.accountId, accountId));
}

/** What a row means at a moment. */
export const standingAt = (
  { status, plan, trialStartedAt, trialEndsAt, heard }: Subscribed,
  at: { isPaid: boolean; now: Date },
): SubscriptionState =>
  subscriptionStateAt(
    {
      isSetUp: status !== 'inactive',
      ...(plan !== null && { plan }),
      ...(trialStartedAt && { trialStartedAt: trialStartedAt.getTime() }),
      ...(trialEndsAt && { trialEndsAt: trialEndsAt.getTime() }),
      heard,
    },
    { isPaid: at.isPaid, now: at.now.getTime() },
  );

/* ── What the provider calls what is ours ── */

/** Notes that these records of the provider are the account's. One that is another account's stays its. */
export async function claim({ accountId, db }: AccountScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .insert(billingReferences)
    .values([...new Set(ids)].map((id) => ({ id, accountId })))
    .onConflictDoNothing();
}

/** Whether a record of the provider is known as the account's. */
export async function isClaimed({ accountId, db }: AccountScope, id: string): Promise<boolean> {
  const owned = and(eq(billingReferences.id, id), eq(billingReferences.accountId, accountId));
  return (await db.select({ id: billingReferences.id }).from(billingReferences).where(owned)).length > 0;
}

/** Whose these records of the provider are: that of the first which is known, and whether the account is still there. */
export async function ownerOf({ db }: OperatorScope, ids: readonly string[]): Promise<{ accountId: string; stands: boolean } | undefined> {
  if (ids.length === 0) return undefined;
  const rows = await db
    .select({ id: billingReferences.id, accountId: billingReferences.accountId, account: subscriptions.accountId })
    .from(billingReferences)
    .leftJoin(subscriptions, eq(subscriptions.accountId, billingReferences.accountId))
    .where(inArray(billingReferences.id, [...ids]));
  const known = ids.flatMap((id) => rows.filter((row) => row.id === id))[0];
  return known && { accountId: known.accountId, stands: known.account !== null };
}

export async function hasAccount({ db }: OperatorScope, accountId: string): Promise<boolean> {
  const rows = await db.select({ id: subscriptions.accountId }).from(subscriptions).where(eq(subscriptions.accountId, accountId));
  return rows.length > 0;
}

/* ── What the provider told ── */

type StoredEvent = typeof billingEvents.$inferSelect;
export type EventOutcome = Pick<StoredEvent, 'outcome' | 'why' | 'accountId'>;

/** Takes an event: nobody else does until the transaction ends. False where it is settled, or waits for an operator already. */
export async function take(
  { db, now }: OperatorScope,
  { eventId, type, at }: Pick<ProviderEvent, 'eventId' | 'type' | 'at'>,
): Promise<boolean> {
  const row = { eventId, type, at, received: now, outcome: 'failed' as const, why: '' };
  const { rowCount } = await db.insert(billingEvents).values(row).onConflictDoNothing();
  if (rowCount === 1) return true;
  const [known] = await db.select().from(billingEvents).where(eq(billingEvents.eventId, eventId)).for('no key update');
  return known?.outcome === 'failed';
}

export async function eventOf({ db }: OperatorScope, eventId: string): Promise<StoredEvent | undefined> {
  const [row] = await db.select().from(billingEvents).where(eq(billingEvents.eventId, eventId)).for('no key update');
  return row;
}

export async function settle(
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

/** Keeps an event that could not be read or applied, where it says which one it is. */
export async function keepFailed(
  { db, now }: OperatorScope,
  { body, problem }: { readonly body: EventBody; readonly problem: string },
): Promise<void> {
  const { event_id: eventId, event_type: type } = body;
  if (typeof eventId !== 'string' || typeof type !== 'string') return;
  const row = { eventId, type, at: '', received: now, outcome: 'failed' as const, why: `It could not be applied: ${problem}`, body };
  await db.insert(billingEvents).values(row).onConflictDoNothing();
}

/** What waits for an operator, newest first. */
export function openEvents({ db }: OperatorScope, most: number): Promise<StoredEvent[]> {
  return db.select().from(billingEvents).where(ne(billingEvents.outcome, 'settled')).orderBy(desc(billingEvents.received)).limit(most);
}

/** Forgets what was received before then. */
export const forgetEvents = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, billingEvents, lt(billingEvents.received, before));

/* ── The provider's own list of events ── */

const SLOT = 1;
export type EventReading = Omit<typeof billingReadings.$inferSelect, 'slot'>;

/** How far it was read; undefined where it never was. */
export async function reading({ db }: OperatorScope): Promise<EventReading | undefined> {
  const [row] = await db.select().from(billingReadings).where(eq(billingReadings.slot, SLOT));
  return row;
}

export async function keepReading({ db }: OperatorScope, read: Partial<EventReading>): Promise<void> {
  await db
    .insert(billingReadings)
    .values({ slot: SLOT, ...read })
    .onConflictDoUpdate({ target: billingReadings.slot, set: read });
}

/** How much waits for an operator, and how the list of events was read last. */
export async function health(scope: OperatorScope): Promise<{ open: number; readAt: Date | null; failure: string | null }> {
  const [{ readAt = null, failure = null } = {}, open] = [
    await reading(scope),
    await scope.db.$count(billingEvents, ne(billingEvents.outcome, 'settled')),
  ];
  return { open, readAt, failure };
}

/* ── Reminders ── */

/** Notes that the account is reminded. False where it was already. */
export async function notice({ db, accountId, now }: AccountScope, kind: string): Promise<boolean> {
  const { rowCount } = await db.insert(billingNotices).values({ accountId, kind, at: now }).onConflictDoNothing();
  return rowCount === 1;
}

/** Accounts that are set up and whose own trial ends between these moments, in the order of their ids. */
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
