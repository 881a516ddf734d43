import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Account } from '#contract/account/account.ts';
import type { Billing } from '../billing/billing.ts';
import { type SubscriptionRow, subscriptions } from '../billing/store.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { accounts } from './tables.ts';

/** The table, for later modules to join in their queries. */
export { accounts };

/** A business with its subscription. */
export type StoredAccount = typeof accounts.$inferSelect & { readonly subscription: SubscriptionRow };

/** Returns the account in scope; undefined if it is deleted. */
export async function byScope({ accountId, db }: AccountScope): Promise<StoredAccount | undefined> {
  const [row] = await db
    .select()
    .from(accounts)
    .innerJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(isInUse(accountId));
  return row && { ...row.account, subscription: row.subscription };
}

/** Locks the account until the transaction ends, so that a limit isn't exceeded by additions at the same moment. Call it before counting. */
export async function lock({ accountId, db }: AccountScope): Promise<void> {
  await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('no key update');
}

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof accounts.$inferInsert, 'id'>): Promise<void> {
  await db.insert(accounts).values({ ...row, id: accountId });
}

/** Renames the account; returns false if it is deleted. */
export async function rename({ accountId, db }: AccountScope, displayName: string): Promise<boolean> {
  const { rowCount } = await db.update(accounts).set({ displayName }).where(isInUse(accountId));
  return rowCount === 1;
}

/** Marks the account as deleted, which blocks all access to it; returns false if it already was. */
export async function remove({ accountId, db, now }: AccountScope): Promise<boolean> {
  const { rowCount } = await db.update(accounts).set({ deleted: now }).where(isInUse(accountId));
  return rowCount === 1;
}

/** Restores a deleted account; returns false if it isn't deleted, or was deleted before `since`. */
export async function restore({ accountId, db }: AccountScope, since: Date): Promise<boolean> {
  const isRestorable = and(eq(accounts.id, accountId), gt(accounts.deleted, since));
  const { rowCount } = await db.update(accounts).set({ deleted: null }).where(isRestorable);
  return rowCount === 1;
}

/** Returns the account’s name and the time it was deleted; null if it isn't deleted. */
export async function deletionOf({ accountId, db }: AccountScope): Promise<{ displayName: string; deleted: Date | null } | undefined> {
  const [row] = await db
    .select({ displayName: accounts.displayName, deleted: accounts.deleted })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row;
}

const isInUse = (accountId: string) => and(eq(accounts.id, accountId), isNull(accounts.deleted));

/** Returns a condition for statements on other tables: the account in this column is not deleted. */
export const isNotDeleted = (accountId: AnyPgColumn): SQL =>
  sql`exists (select from ${accounts} where ${accounts.id} = ${accountId} and ${accounts.deleted} is null)`;

/** Returns the ids of accounts deleted before a time. */
export async function deletedBefore({ db }: OperatorScope, time: Date): Promise<string[]> {
  const rows = await db.select({ id: accounts.id }).from(accounts).where(lt(accounts.deleted, time));
  return rows.map(({ id }) => id);
}

/** Deletes the account’s row permanently, and by foreign keys all its rows in other tables. */
export async function destroy({ db }: OperatorScope, accountId: string): Promise<void> {
  await db.delete(accounts).where(eq(accounts.id, accountId));
}

/** Returns the account in the API's format, with the subscription's status at `now`. */
export const wireAccount = (stored: StoredAccount, { billing, now }: { readonly billing: Billing; readonly now: Date }): Account => ({
  id: stored.id,
  sk: 'ACCOUNT',
  gs1sk: String(stored.created.getTime()),
  data: {
    created: stored.created.getTime(),
    displayName: stored.displayName,
    subscription: billing.describe(stored.subscription, now),
  },
});
