import { and, count, desc, eq, gt, isNull, or } from 'drizzle-orm';
import type { ApiKey } from '#contract/api-key/api-key.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { apiKeys } from './tables.ts';

type ApiKeyRow = typeof apiKeys.$inferSelect;

/** Returns the account's keys, newest first. */
export async function all({ accountId, db }: AccountScope): Promise<ApiKey[]> {
  const rows = await db.select().from(apiKeys).where(eq(apiKeys.accountId, accountId)).orderBy(desc(apiKeys.created), desc(apiKeys.id));
  return rows.map(record);
}

export async function countOf({ accountId, db }: AccountScope): Promise<number> {
  const [row] = await db.select({ many: count() }).from(apiKeys).where(eq(apiKeys.accountId, accountId));
  return row?.many ?? 0;
}

export async function insert(
  { accountId, actor, db, now }: AccountScope,
  row: Omit<typeof apiKeys.$inferInsert, 'accountId' | 'author' | 'created'>,
): Promise<ApiKey> {
  const [stored] = await db
    .insert(apiKeys)
    .values({ ...row, accountId, author: actor, created: now })
    .returning();
  if (!stored) throw new Error('The key was not stored');
  return record(stored);
}

/** Returns the key with a hash and stores that it was used; undefined if there is none or it has expired. */
export async function use({ accountId, db, now }: AccountScope, hash: Buffer): Promise<ApiKey | undefined> {
  const isValid = or(isNull(apiKeys.expires), gt(apiKeys.expires, now));
  const [row] = await db
    .update(apiKeys)
    .set({ lastUsed: now })
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.hash, hash), isValid))
    .returning();
  return row && record(row);
}

/** Deletes a key. Returns undefined for an unknown one. */
export async function remove({ accountId, db }: AccountScope, id: string): Promise<ApiKey | undefined> {
  const [row] = await db
    .delete(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id)))
    .returning();
  return row && record(row);
}

/** Deletes a person's keys, and returns them. */
export async function removeBy({ accountId, db }: AccountScope, author: string): Promise<ApiKey[]> {
  const rows = await db
    .delete(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.author, author)))
    .returning();
  return rows.map(record);
}

const record = ({ id, accountId, displayName, scopes, ending, author, created, expires, lastUsed }: ApiKeyRow): ApiKey => ({
  id,
  sk: 'APIKEY',
  gs1sk: accountId,
  data: {
    ...{ accountId, displayName, scopes, ending, author, created: created.getTime() },
    ...(expires && { expires: expires.getTime() }),
    ...(lastUsed && { lastUsed: lastUsed.getTime() }),
  },
});
