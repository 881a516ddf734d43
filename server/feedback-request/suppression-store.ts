import { and, asc, desc, eq, gt, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Input } from '#contract/core/operation.ts';
import { pageOf } from '#contract/core/pagination.ts';
import {
  type feedbackRequestOperations,
  OWN_REASONS,
  type Suppression,
  type SuppressionReason,
} from '#contract/feedback-request/feedback-request.ts';
import { updateSome } from '../platform/database/batches.ts';
import { containing, createdCursor, olderThan } from '../platform/database/pages.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { suppressions } from './tables.ts';

/* Addresses that aren't asked. */

/** Adds a suppression unless the address has one. A customer's own reason replaces others. Returns its id if it changed. */
export async function suppress(
  { accountId, db, now }: AccountScope,
  row: Omit<typeof suppressions.$inferInsert, 'accountId' | 'created'>,
): Promise<string | undefined> {
  const [changed] = await db
    .insert(suppressions)
    .values({ ...row, accountId, created: now })
    .onConflictDoUpdate({
      target: [suppressions.accountId, suppressions.emailHash],
      set: { reason: row.reason, created: now },
      setWhere: sql`${suppressions.reason} not in ${[...OWN_REASONS]} and excluded.reason in ${[...OWN_REASONS]}`,
    })
    .returning({ id: suppressions.id });
  return changed?.id;
}

export async function suppressionOf(
  { accountId, db }: Pick<AccountScope, 'accountId' | 'db'>,
  emailHash: Buffer,
): Promise<Suppression | undefined> {
  const [row] = await db
    .select()
    .from(suppressions)
    .where(and(eq(suppressions.accountId, accountId), eq(suppressions.emailHash, emailHash)));
  return row && suppressionRecord(row);
}

export async function suppressionById({ accountId, db }: AccountScope, id: string): Promise<Suppression | undefined> {
  const [row] = await db
    .select()
    .from(suppressions)
    .where(and(eq(suppressions.accountId, accountId), eq(suppressions.id, id)));
  return row && suppressionRecord(row);
}

/** Removes a suppression for one of these reasons. Returns whether there was one. */
export async function unsuppress(
  { accountId, db }: AccountScope,
  of: { readonly id: string } | { readonly emailHash: Buffer },
  reasons: readonly SuppressionReason[],
): Promise<boolean> {
  const isOne = 'id' in of ? eq(suppressions.id, of.id) : eq(suppressions.emailHash, of.emailHash);
  const { rowCount } = await db
    .delete(suppressions)
    .where(and(eq(suppressions.accountId, accountId), isOne, inArray(suppressions.reason, [...reasons])));
  return rowCount === 1;
}

/** Lists the account's suppressions, newest first, whose address contains the search text. */
export async function listSuppressions(
  { accountId, db }: AccountScope,
  { search, cursor, limit }: Omit<Input<typeof feedbackRequestOperations.suppressions>, 'accountId'>,
): Promise<{ suppressions: Suppression[]; cursor: string | null }> {
  const rows = await db
    .select()
    .from(suppressions)
    .where(and(eq(suppressions.accountId, accountId), containing(search, suppressions.email), olderThan(suppressions, cursor)))
    .orderBy(desc(suppressions.created), desc(suppressions.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, createdCursor);
  return { suppressions: page.rows.map(suppressionRecord), cursor: page.cursor };
}

/** Returns a page of all suppressions, by id. */
export async function pageOfSuppressions({ accountId, db }: AccountScope, after: string, most: number): Promise<Suppression[]> {
  const rows = await db
    .select()
    .from(suppressions)
    .where(and(eq(suppressions.accountId, accountId), gt(suppressions.id, after)))
    .orderBy(asc(suppressions.id))
    .limit(most);
  return rows.map(suppressionRecord);
}

/** Deletes an address from its suppression, which still applies. */
export async function forgetAddress({ accountId, db }: AccountScope, emailHash: Buffer): Promise<void> {
  await db
    .update(suppressions)
    .set({ email: null })
    .where(and(eq(suppressions.accountId, accountId), eq(suppressions.emailHash, emailHash)));
}

/** Deletes the addresses of old suppressions, which still apply. */
export const forgetSuppressed = ({ db }: OperatorScope, before: Date): Promise<number> =>
  updateSome(db, suppressions, { set: { email: null }, of: and(lt(suppressions.created, before), isNotNull(suppressions.email)) });

const suppressionRecord = ({ id, accountId, email, reason, created }: typeof suppressions.$inferSelect): Suppression => ({
  id,
  sk: 'SUPPRESSION',
  gs1sk: accountId,
  data: { ...(email !== null && { email }), reason, created: created.getTime() },
});
