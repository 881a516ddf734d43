import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import type { MailHistory } from '../policy/mail-limit.ts';
import { alertRecipients } from './tables.ts';

/** Locks a person's mail history until the transaction ends, and returns it. Unless it waits, undefined if another process has the lock. */
export async function lock({ accountId, db }: AccountScope, userId: string, { waits = false } = {}): Promise<MailHistory | undefined> {
  await db.insert(alertRecipients).values({ accountId, userId }).onConflictDoNothing();
  const [row] = await db
    .select()
    .from(alertRecipients)
    .where(isRecipient(accountId, userId))
    .for('no key update', waits ? {} : { skipLocked: true });
  return row && { recent: row.recent, digest: row.digest?.getTime(), digested: row.digested?.getTime() };
}

/** Stores a person's mail history. Lock it first. */
export async function save({ accountId, db }: AccountScope, userId: string, history: MailHistory): Promise<void> {
  await db
    .update(alertRecipients)
    .set({ recent: [...history.recent], digest: dateOf(history.digest), digested: dateOf(history.digested) })
    .where(isRecipient(accountId, userId));
}

const isRecipient = (accountId: string, userId: string) =>
  and(eq(alertRecipients.accountId, accountId), eq(alertRecipients.userId, userId));

const dateOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at));

/** Returns when the next digest of each of these people is due, for those who have one. */
export async function digestTimes({ accountId, db }: AccountScope, userIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({ userId: alertRecipients.userId, digest: alertRecipients.digest })
    .from(alertRecipients)
    .where(and(eq(alertRecipients.accountId, accountId), inArray(alertRecipients.userId, [...userIds]), isNotNull(alertRecipients.digest)));
  return new Map(rows.flatMap(({ userId, digest }) => (digest ? [[userId, digest] as const] : [])));
}
