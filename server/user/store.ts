import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { byDisplayName } from '#contract/core/names.ts';
import type { TeamLanguage } from '#contract/language/team.ts';
import type { User } from '#contract/user/user.ts';
import { accounts, isNotDeleted } from '../account/store.ts';
import { type Condition, setUser, type Transaction } from '../platform/database/database.ts';
import type { AccountScope, PersonRecord } from '../platform/tenancy/access.ts';
import { users } from './tables.ts';

/** The table, for later modules to join in their queries. */
export { users };

type UserRow = typeof users.$inferSelect;

/**
 * Returns the person with a user id, if a given condition holds. Needs no account's scope: row security shows only the person's own row.
 * With a statement name, each connection plans the query only once; a name always has the same condition with other values.
 */
export async function person(db: Transaction, id: string, condition?: Condition, statement = ''): Promise<PersonRecord | undefined> {
  const query = db
    .select({
      accountId: users.accountId,
      level: users.level,
      emailAddress: users.emailAddress,
      isDeleted: sql<boolean>`not ${isNotDeleted(users.accountId)}`,
    })
    .from(users)
    .where(and(eq(users.id, id), condition));
  const [row] = await query.prepare(statement).execute();
  return row && { userId: id, ...row };
}

/** Returns a team member by id. */
export const byId = (scope: AccountScope, id: string): Promise<User | undefined> => findOne(scope, eq(users.id, id));

/** Returns a team member by lowercase email address. */
export const byEmail = (scope: AccountScope, emailAddress: string): Promise<User | undefined> =>
  findOne(scope, eq(users.emailAddress, emailAddress));

async function findOne({ accountId, db }: AccountScope, condition: Condition): Promise<User | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.accountId, accountId), condition));
  return row && userOf(row);
}

/** Returns everyone in the account, by name. */
export async function all({ accountId, db }: AccountScope): Promise<User[]> {
  const rows = await db.select().from(users).where(eq(users.accountId, accountId));
  return rows.map(userOf).sort(byDisplayName);
}

/** Returns the account’s admins who have joined it, by name. */
export async function admins({ accountId, db }: AccountScope): Promise<User[]> {
  const rows = await db.select().from(users).where(isAdmin(accountId));
  return rows.map(userOf).sort(byDisplayName);
}

const isAdmin = (accountId: string) => and(eq(users.accountId, accountId), eq(users.level, 'admin'), eq(users.invited, false));

/** Returns the ids among these that belong to team members who have joined. */
export async function filterJoined({ accountId, db }: AccountScope, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.accountId, accountId), inArray(users.id, [...ids]), eq(users.invited, false)));
  return rows.map(({ id }) => id);
}

/** Returns a page of the account's people, by id. */
export async function page({ accountId, db }: AccountScope, after: string, limit: number): Promise<User[]> {
  const rows = await db
    .select()
    .from(users)
    .where(and(eq(users.accountId, accountId), gt(users.id, after)))
    .orderBy(asc(users.id))
    .limit(limit);
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

/** Returns the account of a person, read from their own row. */
export async function accountOf(db: Transaction, id: string): Promise<string | undefined> {
  await setUser(db, id);
  const [row] = await db.select({ accountId: users.accountId }).from(users).where(eq(users.id, id));
  return row?.accountId;
}

/** Returns a person's language, read from their own row, and then restores the transaction's access. */
export async function languageOf(db: Transaction, id: string): Promise<TeamLanguage | undefined> {
  await setUser(db, id);
  const [row] = await db.select({ language: users.language }).from(users).where(eq(users.id, id));
  await setUser(db, '');
  return row?.language ?? undefined;
}

/** Returns a person's business and whether it is deleted, read from their own row, and then restores the transaction's access. */
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

/** Turns an invited person into a member, with the id from the user pool. */
export async function join({ accountId, db }: AccountScope, { invited, id }: { invited: string; id: string }): Promise<void> {
  await db
    .update(users)
    .set({ id, invited: false, language: null })
    .where(and(eq(users.accountId, accountId), eq(users.id, invited)));
}

/** Changes the given fields and returns the person; undefined for an unknown id. */
export async function change(
  { accountId, db }: AccountScope,
  id: string,
  changes: Partial<Pick<UserRow, 'displayName' | 'level' | 'avatar' | 'language' | 'invited' | 'emailAddress'>>,
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

/** Returns the ids of the account’s admins, locked until the transaction ends, so that two admins can't demote each other at once. */
export async function lockAdmins({ accountId, db }: AccountScope): Promise<string[]> {
  const rows = await db.select({ id: users.id }).from(users).where(isAdmin(accountId)).orderBy(asc(users.id)).for('no key update');
  return rows.map(({ id }) => id);
}

/** Returns a person in the API's format. */
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
      ...(row.language !== null && { language: row.language }),
      ...(row.invited && { invited: true as const }),
    },
  };
}
