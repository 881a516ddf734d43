import { and, asc, count, desc, eq, exists, gt, gte, inArray, isNotNull, isNull, lt, lte, min, ne, not, type SQL, sql } from 'drizzle-orm';
import { pageOf } from '#contract/core/pagination.ts';
import { DAY } from '#contract/core/time.ts';
import { FAILURE_WINDOW } from '#contract/notification/delivery.ts';
import {
  hostOfWebhook,
  TEST_EVENT,
  type Webhook,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookDeliveryStatus,
  type WebhookEvent,
} from '#contract/webhook/webhook.ts';
import { deleteSome, updateSome } from '../platform/database/batches.ts';
import { createdCursor, olderThan } from '../platform/database/pages.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { webhookDeliveries as deliveries, webhooks } from './tables.ts';

type WebhookRow = typeof webhooks.$inferSelect;
type DeliveryRow = typeof deliveries.$inferSelect;
type GivenWebhook = Pick<WebhookRow, 'url' | 'description' | 'events' | 'propertyIds' | 'format' | 'isFull'>;

/** Oldest first. */
export async function all(scope: AccountScope): Promise<Webhook[]> {
  const rows = await scope.db.select().from(webhooks).where(standing(scope)).orderBy(asc(webhooks.created), asc(webhooks.id));
  return rows.map((row) => record(row, scope.now));
}

export async function byId(scope: AccountScope, id: string): Promise<Webhook | undefined> {
  const [row] = await scope.db.select().from(webhooks).where(standing(scope, id));
  return row && record(row, scope.now);
}

export async function countOf(scope: AccountScope): Promise<number> {
  return scope.db.$count(webhooks, standing(scope));
}

export async function insert(scope: AccountScope, row: GivenWebhook & Pick<WebhookRow, 'id' | 'secret'>): Promise<Webhook> {
  const { accountId, db, now, actor } = scope;
  const [stored] = await db
    .insert(webhooks)
    .values({ ...row, accountId, isOn: true, created: now, createdBy: actor })
    .returning();
  if (!stored) throw new Error('The webhook was not stored');
  return record(stored, now);
}

/** Writes a webhook's settings. What was noted of its failures goes where the record has none. */
export async function change(scope: AccountScope, { id, data }: Webhook): Promise<Webhook | undefined> {
  const { url, description, events, propertyIds, format, isFull, isOn, isGone = false } = data;
  const given = { url, description, events, propertyIds, format, isFull, isOn, isGone };
  return changed(scope, id, { ...given, ...(data.failingSince === undefined && WELL) });
}

const WELL = { failingSince: null, warned: null };

/** Marks a webhook as deleted, once. */
export function remove(scope: AccountScope, id: string): Promise<Webhook | undefined> {
  return changed(scope, id, { deleted: scope.now, deletedBy: scope.actor });
}

/** What the caller deleted, no earlier than that moment. */
export async function deletedById({ accountId, db, actor, now }: AccountScope, id: string, since: Date): Promise<Webhook | undefined> {
  const isTheirs = [eq(webhooks.accountId, accountId), eq(webhooks.id, id), eq(webhooks.deletedBy, actor)];
  const [row] = await db
    .select()
    .from(webhooks)
    .where(and(...isTheirs, gte(webhooks.deleted, since)));
  return row && record(row, now);
}

export async function restore({ accountId, db, now }: AccountScope, id: string): Promise<Webhook | undefined> {
  const isIt = and(eq(webhooks.accountId, accountId), eq(webhooks.id, id));
  const [row] = await db.update(webhooks).set({ deleted: null, deletedBy: null }).where(isIt).returning();
  return row && record(row, now);
}

/** The sealed secret. */
export async function secretOf(scope: AccountScope, id: string): Promise<Buffer | undefined> {
  const [row] = await scope.db.select({ secret: webhooks.secret }).from(webhooks).where(standing(scope, id));
  return row?.secret;
}

/** Puts a sealed secret in the place of the one before, which signs beside it until then. */
export function rotate(
  scope: AccountScope,
  id: string,
  { secret, until }: { readonly secret: Buffer; readonly until: Date },
): Promise<Webhook | undefined> {
  return changed(scope, id, { secret, previous: sql`${webhooks.secret}`, previousUntil: until });
}

type WebhookChanges = { readonly [Column in keyof WebhookRow]?: WebhookRow[Column] | SQL };

