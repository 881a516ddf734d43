import { eq } from 'drizzle-orm';
import type { Account } from '#contract/account.ts';
import type { Subscription } from '#contract/billing.ts';
import type { AccountScope } from '../kernel/access.ts';
import { accounts } from './tables.ts';

type Row = typeof accounts.$inferSelect;

/** The account in scope; undefined when it is gone. */
export async function current({ accountId, db }: AccountScope): Promise<Account | undefined> {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  return row && record(row);
}

export async function rename({ accountId, db }: AccountScope, displayName: string): Promise<Account | undefined> {
  const [row] = await db.update(accounts).set({ displayName }).where(eq(accounts.id, accountId)).returning();
  return row && record(row);
}

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof accounts.$inferInsert, 'id'>): Promise<void> {
  await db.insert(accounts).values({ ...row, id: accountId });
}

function record(row: Row): Account {
  return {
    id: row.id,
    sk: 'ACCOUNT',
    gs1sk: String(row.created.getTime()),
    data: { created: row.created.getTime(), displayName: row.displayName, subscription: subscriptionOf(row) },
  };
}

function subscriptionOf(row: Row): Subscription {
  return {
    // The columns are written by the subscription's rules only, which know these words.
    status: row.status as Subscription['status'],
    phase: row.status === 'active' ? 'trial' : 'none',
    ...(row.plan !== null && { plan: row.plan as NonNullable<Subscription['plan']> }),
    ...(row.cost !== null && { cost: row.cost }),
    ...(row.paymentFrequency !== null && { paymentFrequency: row.paymentFrequency as NonNullable<Subscription['paymentFrequency']> }),
    ...(row.startDate && { startDate: row.startDate.getTime() }),
    ...(row.billingDate !== null && { billingDate: row.billingDate }),
    ...(row.trialEndsAt && { trialEndsAt: row.trialEndsAt.getTime() }),
  };
}
