import { and, desc, eq, ilike, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Account, AuditEntry, ListedAccount } from '#contract/account.ts';
import type { Subscription } from '#contract/billing.ts';
import type { AccountScope, OperatorScope } from '../kernel/access.ts';
import { accounts, auditEntries } from './tables.ts';

/** For the joins of later rooms. */
export { accounts };

type Row = typeof accounts.$inferSelect;

/** The account in scope; undefined when it is gone. */
export async function current({ accountId, db }: AccountScope): Promise<Account | undefined> {
  const [row] = await db.select().from(accounts).where(alive(accountId));
  return row && record(row);
}

export async function rename({ accountId, db }: AccountScope, displayName: string): Promise<Account | undefined> {
  const [row] = await db.update(accounts).set({ displayName }).where(alive(accountId)).returning();
  return row && record(row);
}

const alive = (accountId: string) => and(eq(accounts.id, accountId), isNull(accounts.deleted));

/** The parts of an account that signing up decides, held until the transaction ends so that steps follow one another. */
export type SignUp = Pick<Row, 'plan' | 'startDate' | 'trialStartedAt' | 'trialEndsAt' | 'onboardedAt'>;

export async function heldSignUp({ accountId, db }: AccountScope): Promise<SignUp | undefined> {
  const { plan, startDate, trialStartedAt, trialEndsAt, onboardedAt } = accounts;
  const [row] = await db
    .select({ plan, startDate, trialStartedAt, trialEndsAt, onboardedAt })
    .from(accounts)
    .where(alive(accountId))
    .for('update');
  return row;
}

type Changes = Partial<Omit<typeof accounts.$inferInsert, 'id' | 'created'>>;

export async function change({ accountId, db }: AccountScope, changes: Changes): Promise<Account | undefined> {
  const [row] = await db.update(accounts).set(changes).where(alive(accountId)).returning();
  return row && record(row);
}

/** Puts the account out of reach, once. */
export async function remove({ accountId, db }: AccountScope, deleted: Date): Promise<boolean> {
  const { rowCount } = await db.update(accounts).set({ deleted }).where(alive(accountId));
  return rowCount === 1;
}

/* ── Every account: for operators, and for deleting for good ── */

export interface Page {
  readonly search: string;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Accounts whose name or id has the words in it, newest first. */
export async function everywhere(
  { db }: OperatorScope,
  { search, cursor, limit }: Page,
): Promise<{ accounts: ListedAccount[]; cursor: string | null }> {
  const rows = await db
    .select({
      row: accounts,
      users: sql<number>`(select count(*)::integer from "user" where account_id = "account"."id")`,
      properties: sql<number>`(select count(*)::integer from property where account_id = "account"."id" and deleted is null)`,
    })
    .from(accounts)
    .where(and(matching(search), cursor === undefined ? undefined : before(cursor)))
    .orderBy(desc(accounts.created), desc(accounts.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1)?.row;
  return {
    accounts: page.map(({ row, users, properties }) => ({
      account: record(row),
      users,
      properties,
      ...(row.deleted && { deletedAt: row.deleted.getTime() }),
    })),
    cursor: rows.length > limit && last ? `${last.created.getTime()}.${last.id}` : null,
  };
}

const matching = (search: string): SQL | undefined =>
  search.trim() === '' ? undefined : or(ilike(accounts.displayName, containing(search)), ilike(accounts.id, containing(search)));

/** No character of a search means more than itself. */
export const containing = (search: string): string => `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;

/** A cursor names the last row that was seen; one that nobody gave out finds nothing. */
function before(cursor: string): SQL {
  const [created, ...id] = cursor.split('.');
  const at = new Date(Number(created));
  return Number.isNaN(at.getTime())
    ? sql`false`
    : sql`(${accounts.created}, ${accounts.id}) < (${at.toISOString()}::timestamptz, ${id.join('.')})`;
}

/** False when there is no such account, or it is deleted already. */
export async function masterRemove({ db }: OperatorScope, accountId: string, deleted: Date): Promise<boolean> {
  const { rowCount } = await db.update(accounts).set({ deleted }).where(alive(accountId));
  return rowCount === 1;
}

/** Ids of the accounts that were deleted before then. */
export async function deletedBefore({ db }: OperatorScope, then: Date): Promise<string[]> {
  const rows = await db.select({ id: accounts.id }).from(accounts).where(lt(accounts.deleted, then));
  return rows.map(({ id }) => id);
}

/** With everything that hangs on it. */
export async function destroy({ db }: OperatorScope, accountId: string): Promise<void> {
  await db.delete(accounts).where(eq(accounts.id, accountId));
}

export async function note(
  { db }: OperatorScope,
  entry: { at: Date; by: string; act: string; subject: string; detail: string },
): Promise<void> {
  await db.insert(auditEntries).values(entry);
}

export async function auditLog(
  { db }: OperatorScope,
  { search, cursor, limit }: Page,
): Promise<{ entries: AuditEntry[]; cursor: string | null }> {
  const rows = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        search.trim() === '' ? undefined : or(ilike(auditEntries.subject, containing(search)), ilike(auditEntries.by, containing(search))),
        cursor === undefined ? undefined : lt(auditEntries.id, Number(cursor) || 0),
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return {
    entries: page.map(({ id, at, ...rest }) => ({ id: String(id), at: at.getTime(), ...rest })),
    cursor: rows.length > limit ? String(page.at(-1)?.id ?? '') : null,
  };
}

export async function insert({ accountId, db }: AccountScope, row: Omit<typeof accounts.$inferInsert, 'id'>): Promise<Account> {
  const [stored] = await db
    .insert(accounts)
    .values({ ...row, id: accountId })
    .returning();
  if (!stored) throw new Error('The account was not stored');
  return record(stored);
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