async function changed(scope: AccountScope, id: string, changes: WebhookChanges): Promise<Webhook | undefined> {
  const [row] = await scope.db.update(webhooks).set(changes).where(standing(scope, id)).returning();
  return row && record(row, scope.now);
}

/* ── What is to be sent ── */

/** Which of these accounts have a webhook that is on. */
export async function accountsWithWebhooks({ db }: OperatorScope, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectDistinct({ accountId: webhooks.accountId })
    .from(webhooks)
    .where(and(inArray(webhooks.accountId, [...accountIds]), webhooks.isOn, isNull(webhooks.deleted)));
  return new Set(rows.map(({ accountId }) => accountId));
}

/** The ids of the webhooks that hear of such an event at a property. */
export async function hearing(scope: AccountScope, type: WebhookEvent, propertyId: string): Promise<string[]> {
  const hears = [
    sql`${type} = any (${webhooks.events})`,
    sql`(${webhooks.propertyIds} is null or ${propertyId} = any (${webhooks.propertyIds}))`,
  ];
  const rows = await scope.db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(standing(scope), webhooks.isOn, ...hears));
  return rows.map(({ id }) => id);
}

type NewWebhookDelivery = Pick<DeliveryRow, 'id' | 'webhookId' | 'cause' | 'type' | 'eventId'>;

/** Adds deliveries that are due now. What was written before stays as it is. */
export async function addDeliveries({ accountId, db, now }: AccountScope, rows: readonly NewWebhookDelivery[]): Promise<WebhookDelivery[]> {
  const waiting = rows.map((row) => ({ ...row, accountId, status: 'waiting' as const, due: now, created: now }));
  const stored = await db.insert(deliveries).values(waiting).onConflictDoNothing().returning();
  return stored.map(deliveryRecord);
}

export interface DeliveriesQuery {
  readonly status?: WebhookDeliveryStatus | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** What was sent to a webhook or is to be, newest first. */
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

/** Has a delivery that is over sent again from the first try on, with its id. Gives back how many that were. */
export async function replay({ accountId, db, now }: AccountScope, webhookId: string, id: string): Promise<number> {
  const isOver = inArray(deliveries.status, ['delivered', 'failed']);
  const { rowCount } = await db
    .update(deliveries)
    .set(again(now))
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.webhookId, webhookId), eq(deliveries.id, id), isOver));
  return rowCount ?? 0;
}

const again = (now: Date) => ({ status: 'waiting', due: now, isUnderWay: false, tries: 0 }) as const;

/** Deliveries that failed and were written since a moment; where `before` is given, whose last try was begun before. */
export interface FailedQuery {
  readonly webhookId: string;
  readonly since: Date;
  readonly before?: Date;
}

export const countFailedOf = (scope: AccountScope, which: FailedQuery): Promise<number> =>
  scope.db.$count(deliveries, isFailed(scope, which));

/** Has some of them sent again, with their ids. Gives back how many. */
export const replaySome = (scope: AccountScope, which: FailedQuery): Promise<number> =>
  updateSome(scope.db, deliveries, { set: again(scope.now), of: isFailed(scope, which) });

const isFailed = ({ accountId }: AccountScope, { webhookId, since, before }: FailedQuery): SQL | undefined =>
  and(
    eq(deliveries.accountId, accountId),
    eq(deliveries.webhookId, webhookId),
    eq(deliveries.status, 'failed'),
    gte(deliveries.created, since),
    before && sql`${LAST_TRIED} <= ${before.getTime()}`,
  );

/** When its last try was begun, or it was written where there was none (UTC ms). */
const LAST_TRIED = sql`coalesce((${deliveries.attempts} -> -1 ->> 'at')::float8, extract(epoch from ${deliveries.created}) * 1000)`;

/* ── For the courier ── */

/** A delivery of any account. */
export interface DueDelivery {
  readonly accountId: string;
  readonly webhookId: string;
  readonly id: string;
  /** Whether nothing has arrived at its webhook lately. */
  readonly isFailing: boolean;
}

export interface DueQuery {
  /** What has as much under way as it may: ids of webhooks and of accounts, and whether that is so of all that fail together. */
  readonly busy: { readonly webhooks: readonly string[]; readonly accounts: readonly string[]; readonly failing: boolean };
  /** Of one webhook, and in all. */
  readonly each: number;
  readonly most: number;
}

