import { and, eq, lt, sql } from 'drizzle-orm';
import type { DeliveryScope, OperatorScope } from '../kernel/access.ts';
import type { Transaction } from '../kernel/database.ts';
import { deliveries } from './tables.ts';

export type NewDelivery = Pick<typeof deliveries.$inferInsert, 'id' | 'to' | 'subject' | 'reason' | 'created'>;

/** Adds a mail that is to be sent. The account is the one in the transaction's scope, or none yet. */
export async function insert(db: Transaction, accountId: string | undefined, row: NewDelivery): Promise<void> {
  await db.insert(deliveries).values({ ...row, accountId: accountId ?? null, channel: 'email', status: 'queued' });
}

/** The recipient of a mail that is still to be sent; undefined when it is sent, given up or gone with its account. */
export async function waiting({ db, id }: DeliveryScope): Promise<{ to: string } | undefined> {
  const [row] = await db
    .select({ to: deliveries.to })
    .from(deliveries)
    .where(and(eq(deliveries.id, id), eq(deliveries.status, 'queued')));
  return row;
}

export async function markSent(scope: DeliveryScope, sentAt: Date): Promise<void> {
  await mark(scope, { status: 'sent', sentAt, lastError: null });
}

/** Records a failed try: more tries follow, or the mail is given up. */
export async function markTried(scope: DeliveryScope, { error, isOver }: { error: string; isOver: boolean }): Promise<void> {
  await mark(scope, { status: isOver ? 'failed' : 'queued', lastError: error });
}

async function mark({ db, id }: DeliveryScope, changes: Partial<typeof deliveries.$inferInsert>): Promise<void> {
  await db
    .update(deliveries)
    .set({ ...changes, attempts: sql`${deliveries.attempts} + 1` })
    .where(eq(deliveries.id, id));
}

/** Deletes deliveries older than a moment. */
export async function forgetBefore({ db }: OperatorScope, moment: Date): Promise<void> {
  await db.delete(deliveries).where(lt(deliveries.created, moment));
}

/** Gives up what was queued so long ago that its job must be gone, with a process that died at its last try. */
export async function giveUpBefore({ db }: OperatorScope, moment: Date): Promise<void> {
  await db
    .update(deliveries)
    .set({ status: 'failed', lastError: sql`coalesce(${deliveries.lastError}, 'It was not sent in time')` })
    .where(and(eq(deliveries.status, 'queued'), lt(deliveries.created, moment)));
}
