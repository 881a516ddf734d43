import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Account } from '#contract/account/account.ts';
import type { Billing } from '../billing/billing.ts';
import { type Subscribed, subscriptions } from '../billing/store.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { accounts } from './tables.ts';

/** The table, for later rooms to join in their queries. */
export { accounts };

/** A business with what it is signed up for. */
export type StoredAccount = typeof accounts.$inferSelect & { readonly subscription: Subscribed };

/** The account in scope; undefined when it is gone. */
export async function byScope({ accountId, db }: AccountScope): Promise<StoredAccount | undefined> {
  const [row] = await db.select().from(accounts).innerJoin(subscriptions, eq(subscriptions.accountId, accounts.id)).where(alive(accountId));
  return row && { ...row.account, subscription: row.subscription };
}

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof accounts.$inferInsert, 'id'>): Promise<void> {
  await db.insert(accounts).values({ ...row, id: accountId });
}

/** Renames the account; false when it is deleted. */
export async function rename({ accountId, db }: AccountScope, displayName: string): Promise<boolean> {
  const { rowCount } = await db.update(accounts).set({ displayName }).where(alive(accountId));
  return rowCount === 1;
}

/** Marks the account as deleted: nobody can reach it any more. False when it was already. */
export async function remove({ accountId, db, now }: AccountScope): Promise<boolean> {
  const { rowCount } = await db.update(accounts).set({ deleted: now }).where(alive(accountId));
  return rowCount === 1;
}

/** Brings a deleted account back. False when it stands, or was deleted before `since`. */
export async function restore({ accountId, db }: AccountScope, since: Date): Promise<boolean> {
  const isGone = and(eq(accounts.id, accountId), gt(accounts.deleted, since));
  const { rowCount } = await db.update(accounts).set({ deleted: null }).where(isGone);
  return rowCount === 1;
}

/** The account’s name, and since when it is deleted; null where it stands. */
export async function deletionOf({ accountId, db }: AccountScope): Promise<{ displayName: string; deleted: Date | null } | undefined> {
  const [row] = await db
    .select({ displayName: accounts.displayName, deleted: accounts.deleted })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row;
}

const alive = (accountId: string) => and(eq(accounts.id, accountId), isNull(accounts.deleted));

/** A condition for a statement on other tables: the account that this column names is not deleted. */
export const stands = (accountId: AnyPgColumn): SQL =>
  sql`exists (select from ${accounts} where ${accounts.id} = ${accountId} and ${accounts.deleted} is null)`;

/* ── Deleting for good ── */

/** Ids of the accounts that were deleted before then. */
export async function deletedBefore({ db }: OperatorScope, then: Date): Promise<string[]> {
  const rows = await db.select({ id: accounts.id }).from(accounts).where(lt(accounts.deleted, then));
  return rows.map(({ id }) => id);
}

/** Deletes the account’s row for good, and by foreign keys every row of it. */
export async function destroy({ db }: OperatorScope, accountId: string): Promise<void> {
  await db.delete(accounts).where(eq(accounts.id, accountId));
}

/** The account as the API sends it, at a moment. */
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
