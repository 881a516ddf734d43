import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { User } from '#contract/user/user.ts';
import { accounts, stands } from '../account/store.ts';
import { type Condition, setUser, type Transaction } from '../platform/database/database.ts';
import type { AccountScope, PersonRecord } from '../platform/tenancy/access.ts';
import { users } from './tables.ts';

/** The table, for later rooms to join in their queries. */
export { users };

type UserRow = typeof users.$inferSelect;

/** Who stands behind a user id, where the condition holds. Reads without an account's scope: row security shows the person's own row only. */
export async function person(db: Transaction, id: string, condition: Condition): Promise<PersonRecord | undefined> {
  const [row] = await db
    .select({
      accountId: users.accountId,
      level: users.level,
      emailAddress: users.emailAddress,
      isDeleted: sql<boolean>`not ${stands(users.accountId)}`,
    })
    .from(users)
    .where(and(eq(users.id, id), condition));
  return row && { userId: id, ...row };
}

/** A person of the team by their id. */
export const byId = (scope: AccountScope, id: string): Promise<User | undefined> => one(scope, eq(users.id, id));

/** A person of the team by their email, in lower case. */
export const byEmail = (scope: AccountScope, emailAddress: string): Promise<User | undefined> =>
  one(scope, eq(users.emailAddress, emailAddress));

async function one({ accountId, db }: AccountScope, condition: Condition): Promise<User | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.accountId, accountId), condition));
  return row && userOf(row);
}

/** Everybody in the account, by name. */
export async function all({ accountId, db }: AccountScope): Promise<User[]> {
  const rows = await db.select().from(users).where(eq(users.accountId, accountId)).orderBy(asc(users.displayName), asc(users.id));
  return rows.map(userOf);
}

/** The account’s admins who have joined it, by name. */
export async function admins({ accountId, db }: AccountScope): Promise<User[]> {
  const rows = await db.select().from(users).where(isAdmin(accountId)).orderBy(asc(users.displayName), asc(users.id));
  return rows.map(userOf);
}

const isAdmin = (accountId: string) => and(eq(users.accountId, accountId), eq(users.level, 'admin'), eq(users.invited, false));

/** Those of these people who are of the team and have joined it. */
export async function joined({ accountId, db }: AccountScope, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.accountId, accountId), inArray(users.id, [...ids]), eq(users.invited, false)));
  return rows.map(({ id }) => id);
}

/** Some of everybody in the account by id. */
export async function everything({ accountId, db }: AccountScope, after: string, most: number): Promise<User[]> {
  const rows = await db
    .select()
    .from(users)
    .where(and(eq(users.accountId, accountId), gt(users.id, after)))
    .orderBy(asc(users.id))
    .limit(most);
  return rows.map(userOf);
}

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof users.$inferInsert, 'accountId'>): Promise<User> {
  const [stored] = await db
    .insert(users)
    .values({ ...row, accountId })
    .returning();
  if (!stored) throw new Error('The person was not stored');
  return userOf(stored);
}

/** The account that somebody belongs to, read in their own row. */
export async function accountOf(db: Transaction, id: string): Promise<string | undefined> {
  await setUser(db, id);
  const [row] = await db.select({ accountId: users.accountId }).from(users).where(eq(users.id, id));
  return row?.accountId;
}

/** The business that somebody belongs to, and whether it is deleted. Reads their own row, as above; afterwards the transaction sees what it saw before. */
export async function businessOf(db: Transaction, id: string): Promise<{ company: string; isDeleted: boolean } | undefined> {
  await setUser(db, id);
  const [row] = await db
    .select({ company: accounts.displayName, deleted: accounts.deleted })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, id));
  await setUser(db, '');
  return row && { company: row.company, isDeleted: row.deleted !== null };
}

/** Turns an invited person into a member, under the id that the user pool gave them. */
export async function join({ accountId, db }: AccountScope, { invited, id }: { invited: string; id: string }): Promise<void> {
  await db
    .update(users)
    .set({ id, invited: false })
    .where(and(eq(users.accountId, accountId), eq(users.id, invited)));
}

/** Changes the given fields; undefined when there is no person of that id. */
export async function change(
  { accountId, db }: AccountScope,
  id: string,
  changes: Partial<Pick<UserRow, 'displayName' | 'level' | 'avatar' | 'invited' | 'emailAddress'>>,
): Promise<User | undefined> {
  const [row] = await db
    .update(users)
    .set({ id, ...changes })
    .where(and(eq(users.accountId, accountId), eq(users.id, id)))
    .returning();
  return row && userOf(row);
}

export async function remove({ accountId, db }: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(users).where(and(eq(users.accountId, accountId), eq(users.id, id)));
  return rowCount === 1;
}

/** Ids of the account’s admins, locked until the transaction ends: two admins cannot demote each other at once. */
export async function lockAdmins({ accountId, db }: AccountScope): Promise<string[]> {
  const rows = await db.select({ id: users.id }).from(users).where(isAdmin(accountId)).orderBy(asc(users.id)).for('no key update');
  return rows.map(({ id }) => id);
}

/** A person as the API sends them. */
export function userOf(row: UserRow): User {
  return {
    id: row.id,
    sk: 'USER',
    gs1sk: row.accountId,
    gs2pk: row.emailAddress,
    data: {
      created: row.created.getTime(),
      createdBy: row.createdBy,
      displayName: row.displayName,
      emailAddress: row.emailAddress,
      ...(row.avatar !== null && { avatar: row.avatar }),
      level: row.level,
      accountId: row.accountId,
      ...(row.invited && { invited: true as const }),
    },
  };
}
