import { and, eq, lte } from 'drizzle-orm';
import { isNotDeleted } from '../../account/store.ts';
import { purging } from '../../platform/database/batches.ts';
import type { AccountScope, OperatorScope } from '../../platform/tenancy/access.ts';
import { escalations } from './tables.ts';

export type EscalationRow = typeof escalations.$inferSelect;

/** Schedules the first step of an escalation, unless it is scheduled already. */
export async function add({ accountId, db }: AccountScope, row: Omit<EscalationRow, 'accountId' | 'step'>): Promise<void> {
  await db
    .insert(escalations)
    .values({ ...row, accountId, step: 0 })
    .onConflictDoNothing();
}

/** Locks an escalation that is due until the transaction ends, and returns it; undefined if another process has the lock. */
export async function lockDue({ accountId, db, now }: AccountScope, feedbackId: string): Promise<EscalationRow | undefined> {
  const isDue = and(isOf(accountId, feedbackId), lte(escalations.due, now));
  const [row] = await db.select().from(escalations).where(isDue).for('no key update', { skipLocked: true });
  return row;
}

/** Schedules a step of an escalation. Without a moment, the escalation ends. */
export async function reschedule(
  { accountId, db }: AccountScope,
  { feedbackId, step }: Pick<EscalationRow, 'feedbackId' | 'step'>,
  due: Date | undefined,
): Promise<void> {
  const isRow = isOf(accountId, feedbackId);
  await (due ? db.update(escalations).set({ step, due }).where(isRow) : db.delete(escalations).where(isRow));
}

const isOf = (accountId: string, feedbackId: string) => and(eq(escalations.accountId, accountId), eq(escalations.feedbackId, feedbackId));

/** Permanently deletes a purged account's escalations. */
export const purge = purging(escalations.accountId, escalations.feedbackId);

const MOST_AT_ONCE = 100;

/** Returns feedback of every account whose escalation is due. */
export const due = ({ db, now }: OperatorScope): Promise<{ accountId: string; feedbackId: string }[]> =>
  db
    .select({ accountId: escalations.accountId, feedbackId: escalations.feedbackId })
    .from(escalations)
    .where(and(lte(escalations.due, now), isNotDeleted(escalations.accountId)))
    .limit(MOST_AT_ONCE);
