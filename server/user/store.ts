import { and, asc, eq, type SQL } from 'drizzle-orm';
import type { User } from '#contract/user.ts';
import type { AccountScope, Person } from '../kernel/access.ts';
import type { Transaction } from '../kernel/database.ts';
import { users } from './tables.ts';

type Row = typeof users.$inferSelect;

/** Who stands behind a user id, where the condition holds. Reads without an account's scope: row security shows the person's own row only. */
export async function person(db: Transaction, id: string, condition: SQL): Promise<Person | undefined> {
  const [row] = await db
    .select({ accountId: users.accountId, level: users.level })
    .from(users)
    .where(and(eq(users.id, id), condition));
  return row && { userId: id, ...row };
}

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

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof users.$inferInsert, 'accountId'>): Promise<void> {
  await db.insert(users).values({ ...row, accountId });
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
    },
  };
}
