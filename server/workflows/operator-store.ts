import { and, asc, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { ListedAccount } from '#contract/account/account.ts';
import type { SUBSCRIPTION_FILTERS } from '#contract/billing/billing.ts';
import type { ProviderStatus } from '#contract/billing/billing-state.ts';
import { cursorAt, pageOf } from '#contract/core/pagination.ts';
import type { User } from '#contract/user/user.ts';
import { accounts, type StoredAccount } from '../account/store.ts';
import { subscriptions } from '../billing/store.ts';
import { containing, createdCursor, greaterThan, olderThan } from '../platform/database/pages.ts';
import type { OperatorScope } from '../platform/tenancy/access.ts';
import { properties } from '../property/store.ts';
import { userOf, users } from '../user/store.ts';

/* Queries for operators that join the tables of several modules. No other store does. */

interface OperatorListQuery {
  readonly search: string;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

type ListedRow = Omit<ListedAccount, 'account'> & { readonly account: StoredAccount };

/** Returns accounts whose name or id contains the search text, newest first. */
export async function listAccounts(
  { db }: OperatorScope,
  { search, cursor, limit }: OperatorListQuery,
): Promise<{ accounts: ListedRow[]; cursor: string | null }> {
  const rows = await db
    .select({
      account: accounts,
      subscription: subscriptions,
      users: db.$count(users, eq(users.accountId, accounts.id)),
      properties: db.$count(properties, and(eq(properties.accountId, accounts.id), isNull(properties.deleted))),
    })
    .from(accounts)
    .innerJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(and(containing(search, accounts.displayName, accounts.id), olderThan(accounts, cursor)))
    .orderBy(desc(accounts.created), desc(accounts.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ account }) => createdCursor(account));
  return {
    accounts: page.rows.map(({ account, subscription, ...counts }) => ({
      account: { ...account, subscription },
      ...counts,
      ...(account.deleted && { deletedAt: account.deleted.getTime() }),
    })),
    cursor: page.cursor,
  };
}

type SubscriptionQuery = OperatorListQuery & { readonly standing: (typeof SUBSCRIPTION_FILTERS)[number] };

/** Returns accounts with their subscriptions, newest account first; trials by their end. */
export async function listSubscriptions(
  { db, now }: OperatorScope,
  { search, cursor, limit, standing }: SubscriptionQuery,
): Promise<{ accounts: StoredAccount[]; cursor: string | null }> {
  const isTrial = standing === 'trial';
  const rows = await db
    .select({ account: accounts, subscription: subscriptions })
    .from(accounts)
    .innerJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(
      and(
        isNull(accounts.deleted),
        isNotNull(subscriptions.onboardedAt),
        containing(search, accounts.displayName, accounts.id),
        standing === 'all' ? undefined : STANDING_IS[standing](now),
        isTrial ? greaterThan({ by: TRIAL_END, id: accounts.id }, cursor) : olderThan(accounts, cursor),
      ),
    )
    .orderBy(...(isTrial ? [asc(TRIAL_END), asc(accounts.id)] : [desc(accounts.created), desc(accounts.id)]))
    .limit(limit + 1);
  const stored = rows.map(({ account, subscription }) => ({ ...account, subscription }));
  const page = pageOf(stored, limit, ({ created, id, subscription }) =>
    createdCursor({ created: isTrial ? (subscription.trialEndsAt ?? created) : created, id }),
  );
  return { accounts: page.rows, cursor: page.cursor };
}

/** Never null: the provider may report a trial where there was none of ours. */
const TRIAL_END = sql`coalesce(${subscriptions.trialEndsAt}, ${accounts.created})`;

const isBought = (...statuses: readonly ProviderStatus[]): SQL => sql`coalesce(${inArray(subscriptions.bought, [...statuses])}, false)`;
const isNotBought = sql`coalesce(${subscriptions.bought} = 'canceled', true)`;
/** Whether something was charged since the trial started, so that a canceled subscription leaves no trial. */
const isUsedUp = sql`exists (select from jsonb_each(${subscriptions.purchases}) purchase
  where (purchase.value -> 'subscription' ->> 'firstBilledAt')::float8 >= coalesce(extract(epoch from ${subscriptions.trialStartedAt}) * 1000, 0))`;
const isFree = sql`coalesce(${subscriptions.plan} = 'Beta', false)`;

/** The account pays for nothing, and its plan isn't free. */
const isIdle = sql`(${isNotBought} and not ${isFree})`;
const isInTrial = (now: Date) => sql`(not ${isUsedUp} and coalesce(${subscriptions.trialEndsAt} > ${now}, false))`;
const hasHadNothing = sql`(${subscriptions.bought} is null and ${subscriptions.trialEndsAt} is null)`;

/** The phases of `subscriptionStateAt` as SQL. `due` includes subscriptions past their grace period. */
const STANDING_IS: Readonly<Record<Exclude<SubscriptionQuery['standing'], 'all'>, (now: Date) => SQL>> = {
  trial: (now) => sql`(${isBought('trialing')} or (${isIdle} and ${isInTrial(now)}))`,
  paid: () => sql`(${isBought('active')} or (${isIdle} and ${hasHadNothing}))`,
  due: () => isBought('past_due'),
  ended: (now) => sql`(${isBought('paused')} or (${isIdle} and not ${hasHadNothing} and not ${isInTrial(now)}))`,
  free: () => sql`(${isNotBought} and ${isFree})`,
};

/** Returns people of every account, by email address. */
export async function listUsers(
  { db }: OperatorScope,
  { search, cursor, limit }: OperatorListQuery,
): Promise<{ users: { user: User; company: string }[]; cursor: string | null }> {
  const rows = await db
    .select({ row: users, company: accounts.displayName })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(
      and(
        containing(search, users.displayName, users.emailAddress, users.id),
        greaterThan({ by: users.emailAddress, id: users.id }, cursor),
      ),
    )
    .orderBy(asc(users.emailAddress), asc(users.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ row }) => cursorAt(row.emailAddress, row.id));
  return { users: page.rows.map(({ row, company }) => ({ user: userOf(row), company })), cursor: page.cursor };
}

/** Returns the admin with this address whom an operator invited to an account that no one has joined yet. */
export async function invitedBusiness({ db }: OperatorScope, email: string): Promise<{ user: User; company: string } | undefined> {
  const [admin] = await db
    .select({ row: users, company: accounts.displayName })
    .from(users)
    .innerJoin(accounts, and(eq(accounts.id, users.accountId), isNull(accounts.deleted)))
    .where(
      and(
        eq(users.emailAddress, email),
        eq(users.level, 'admin'),
        sql`not exists (select from ${users} other where other.account_id = ${accounts.id} and not other.invited)`,
      ),
    )
    .limit(1);
  return admin && { user: userOf(admin.row), company: admin.company };
}

/** Returns the id of a person's account. */
export async function accountOf({ db }: OperatorScope, userId: string): Promise<string | undefined> {
  const [row] = await db.select({ accountId: users.accountId }).from(users).where(eq(users.id, userId));
  return row?.accountId;
}
