import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { deleteSome, purging, updateSome } from '../../platform/database/batches.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { AccountScope, DeliveryScope, OperatorScope } from '../../platform/tenancy/access.ts';
import { deliveries, deliveryAttempts } from './tables.ts';

/* A delivery from its queueing to its end. `delivery-list-store.ts` lists deliveries with their attempts. */

type NewDelivery = Pick<
  typeof deliveries.$inferInsert,
  'id' | 'sub' | 'channel' | 'to' | 'subject' | 'reason' | 'created' | 'mail' | 'sealed'
>;

/** Adds a queued message. The account is the one in the transaction's scope, or none yet. */
export async function insert(db: Transaction, accountId: string | undefined, row: NewDelivery): Promise<void> {
  await db.insert(deliveries).values({ ...row, accountId: accountId ?? null, status: 'queued' });
}

/** Returns a queued message; undefined if it was sent, given up or withdrawn. */
export async function queued({ db, id }: DeliveryScope) {
  const { attempts, created, retried, sealed } = deliveries;
  const [row] = await db
    .select({ attempts, created, retried, sealed })
    .from(deliveries)
    .where(and(eq(deliveries.id, id), eq(deliveries.status, 'queued')));
  return row;
}

/** A message's recipient: an address, the account, and the user pool id of the person whose sign-in it's about. */
export type Addressee = Pick<typeof deliveries.$inferSelect, 'to' | 'accountId' | 'sub'>;

/** Begins an attempt at a queued message and returns its recipient; undefined if it was sent, given up or withdrawn. */
export async function beginAttempt({ db, id }: DeliveryScope, taken: Date): Promise<Addressee | undefined> {
  const [row] = await db
    .update(deliveries)
    .set({ taken })
    .where(and(eq(deliveries.id, id), eq(deliveries.status, 'queued')))
    .returning({ to: deliveries.to, accountId: deliveries.accountId, sub: deliveries.sub });
  return row;
}

/** Deletes a message, whatever its status. */
export async function remove({ db, id }: DeliveryScope): Promise<void> {
  await db.delete(deliveries).where(eq(deliveries.id, id));
}

/** Deletes a queued message, and the content of one that failed, so that neither is sent. */
export async function cancel({ db, id }: DeliveryScope): Promise<void> {
  await db.delete(deliveries).where(and(eq(deliveries.id, id), eq(deliveries.status, 'queued')));
  await db
    .update(deliveries)
    .set({ sealed: null })
    .where(and(eq(deliveries.id, id), eq(deliveries.status, 'failed')));
}

/** Deletes a queued message that no process is sending, so that its job finds nothing. Returns whether there was one. */
export async function withdraw({ db, id }: DeliveryScope): Promise<boolean> {
  const { rowCount } = await db
    .delete(deliveries)
    .where(and(eq(deliveries.id, id), eq(deliveries.status, 'queued'), isNull(deliveries.taken)));
  return rowCount === 1;
}

/** Deletes a message whose content is stored, also one that failed or is being sent. Returns whether there was one. */
export async function discard({ db, id }: DeliveryScope): Promise<boolean> {
  const { rowCount } = await db.delete(deliveries).where(and(eq(deliveries.id, id), HAS_CONTENT));
  return rowCount === 1;
}

export async function markSent(scope: DeliveryScope, at: Date): Promise<void> {
  await mark(scope, { status: 'sent', sentAt: at, lastError: null, sealed: null }, { at, error: null });
}

/** Records a failed attempt. `isOver`: the message is given up. */
export async function markTried(scope: DeliveryScope, { at, error, isOver }: { at: Date; error: string; isOver: boolean }): Promise<void> {
  await mark(scope, { status: isOver ? 'failed' : 'queued', lastError: error, taken: null }, { at, error });
}

async function mark(
  { db, id }: DeliveryScope,
  changes: Partial<typeof deliveries.$inferInsert>,
  attempt: { readonly at: Date; readonly error: string | null },
): Promise<void> {
  await db
    .update(deliveries)
    .set({ ...changes, attempts: sql`${deliveries.attempts} + 1` })
    // A mail can come back before its attempt is recorded.
    .where(and(eq(deliveries.id, id), eq(deliveries.status, 'queued')));
  await db
    .insert(deliveryAttempts)
    .values({ deliveryId: id, ...attempt })
    .onConflictDoNothing();
}

/** Returns the account of a message; undefined for an unknown id, and for a message without an account. */
export async function accountOf({ db, id }: DeliveryScope): Promise<string | undefined> {
  const [row] = await db.select({ accountId: deliveries.accountId }).from(deliveries).where(eq(deliveries.id, id));
  return row?.accountId ?? undefined;
}

/** Marks a mail that a mail server accepted as failed. Returns false if that was done before for the same reason. */
export async function markReturned({ db, id }: DeliveryScope, error: string): Promise<boolean> {
  const { rowCount } = await db
    .update(deliveries)
    .set({ status: 'failed', lastError: error, sealed: null })
    .where(and(eq(deliveries.id, id), sql`${deliveries.lastError} is distinct from ${error}`));
  return rowCount === 1;
}

/** When a message was last queued. */
export const QUEUED_AT = sql<Date>`coalesce(${deliveries.retried}, ${deliveries.created})`;
/** SQL: whether the message's content is stored. */
export const HAS_CONTENT = sql<boolean>`${deliveries.sealed} is not null`;

/** Data that the job needs to send a message again. */
type RetriedMessage = { readonly channel: 'push' } | { readonly channel: 'email'; readonly mail: string; readonly sealed: Buffer };

/** Queues a failed message of the account again, and returns what its job needs; undefined where there is none to send. */
export async function queueAgain({ accountId, db, now }: AccountScope, id: string): Promise<RetriedMessage | undefined> {
  const [row] = await db
    .update(deliveries)
    .set({ status: 'queued', lastError: null, retried: now })
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.id, id), eq(deliveries.status, 'failed'), HAS_CONTENT))
    .returning({ channel: deliveries.channel, mail: deliveries.mail, sealed: deliveries.sealed });
  if (!row?.sealed) return undefined;
  return row.channel === 'push' ? { channel: 'push' } : { channel: 'email', mail: row.mail ?? '', sealed: row.sealed };
}

/** Permanently deletes a purged account's deliveries. */
export const purge = purging(deliveries.accountId, deliveries.created, deliveries.id);

/** Deletes deliveries from before a time. */
export const deleteBefore = ({ db }: OperatorScope, moment: Date): Promise<number> =>
  deleteSome(db, deliveries, lt(deliveries.created, moment));

/** Deletes the content of failed mails that were queued before a time. */
export const unsealBefore = ({ db }: OperatorScope, moment: Date): Promise<number> =>
  updateSome(db, deliveries, {
    set: { sealed: null },
    of: and(eq(deliveries.status, 'failed'), isNotNull(deliveries.sealed), lt(QUEUED_AT, moment)),
  });

/** Gives up messages queued before a time, whose job was lost because its process died at the last attempt. */
export const giveUpBefore = ({ db }: OperatorScope, moment: Date): Promise<number> =>
  updateSome(db, deliveries, {
    set: { status: 'failed', lastError: sql`coalesce(${deliveries.lastError}, 'It wasn’t sent in time')` },
    of: and(eq(deliveries.status, 'queued'), lt(QUEUED_AT, moment)),
  });
