import { eq } from 'drizzle-orm';
import type { AccountScope } from '../kernel/access.ts';
import { subscriptions } from './tables.ts';

/** The table, for later rooms to join in their queries. */
export { subscriptions };

export type Subscribed = typeof subscriptions.$inferSelect;

/** The account's subscription, locked until the transaction ends so that steps follow one another. */
export async function lock({ accountId, db }: AccountScope): Promise<Subscribed | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId)).for('no key update');
  return row;
}

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof subscriptions.$inferInsert, 'accountId'>): Promise<void> {
  await db.insert(subscriptions).values({ ...row, accountId });
}

type SubscriptionChanges = Partial<Omit<Subscribed, 'accountId'>>;

export async function change({ accountId, db }: AccountScope, changes: SubscriptionChanges): Promise<void> {
  await db.update(subscriptions).set(changes).where(eq(subscriptions.accountId, accountId));
}
