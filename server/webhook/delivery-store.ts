import { and, asc, desc, eq, exists, gte, inArray, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import { pageOf } from '#contract/core/pagination.ts';
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus } from '#contract/webhook/webhook.ts';
import { isNotDeleted } from '../account/store.ts';
import { deleteSome, purging, updateSome } from '../platform/database/batches.ts';
import { createdCursor, olderThan } from '../platform/database/pages.ts';
import { rowsToInsert } from '../platform/database/rows.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { webhookDeliveries as deliveries, webhooks } from './tables.ts';

/* Messages to webhooks, and which webhooks are failing. */

type DeliveryRow = typeof deliveries.$inferSelect;

type NewWebhookDelivery = Pick<DeliveryRow, 'id' | 'webhookId' | 'cause' | 'type' | 'eventId'>;

/** Adds deliveries that are due now. Existing ones don't change. */
export async function addDeliveries({ accountId, db, now }: AccountScope, rows: readonly NewWebhookDelivery[]): Promise<WebhookDelivery[]> {
  const isNew = { accountId, status: 'waiting', due: now, created: now, isUnderWay: false, tries: 0, attempts: [] } as const;
  const waiting = rowsToInsert(
    deliveries,
    rows.map((row) => ({ ...row, ...isNew })),
  );
  const stored = await db.insert(deliveries).select(waiting).onConflictDoNothing().returning();
  return stored.map(deliveryRecord);
}

interface DeliveriesQuery {
  readonly status?: WebhookDeliveryStatus | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Returns a page of a webhook's deliveries, newest first. */
export async function list(
  { accountId, db }: AccountScope,
  webhookId: string,
  { status, cursor, limit }: DeliveriesQuery,
): Promise<{ deliveries: WebhookDelivery[]; cursor: string | null }> {
  const isOf = and(eq(deliveries.accountId, accountId), eq(deliveries.webhookId, webhookId));
  const rows = await db
    .select()
    .from(deliveries)
    .where(and(isOf, status && eq(deliveries.status, status), olderThan(deliveries, cursor)))
    .orderBy(desc(deliveries.created), desc(deliveries.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, createdCursor);
  return { deliveries: page.rows.map(deliveryRecord), cursor: page.cursor };
}

/** Queues a finished delivery again, with its id and new attempts. Returns 1, or 0 if there is none. */
export async function replay({ accountId, db, now }: AccountScope, webhookId: string, id: string): Promise<number> {
  const isFinished = inArray(deliveries.status, ['delivered', 'failed']);
  const { rowCount } = await db
    .update(deliveries)
    .set(requeued(now))
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.webhookId, webhookId), eq(deliveries.id, id), isFinished));
  return rowCount ?? 0;
}

const requeued = (now: Date) => ({ status: 'waiting', due: now, isUnderWay: false, tries: 0 }) as const;

/** Failed deliveries created after `since`; with `before`, only those whose last attempt began before that. */
interface FailedQuery {
  readonly webhookId: string;
  readonly since: Date;
  readonly before?: Date;
}

export const countFailedOf = (scope: AccountScope, query: FailedQuery): Promise<number> =>
  scope.db.$count(deliveries, isFailed(scope, query));

/** Queues a batch of failed deliveries again, with their ids. Returns how many. */
export const replayBatch = (scope: AccountScope, query: FailedQuery): Promise<number> =>
  updateSome(scope.db, deliveries, { set: requeued(scope.now), of: isFailed(scope, query) });

const isFailed = ({ accountId }: AccountScope, { webhookId, since, before }: FailedQuery): SQL | undefined =>
  and(
    eq(deliveries.accountId, accountId),
    eq(deliveries.webhookId, webhookId),
    eq(deliveries.status, 'failed'),
    gte(deliveries.created, since),
    before && sql`${LAST_TRIED} <= ${before.getTime()}`,
  );

/** When the last attempt began, or without one, when the delivery was created (UTC ms). */
export const LAST_TRIED = sql`coalesce((${deliveries.attempts} -> -1 ->> 'at')::float8, extract(epoch from ${deliveries.created}) * 1000)`;

/* ── For the courier ── */

/** A delivery of any account. */
export interface DueDelivery {
  readonly accountId: string;
  readonly webhookId: string;
  readonly id: string;
  /** Whether its webhook is failing. */
  readonly isFailing: boolean;
}

export interface DueQuery {
  /** The webhooks and accounts at their limits, and whether failing webhooks together are. */
  readonly busy: { readonly webhooks: readonly string[]; readonly accounts: readonly string[]; readonly failing: boolean };
  /** Limits per webhook and in total. */
  readonly each: number;
  readonly most: number;
}

/** Returns due deliveries, the longest due first, a few for each webhook that is on. Those of a deleted account wait for its restoration. */
export function due({ db, now }: OperatorScope, { busy, each, most }: DueQuery): Promise<DueDelivery[]> {
  const next = db
    .select({ id: deliveries.id, due: deliveries.due })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.accountId, webhooks.accountId),
        eq(deliveries.webhookId, webhooks.id),
        eq(deliveries.status, 'waiting'),
        lte(deliveries.due, now),
      ),
    )
    .orderBy(asc(deliveries.due))
    .limit(each)
    .as('next');
  const isIdle = [
    sql`${webhooks.id} <> all (${sql.param(busy.webhooks)}::text[])`,
    sql`${webhooks.accountId} <> all (${sql.param(busy.accounts)}::text[])`,
    busy.failing ? isNull(webhooks.failingSince) : undefined,
  ];
  return db
    .select({
      accountId: webhooks.accountId,
      webhookId: webhooks.id,
      id: next.id,
      isFailing: sql<boolean>`${webhooks.failingSince} is not null`,
    })
    .from(webhooks)
    .innerJoinLateral(next, sql`true`)
    .where(and(webhooks.isOn, isNull(webhooks.deleted), isNotDeleted(webhooks.accountId), ...isIdle))
    .orderBy(asc(next.due))
    .limit(most);
}