/** Deliveries of all accounts that are due, longest first, some of each webhook that is on. */
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
    .where(and(webhooks.isOn, isNull(webhooks.deleted), ...isIdle))
    .orderBy(asc(next.due))
    .limit(most);
}

/** A delivery that is being tried, with what signing and addressing take. */
export interface TakenDelivery extends Pick<DeliveryRow, 'id' | 'type' | 'eventId' | 'tries' | 'created'> {
  readonly webhook: WebhookRow;
}

interface TakeOptions {
  /** It's put off until then, unless it's settled earlier. */
  readonly until: Date;
  /** Whether a process that ended had taken it. */
  readonly isCutOff: boolean;
}

/** Takes a delivery that is due and returns it; undefined where another process was faster, it is over, or it was cut off. */
export async function take(
  { accountId, db, now }: AccountScope,
  id: string,
  { until, isCutOff }: TakeOptions,
): Promise<TakenDelivery | undefined> {
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

/** Lets a delivery wait without counting a try. */
export async function putOff(scope: AccountScope, id: string, until: Date): Promise<void> {
  await scope.db.update(deliveries).set({ due: until, isUnderWay: false }).where(waiting(scope, id));
}

/** A delivery after a try. */
interface Tried {
  readonly attempt: WebhookAttempt;
  readonly status: WebhookDeliveryStatus;
  readonly due?: Date | undefined;
}

export async function addAttempt(scope: AccountScope, id: string, { attempt, status, due: next }: Tried): Promise<void> {
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

/** Forgets a delivery: what it would tell is not there any more. */
export async function drop({ accountId, db }: AccountScope, id: string): Promise<void> {
  await db.delete(deliveries).where(and(eq(deliveries.accountId, accountId), eq(deliveries.id, id)));
}

/** Notes that something arrived. */
export async function markWell({ accountId, db }: AccountScope, id: string): Promise<void> {
  const isFailing = sql`${webhooks.failingSince} is not null`;
  await db
    .update(webhooks)
    .set(WELL)
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.id, id), isFailing));
}

/** Notes since when nothing arrives. */
export async function markFailing({ accountId, db, now }: AccountScope, id: string): Promise<void> {
  await db
    .update(webhooks)
    .set({ failingSince: now })
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.id, id), isNull(webhooks.failingSince)));
}

/** Notes that the admins are told; false where they were, since something arrived. */
export async function markWarned({ accountId, db, now }: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await db
    .update(webhooks)
    .set({ warned: now })
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.id, id), isNull(webhooks.warned)));
  return rowCount === 1;
}

/** Turns a webhook off whose receiver is gone. False where it was off. */
export async function markGone({ accountId, db }: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await db
    .update(webhooks)
    .set({ isOn: false, isGone: true })
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.id, id), webhooks.isOn));
  return rowCount === 1;
}

/** Gives up some of what waits for a webhook; gives back how many. */
export const giveUpSome = ({ accountId, db }: AccountScope, webhookId: string): Promise<number> =>
  updateSome(db, deliveries, {
    set: { status: 'failed' },
    of: and(eq(deliveries.accountId, accountId), eq(deliveries.webhookId, webhookId), eq(deliveries.status, 'waiting')),
  });

/** Deletes some of the account's deliveries for good; gives back how many. For an account that is purged. */
export const forget = ({ accountId, db }: AccountScope): Promise<number> => deleteSome(db, deliveries, eq(deliveries.accountId, accountId));

/** Deletes for good deliveries that are older. */
export const forgetDeliveries = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, deliveries, lt(deliveries.created, before));

/** Deletes for good some of what was sent to a webhook that was deleted before; 0 where there is nothing of any. */
export async function forgetSentToDeleted({ db }: OperatorScope, before: Date): Promise<number> {
  const [webhook] = await db
    .select({ accountId: webhooks.accountId, id: webhooks.id })
    .from(webhooks)
    .where(and(lt(webhooks.deleted, before), hasDeliveries(db)))
    .limit(1);
  if (!webhook) return 0;
  return deleteSome(db, deliveries, and(eq(deliveries.accountId, webhook.accountId), eq(deliveries.webhookId, webhook.id)));
}

/** Deletes for good webhooks that were deleted before, once nothing is left of what was sent to them. */
export const forgetDeleted = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, webhooks, and(lt(webhooks.deleted, before), not(hasDeliveries(db))));

