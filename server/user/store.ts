import { and, asc, eq, ilike, or, type SQL, sql } from 'drizzle-orm';
import type { User } from '#contract/user.ts';
import { accounts, containing, type Page } from '../account/store.ts';
import type { AccountScope, OperatorScope, Somebody } from '../kernel/access.ts';
import type { Transaction } from '../kernel/database.ts';
import { users } from './tables.ts';

type Row = typeof users.$inferSelect;

/** Who stands behind a user id, where the condition holds. Reads without an account's scope: row security shows the person's own row only. */
export async function person(db: Transaction, id: string, condition: SQL): Promise<Somebody | undefined> {
  const [row] = await db
    .select({ accountId: users.accountId, level: users.level, emailAddress: users.emailAddress })
    .from(users)
    .where(and(eq(users.id, id), ACCOUNT_STANDS, condition));
  return row && { userId: id, ...row };
}

/** Whoever belongs to a deleted account is nobody. */
const ACCOUNT_STANDS = sql`exists (select from account where account.id = ${users.accountId} and account.deleted is null)`;

export async function byId({ accountId, db }: AccountScope, id: string): Promise<User | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.accountId, accountId), eq(users.id, id)));
  return row && record(row);
}

/** Everybody in the account, by name. */
export async function all({ accountId, db }: AccountScope): Promise<User[]> {
  const rows = await db.select().from(users).where(eq(users.accountId, accountId)).orderBy(asc(users.displayName), asc(users.id));
  return rows.map(record);
}

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof users.$inferInsert, 'accountId'>): Promise<User> {
  const [stored] = await db
    .insert(users)
    .values({ ...row, accountId })
    .returning();
  if (!stored) throw new Error('The person was not stored');
  return record(stored);
}

/** The account that somebody belongs to, read in their own row. */
export async function accountOf(db: Transaction, id: string): Promise<string | undefined> {
  await db.$client.query(`select set_config('app.user_id', $1, true)`, [id]);
  const [row] = await db.select({ accountId: users.accountId }).from(users).where(eq(users.id, id));
  return row?.accountId;
}

/** Whoever was invited has come, and is known by this id from now on. */
export async function join({ accountId, db }: AccountScope, { invited, id }: { invited: string; id: string }): Promise<void> {
  await db
    .update(users)
    .set({ id, invited: false })
    .where(and(eq(users.accountId, accountId), eq(users.id, invited)));
}

/** Changes what is given; undefined when there is nobody of that id. */
export async function change(
  { accountId, db }: AccountScope,
  id: string,
  changes: Partial<Pick<Row, 'displayName' | 'level' | 'avatar' | 'invited' | 'emailAddress'>>,
): Promise<User | undefined> {
  const [row] = await db
    .update(users)
    .set({ id, ...changes })
    .where(and(eq(users.accountId, accountId), eq(users.id, id)))
    .returning();
  return row && record(row);
}

export async function remove({ accountId, db }: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(users).where(and(eq(users.accountId, accountId), eq(users.id, id)));
  return rowCount === 1;
}

/** Who can decide for the account, held until the transaction ends: two admins cannot demote each other at once. */
export async function heldAdmins({ accountId, db }: AccountScope): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.accountId, accountId), eq(users.level, 'admin'), eq(users.invited, false)))
    .orderBy(asc(users.id))
    .for('update');
  return rows.map(({ id }) => id);
}

export async function idsOf({ db }: OperatorScope, accountId: string): Promise<string[]> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.accountId, accountId));
  return rows.map(({ id }) => id);
}

/** People of every account, by address. */
export async function everywhere(
  { db }: OperatorScope,
  { search, cursor, limit }: Page,
): Promise<{ users: { user: User; company: string }[]; cursor: string | null }> {
  const rows = await db
    .select({ row: users, company: accounts.displayName })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(
      and(
        search.trim() === ''
          ? undefined
          : or(
              ilike(users.displayName, containing(search)),
              ilike(users.emailAddress, containing(search)),
              ilike(users.id, containing(search)),
            ),
        cursor === undefined
          ? undefined
          : sql`(${users.emailAddress}, ${users.id}) > (${cursor.split(' ')[0]}, ${cursor.split(' ')[1] ?? ''})`,
      ),
    )
    .orderBy(asc(users.emailAddress), asc(users.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1)?.row;
  return {
    users: page.map(({ row, company }) => ({ user: record(row), company })),
    cursor: rows.length > limit && last ? `${last.emailAddress} ${last.id}` : null,
  };
}

function record(row: Row): User {
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
