import { and, eq, getTableColumns, gt, gte, isNull, lt } from 'drizzle-orm';
import { deleteSome } from '../../platform/database/batches.ts';
import type { AccountScope, OperatorScope } from '../../platform/tenancy/access.ts';
import type { Alert } from './alert-store.ts';
import { alertLinks, alerts } from './tables.ts';

type LinkRow = typeof alertLinks.$inferSelect;

export async function add({ accountId, db }: AccountScope, row: Omit<LinkRow, 'accountId' | 'used'>): Promise<void> {
  await db.insert(alertLinks).values({ ...row, accountId });
}

/** Deletes the links of an alert that expire at a time or later. */
export async function remove({ accountId, db }: AccountScope, { feedbackId, userId }: Alert, from: Date): Promise<void> {
  const isOfAlert = and(eq(alertLinks.accountId, accountId), eq(alertLinks.feedbackId, feedbackId), eq(alertLinks.userId, userId));
  await db.delete(alertLinks).where(and(isOfAlert, gte(alertLinks.expires, from)));
}

/** Returns a link that has not expired, used or not, and when the visitor asked to be contacted. */
export async function byHash(scope: AccountScope, hash: Buffer): Promise<(LinkRow & Pick<Alert, 'asked'>) | undefined> {
  const { accountId, feedbackId, userId } = alertLinks;
  const [row] = await scope.db
    .select({ ...getTableColumns(alertLinks), asked: alerts.asked })
    .from(alertLinks)
    .innerJoin(alerts, and(eq(alerts.accountId, accountId), eq(alerts.feedbackId, feedbackId), eq(alerts.userId, userId)))
    .where(isValid(scope, hash));
  return row;
}

/** Marks a link as used, once. Returns false if it was used before or has expired. */
export async function use(scope: AccountScope, hash: Buffer): Promise<boolean> {
  const { rowCount } = await scope.db
    .update(alertLinks)
    .set({ used: scope.now })
    .where(and(isValid(scope, hash), isNull(alertLinks.used)));
  return rowCount === 1;
}

const isValid = ({ accountId, now }: AccountScope, hash: Buffer) =>
  and(eq(alertLinks.accountId, accountId), eq(alertLinks.hash, hash), gt(alertLinks.expires, now));

/** Deletes links that expired before a time. */
export const deleteExpired = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, alertLinks, lt(alertLinks.expires, before));