const hasDeliveries = (db: OperatorScope['db']): SQL =>
  exists(
    db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(and(eq(deliveries.accountId, webhooks.accountId), eq(deliveries.webhookId, webhooks.id))),
  );

/* ── For whoever runs the installation ── */

/** How the webhooks of all accounts are doing. */
export interface WebhooksHealth {
  /** Deliveries that wait for a webhook that is on, and since when the oldest does. */
  readonly waiting: number;
  readonly oldest: Date | undefined;
  /** Deliveries that were given up lately; a test that an admin sent is not among them. */
  readonly failed: number;
  /** Webhooks that are on and that nothing arrives at, and those that a receiver turned off (410). */
  readonly failing: number;
  readonly gone: number;
  /** Where nothing arrives, that of the most webhooks first. */
  readonly hosts: readonly { readonly host: string; readonly webhooks: number; readonly since: Date }[];
}

/** The most hosts that are told of. */
const MOST_HOSTS = 20;

export async function health(scope: OperatorScope): Promise<WebhooksHealth> {
  const { hosts, failing } = await failingHosts(scope);
  const gone = await scope.db.$count(webhooks, and(webhooks.isGone, isNull(webhooks.deleted)));
  return { ...(await queueHealth(scope)), failed: await countFailed(scope), failing, gone, hosts: hosts.slice(0, MOST_HOSTS) };
}

async function queueHealth({ db }: OperatorScope): Promise<Pick<WebhooksHealth, 'waiting' | 'oldest'>> {
  const isOf = and(eq(deliveries.accountId, webhooks.accountId), eq(deliveries.webhookId, webhooks.id));
  const [queue] = await db
    .select({ waiting: count(), oldest: min(deliveries.created) })
    .from(deliveries)
    .innerJoin(webhooks, isOf)
    .where(and(eq(deliveries.status, 'waiting'), webhooks.isOn, isNull(webhooks.deleted)));
  return { waiting: queue?.waiting ?? 0, oldest: queue?.oldest ?? undefined };
}

/** Of what was written within a week: tries last three days, and no index leads to what failed. */
async function countFailed({ db, now }: OperatorScope): Promise<number> {
  const isRecent = gt(deliveries.created, new Date(now.getTime() - LOOKED_THROUGH));
  const isLate = sql`${LAST_TRIED} > ${now.getTime() - FAILURE_WINDOW}`;
  return db.$count(deliveries, and(isRecent, eq(deliveries.status, 'failed'), ne(deliveries.type, TEST_EVENT), isLate));
}

const LOOKED_THROUGH = 7 * DAY;

async function failingHosts({ db }: OperatorScope): Promise<Pick<WebhooksHealth, 'hosts' | 'failing'>> {
  const rows = await db
    .select({ url: webhooks.url, failingSince: webhooks.failingSince })
    .from(webhooks)
    .where(and(isNotNull(webhooks.failingSince), webhooks.isOn, isNull(webhooks.deleted)))
    .orderBy(asc(webhooks.failingSince));
  const byHost = new Map<string, WebhooksHealth['hosts'][number]>();
  for (const { url, failingSince } of rows) {
    const host = hostOfWebhook(url).toLowerCase();
    const { webhooks: others = 0, since = failingSince as Date } = byHost.get(host) ?? {};
    byHost.set(host, { host, webhooks: others + 1, since });
  }
  return { failing: rows.length, hosts: [...byHost.values()].sort((a, b) => b.webhooks - a.webhooks) };
}

const standing = ({ accountId }: AccountScope, id?: string): SQL | undefined =>
  and(eq(webhooks.accountId, accountId), isNull(webhooks.deleted), id === undefined ? undefined : eq(webhooks.id, id));

const record = (row: WebhookRow, now: Date): Webhook => ({
  id: row.id,
  sk: 'WEBHOOK',
  gs1sk: row.accountId,
  data: {
    accountId: row.accountId,
    url: row.url,
    description: row.description,
    events: row.events,
    propertyIds: row.propertyIds,
    format: row.format,
    isFull: row.isFull,
    isOn: row.isOn,
    ...(row.isGone && { isGone: true as const }),
    ...(row.failingSince && { failingSince: row.failingSince.getTime() }),
    ...(row.previousUntil && row.previousUntil > now && { rotatingUntil: row.previousUntil.getTime() }),
    created: row.created.getTime(),
    createdBy: row.createdBy,
  },
});

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
