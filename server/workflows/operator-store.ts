import { and, asc, desc, eq, ilike, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { ListedAccount } from '#contract/account.ts';
import type { User } from '#contract/user.ts';
import { accounts, type StoredAccount } from '../account/store.ts';
import { subscriptions } from '../billing/store.ts';
import type { OperatorScope } from '../kernel/access.ts';
import { properties } from '../property/store.ts';
import { userOf, users } from '../user/store.ts';

/* What operators look at spans rooms: the one place that joins the tables of several. */

export interface OperatorListQuery {
  readonly search: string;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

type Listed = Omit<ListedAccount, 'account'> & { readonly account: StoredAccount };

/** Accounts whose name or id has the words in it, newest first. */
export async function listAccounts(
  { db }: OperatorScope,
  { search, cursor, limit }: OperatorListQuery,
): Promise<{ accounts: Listed[]; cursor: string | null }> {
  const rows = await db
    .select({
      account: accounts,
      subscription: subscriptions,
      users: db.$count(users, eq(users.accountId, accounts.id)),
      properties: db.$count(properties, and(eq(properties.accountId, accounts.id), isNull(properties.deleted))),
    })
    .from(accounts)
    .innerJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(and(saying(search, accounts.displayName, accounts.id), cursor === undefined ? undefined : olderThan(cursor)))
    .orderBy(desc(accounts.created), desc(accounts.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1)?.account;
  return {
    accounts: page.map(({ account, subscription, ...counts }) => ({
      account: { ...account, subscription },
      ...counts,
      ...(account.deleted && { deletedAt: account.deleted.getTime() }),
    })),
    cursor: rows.length > limit && last ? `${last.created.getTime()}.${last.id}` : null,
  };
}

/** People of every account, by address. */
export async function listUsers(
  { db }: OperatorScope,
  { search, cursor, limit }: OperatorListQuery,
): Promise<{ users: { user: User; company: string }[]; cursor: string | null }> {
  const [email, id = ''] = cursor?.split(' ') ?? [];
  const rows = await db
    .select({ row: users, company: accounts.displayName })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(
      and(
        saying(search, users.displayName, users.emailAddress, users.id),
        email === undefined ? undefined : sql`(${users.emailAddress}, ${users.id}) > (${email}, ${id})`,
      ),
    )
    .orderBy(asc(users.emailAddress), asc(users.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1)?.row;
  return {
    users: page.map(({ row, company }) => ({ user: userOf(row), company })),
    cursor: rows.length > limit && last ? `${last.emailAddress} ${last.id}` : null,
  };
}

/** A condition: one of these columns contains the search text, taken literally. */
function saying(search: string, ...columns: Parameters<typeof ilike>[0][]): SQL | undefined {
  const words = `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
  return search.trim() === '' ? undefined : or(...columns.map((column) => ilike(column, words)));
}

/** A cursor names the last account that was seen; one that nobody gave out finds nothing. */
function olderThan(cursor: string): SQL {
  const [created = '', ...id] = cursor.split('.');
  const at = new Date(/^\d{1,14}$/.test(created) ? Number(created) : Number.NaN);
  return Number.isNaN(at.getTime())
    ? sql`false`
    : sql`(${accounts.created}, ${accounts.id}) < (${at.toISOString()}::timestamptz, ${id.join('.')})`;
}