/** A reserved delivery with its webhook. */
export interface ReservedDelivery extends Pick<DeliveryRow, 'id' | 'type' | 'eventId' | 'tries' | 'created'> {
  readonly webhook: typeof webhooks.$inferSelect;
}

interface ReserveOptions {
  /** The reservation's end, unless the result is stored earlier. */
  readonly until: Date;
  /** Whether a process that died had reserved it. */
  readonly isCutOff: boolean;
}

/** Reserves a due delivery. Returns undefined if another process was faster or it is finished. */
export async function reserve(
  { accountId, db, now }: AccountScope,
  id: string,
  { until, isCutOff }: ReserveOptions,
): Promise<ReservedDelivery | undefined> {
  const isDue = [eq(deliveries.status, 'waiting'), lte(deliveries.due, now), eq(deliveries.isUnderWay, isCutOff)];
  const [row] = await db
    .update(deliveries)
    .set({ due: until, isUnderWay: true })
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.id, id), ...isDue))
    .returning();
  if (!row) return undefined;
  const [hook] = await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.id, row.webhookId)));
  return hook && { ...row, webhook: hook };
}

/** Postpones a delivery without counting an attempt. */
export async function postpone(scope: AccountScope, id: string, until: Date): Promise<void> {
  await scope.db.update(deliveries).set({ due: until, isUnderWay: false }).where(waiting(scope, id));
}

/** The result of an attempt. */
interface AttemptResult {
  readonly attempt: WebhookAttempt;
  readonly status: WebhookDeliveryStatus;
  readonly due?: Date | undefined;
}

export async function addAttempt(scope: AccountScope, id: string, { attempt, status, due: next }: AttemptResult): Promise<void> {
  await scope.db
    .update(deliveries)
    .set({
      status,
      isUnderWay: false,
      tries: sql`${deliveries.tries} + 1`,
      attempts: sql`${deliveries.attempts} || ${JSON.stringify([attempt])}::jsonb`,
      ...(next && { due: next }),
    })
    .where(waiting(scope, id));
}

const waiting = ({ accountId }: AccountScope, id: string): SQL | undefined =>
  and(eq(deliveries.accountId, accountId), eq(deliveries.id, id), eq(deliveries.status, 'waiting'));

/** Deletes a delivery whose content no longer exists. */
export async function deleteDelivery({ accountId, db }: AccountScope, id: string): Promise<void> {
  await db.delete(deliveries).where(and(eq(deliveries.accountId, accountId), eq(deliveries.id, id)));
}

export const NOT_FAILING = { failingSince: null, warned: null };

/** Marks a webhook as no longer failing. */
export async function clearFailing({ accountId, db }: AccountScope, id: string): Promise<void> {
  const isFailing = sql`${webhooks.failingSince} is not null`;
  await db
    .update(webhooks)
    .set(NOT_FAILING)
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.id, id), isFailing));
}

/** Stores since when a webhook is failing. */
export async function markFailing({ accountId, db, now }: AccountScope, id: string): Promise<void> {
  await db
    .update(webhooks)
    .set({ failingSince: now })
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.id, id), isNull(webhooks.failingSince)));
}

/** Stores that admins were notified. Returns false if they already were since the last success. */
export async function markWarned({ accountId, db, now }: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await db
    .update(webhooks)
    .set({ warned: now })
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.id, id), isNull(webhooks.warned)));
  return rowCount === 1;
}

/** Turns off a webhook whose receiver is gone. Returns false if it was off. */
export async function markGone({ accountId, db }: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await db
    .update(webhooks)
    .set({ isOn: false, isGone: true })
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.id, id), webhooks.isOn));
  return rowCount === 1;
}

/** Gives up a batch of a webhook's waiting deliveries. Returns how many. */
export const giveUpBatch = ({ accountId, db }: AccountScope, webhookId: string): Promise<number> =>
  updateSome(db, deliveries, {
    set: { status: 'failed' },
    of: and(eq(deliveries.accountId, accountId), eq(deliveries.webhookId, webhookId), eq(deliveries.status, 'waiting')),
  });

/** Permanently deletes a purged account's deliveries. */
export const purge = purging(deliveries.accountId, deliveries.id);

/** Permanently deletes deliveries created before a time. */
export const deleteDeliveries = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, deliveries, lt(deliveries.created, before));

/** Permanently deletes a batch of deliveries to a webhook that was marked as deleted before a time. Returns 0 once none are left. */
export async function deleteSentToDeleted({ db }: OperatorScope, before: Date): Promise<number> {
  const [webhook] = await db
    .select({ accountId: webhooks.accountId, id: webhooks.id })
    .from(webhooks)
    .where(and(lt(webhooks.deleted, before), hasDeliveries(db)))
    .limit(1);
  if (!webhook) return 0;
  return deleteSome(db, deliveries, and(eq(deliveries.accountId, webhook.accountId), eq(deliveries.webhookId, webhook.id)));
}

/** SQL: whether a webhook has deliveries. */
export const hasDeliveries = (db: OperatorScope['db']): SQL =>
  exists(
    db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(and(eq(deliveries.accountId, webhooks.accountId), eq(deliveries.webhookId, webhooks.id))),
  );

const deliveryRecord = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  sk: 'WEBHOOKDELIVERY',
  gs1sk: row.webhookId,
  data: {
    created: row.created.getTime(),
    type: row.type,
    status: row.status,
    ...(row.status === 'waiting' && !row.isUnderWay && { next: row.due.getTime() }),
    attempts: [...row.attempts],
  },
});
