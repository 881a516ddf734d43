import { and, asc, eq, gt, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { AlertResult } from '#contract/notification/notification.ts';
import { isNotDeleted } from '../../account/store.ts';
import { deleteSome } from '../../platform/database/batches.ts';
import { rowsToInsert } from '../../platform/database/rows.ts';
import type { AccountScope, OperatorScope } from '../../platform/tenancy/access.ts';
import { alerts } from './tables.ts';

export type Alert = typeof alerts.$inferSelect;
type NewAlert = Pick<Alert, 'feedbackId' | 'userId' | 'propertyId' | 'reason' | 'due' | 'waitsFor' | 'asked' | 'messageId'>;

/** An alert that is not sent yet. */
const IS_PENDING = sql`${alerts.notified} is null and ${alerts.due} is not null`;
/** An alert that was never sent and has nothing left to do. */
const IS_CLOSED = sql`${alerts.notified} is null and ${alerts.due} is null`;
const unlessPending = (column: 'due' | 'held'): SQL =>
  sql`case when ${IS_PENDING} then ${sql.raw(`alert.${column} else excluded.${column}`)} end`;

/**
 * Adds alerts for people who have none about the feedback. A request to be contacted, and each message of the visitor, is added to an
 * existing alert, once: an alert that was sent is due again. Returns the alerts that were added or changed.
 */
export async function add({ accountId, db, now }: AccountScope, rows: readonly NewAlert[]): Promise<Alert[]> {
  if (rows.length === 0) return [];
  return db
    .insert(alerts)
    .select(
      rowsToInsert(
        alerts,
        rows.map((row) => ({ ...row, accountId, created: now })),
      ),
    )
    .onConflictDoUpdate({
      target: [alerts.accountId, alerts.feedbackId, alerts.userId],
      set: {
        due: unlessPending('due'),
        waitsFor: unlessPending('held'),
        result: null,
        openedBy: null,
        reason: sql`case when ${IS_CLOSED} then excluded.reason else ${alerts.reason} end`,
        asked: sql`excluded.asked`,
        messageId: sql`excluded.message_id`,
        notified: null,
      },
      setWhere: sql`(${IS_CLOSED}) or (${alerts.asked} is null and excluded.asked is not null) or excluded.message_id <> coalesce(${alerts.messageId}, '')`,
    })
    .returning();
}

/** Returns everyone who was notified of a feedback item, or will be, and why. */
export const alertedOf = ({ accountId, db }: AccountScope, feedbackId: string): Promise<Pick<Alert, 'userId' | 'reason'>[]> =>
  db
    .select({ userId: alerts.userId, reason: alerts.reason })
    .from(alerts)
    .where(and(eq(alerts.accountId, accountId), eq(alerts.feedbackId, feedbackId), sql`not (${IS_CLOSED})`));

/** Returns every stored alert about a feedback item, oldest first. */
export const byFeedback = ({ accountId, db }: AccountScope, feedbackId: string): Promise<Alert[]> =>
  db
    .select()
    .from(alerts)
    .where(and(eq(alerts.accountId, accountId), eq(alerts.feedbackId, feedbackId)))
    .orderBy(asc(alerts.created), asc(alerts.userId));

/** Returns a person's alerts that are due and not deferred, oldest feedback first. The next check returns the rest. */
export const due = ({ accountId, db, now }: AccountScope, userId: string): Promise<Alert[]> =>
  db
    .select()
    .from(alerts)
    .where(and(isOf(accountId, userId), lte(alerts.due, now), isNull(alerts.waitsFor)))
    .orderBy(asc(alerts.feedbackId))
    .limit(MOST_AT_ONCE);

const MOST_AT_ONCE = 100;

/** All in ms; `at` since 1970. */
type Addition = Readonly<Record<'at' | 'within' | 'pause', number>>;

/**
 * Reschedules the alerts about a feedback item that were sent at most `within` ms before its visitor changed it, and returns them.
 * They are due when the visitor pauses, and at the end of that time at the latest.
 */
export const rescheduleAmended = ({ accountId, db }: AccountScope, feedbackId: string, { at, within, pause }: Addition): Promise<Alert[]> =>
  db
    .update(alerts)
    .set({ due: sql`least(${alerts.notified} + ${within} * interval '1 ms', ${new Date(at + pause).toISOString()}::timestamptz)` })
    .where(
      and(
        eq(alerts.accountId, accountId),
        eq(alerts.feedbackId, feedbackId),
        isNotNull(alerts.due),
        gt(alerts.notified, new Date(at - within)),
      ),
    )
    .returning();

export async function change({ accountId, db }: AccountScope, { feedbackId, userId }: Alert, changes: Partial<Alert>): Promise<void> {
  await db
    .update(alerts)
    .set(changes)
    .where(and(isOf(accountId, userId), eq(alerts.feedbackId, feedbackId)));
}

const isOf = (accountId: string, userId: string): SQL | undefined => and(eq(alerts.accountId, accountId), eq(alerts.userId, userId));

/* ── What a digest contains ── */

const isDeferredAndDue = ({ accountId, now }: AccountScope, userId: string): SQL | undefined =>
  and(isOf(accountId, userId), isNotNull(alerts.waitsFor), lte(alerts.due, now));

/** Returns the properties of a person's deferred alerts that are due. */
export async function deferredProperties(scope: AccountScope, userId: string): Promise<string[]> {
  const rows = await scope.db.selectDistinct({ propertyId: alerts.propertyId }).from(alerts).where(isDeferredAndDue(scope, userId));
  return rows.map(({ propertyId }) => propertyId);
}

/** Defers a person's deferred alerts of a property that are due again. */
export async function defer(
  scope: AccountScope,
  { userId, propertyId, ...deferral }: { userId: string; propertyId: string } & Pick<Alert, 'waitsFor' | 'due'>,
): Promise<void> {
  await scope.db
    .update(alerts)
    .set(deferral)
    .where(and(isDeferredAndDue(scope, userId), eq(alerts.propertyId, propertyId)));
}

/** Returns some of a person's deferred alerts that are due, after a feedback item, oldest feedback first. */
export const deferred = (
  scope: AccountScope,
  userId: string,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<Alert[]> =>
  scope.db
    .select()
    .from(alerts)
    .where(and(isDeferredAndDue(scope, userId), gt(alerts.feedbackId, after)))
    .orderBy(asc(alerts.feedbackId))
    .limit(most);

/** Ends a person's deferred alerts, each with its result. */
export async function endDeferred(
  { accountId, db, now }: AccountScope,
  userId: string,
  results: readonly (AlertResult & Pick<Alert, 'feedbackId'>)[],
): Promise<void> {
  const notified = sql`case when ended.result = 'sent-in-digest' then ${now.toISOString()}::timestamptz end`;
  await db
    .update(alerts)
    .set({ result: sql`ended.result`, openedBy: sql`ended."openedBy"`, notified, due: null, waitsFor: null })
    .from(sql`json_to_recordset(${JSON.stringify(results)}::json) as ended ("feedbackId" text, result text, "openedBy" text)`)
    .where(and(isOf(accountId, userId), sql`${alerts.feedbackId} = ended."feedbackId"`));
}

/** Stores the digest in which a person's alerts were just sent. */
export async function setDigest({ accountId, db, now }: AccountScope, userId: string, digestId: string): Promise<void> {
  await db
    .update(alerts)
    .set({ digestId })
    .where(and(isOf(accountId, userId), eq(alerts.notified, now), eq(alerts.result, 'sent-in-digest')));
}

/** Replaces a digest by another mail, or by none. */
export async function replaceDigest({ accountId, db }: AccountScope, before: string, digestId: string | null): Promise<void> {
  await db
    .update(alerts)
    .set({ digestId })
    .where(and(eq(alerts.accountId, accountId), eq(alerts.digestId, before)));
}

/** Returns the alerts in a digest, oldest feedback first. */
export const ofDigest = ({ accountId, db }: AccountScope, digestId: string): Promise<Alert[]> =>
  db
    .select()
    .from(alerts)
    .where(and(eq(alerts.accountId, accountId), eq(alerts.digestId, digestId)))
    .orderBy(asc(alerts.feedbackId));

/* ── For the watch and the upkeep, in every account ── */

/** Returns the people with due alerts. */
export const dueRecipients = ({ db, now }: OperatorScope): Promise<{ accountId: string; userId: string }[]> =>
  db
    .selectDistinct({ accountId: alerts.accountId, userId: alerts.userId })
    .from(alerts)
    .where(and(lte(alerts.due, now), isNotDeleted(alerts.accountId)))
    .limit(MOST_AT_ONCE);

/** Deletes old alerts that need no further delivery. */
export const deleteBefore = ({ db }: OperatorScope, moment: Date): Promise<number> =>
  deleteSome(db, alerts, and(isNull(alerts.due), lt(alerts.created, moment)));
