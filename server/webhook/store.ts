import { and, asc, eq, gte, inArray, isNull, lt, not, type SQL, sql } from 'drizzle-orm';
import type { Webhook } from '#contract/webhook/webhook.ts';
import { deleteSome } from '../platform/database/batches.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { hasDeliveries, NOT_FAILING } from './delivery-store.ts';
import { webhooks } from './tables.ts';

export { purge } from './delivery-store.ts';

type WebhookRow = typeof webhooks.$inferSelect;
type WebhookSettings = Pick<WebhookRow, 'url' | 'description' | 'events' | 'propertyIds' | 'format' | 'language' | 'isFull'>;

/** Returns the account's webhooks, oldest first. */
export async function all(scope: AccountScope): Promise<Webhook[]> {
  const rows = await scope.db.select().from(webhooks).where(notDeleted(scope)).orderBy(asc(webhooks.created), asc(webhooks.id));
  return rows.map((row) => record(row, scope.now));
}

export async function byId(scope: AccountScope, id: string): Promise<Webhook | undefined> {
  const [row] = await scope.db.select().from(webhooks).where(notDeleted(scope, id));
  return row && record(row, scope.now);
}

/** Returns a webhook, locked until the transaction ends. */
export async function lock(scope: AccountScope, id: string): Promise<Webhook | undefined> {
  const [row] = await scope.db.select().from(webhooks).where(notDeleted(scope, id)).for('no key update');
  return row && record(row, scope.now);
}

export async function countOf(scope: AccountScope): Promise<number> {
  return scope.db.$count(webhooks, notDeleted(scope));
}

export async function insert(scope: AccountScope, row: WebhookSettings & Pick<WebhookRow, 'id' | 'secret'>): Promise<Webhook> {
  const { accountId, db, now, actor } = scope;
  const [stored] = await db
    .insert(webhooks)
    .values({ ...row, accountId, isOn: true, created: now, createdBy: actor })
    .returning();
  if (!stored) throw new Error('The webhook was not stored');
  return record(stored, now);
}

/** Stores a webhook's settings. Clears its failures if the record has none. */
export async function change(scope: AccountScope, { id, data }: Webhook): Promise<Webhook | undefined> {
  const { url, description, events, propertyIds, format, language, isFull, isOn, isGone = false } = data;
  const settings = { url, description, events, propertyIds, format, language, isFull, isOn, isGone };
  return update(scope, id, { ...settings, ...(data.failingSince === undefined && NOT_FAILING) });
}

/** Marks a webhook as deleted. Returns undefined if it already was. */
export function remove(scope: AccountScope, id: string): Promise<Webhook | undefined> {
  return update(scope, id, { deleted: scope.now, deletedBy: scope.actor });
}

/** Returns a webhook that the caller deleted after a time. */
export async function deletedById({ accountId, db, actor, now }: AccountScope, id: string, since: Date): Promise<Webhook | undefined> {
  const isDeletedByCaller = [eq(webhooks.accountId, accountId), eq(webhooks.id, id), eq(webhooks.deletedBy, actor)];
  const [row] = await db
    .select()
    .from(webhooks)
    .where(and(...isDeletedByCaller, gte(webhooks.deleted, since)));
  return row && record(row, now);
}

export async function restore({ accountId, db, now }: AccountScope, id: string): Promise<Webhook | undefined> {
  const isIt = and(eq(webhooks.accountId, accountId), eq(webhooks.id, id));
  const [row] = await db.update(webhooks).set({ deleted: null, deletedBy: null }).where(isIt).returning();
  return row && record(row, now);
}

/** Returns the encrypted secret. */
export async function secretOf(scope: AccountScope, id: string): Promise<Buffer | undefined> {
  const [row] = await scope.db.select({ secret: webhooks.secret }).from(webhooks).where(notDeleted(scope, id));
  return row?.secret;
}

/** Replaces the encrypted secret. The previous one also signs until `until`. */
export function rotate(
  scope: AccountScope,
  id: string,
  { secret, until }: { readonly secret: Buffer; readonly until: Date },
): Promise<Webhook | undefined> {
  return update(scope, id, { secret, previous: sql`${webhooks.secret}`, previousUntil: until });
}

type WebhookChanges = { readonly [Column in keyof WebhookRow]?: WebhookRow[Column] | SQL };

async function update(scope: AccountScope, id: string, changes: WebhookChanges): Promise<Webhook | undefined> {
  const [row] = await scope.db.update(webhooks).set(changes).where(notDeleted(scope, id)).returning();
  return row && record(row, scope.now);
}

/** Returns the accounts that have a webhook that is on. */
export async function accountsWithWebhooks({ db }: OperatorScope, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectDistinct({ accountId: webhooks.accountId })
    .from(webhooks)
    .where(and(inArray(webhooks.accountId, [...accountIds]), webhooks.isOn, isNull(webhooks.deleted)));
  return new Set(rows.map(({ accountId }) => accountId));
}

/** Returns the webhooks that are on, and which events they get. */
export function subscriptions(scope: AccountScope): Promise<Pick<WebhookRow, 'id' | 'events' | 'propertyIds'>[]> {
  const { id, events, propertyIds } = webhooks;
  return scope.db
    .select({ id, events, propertyIds })
    .from(webhooks)
    .where(and(notDeleted(scope), webhooks.isOn));
}

/** Permanently deletes webhooks that were deleted before and have no deliveries left. */
export const purgeDeleted = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, webhooks, and(lt(webhooks.deleted, before), not(hasDeliveries(db))));

const notDeleted = ({ accountId }: AccountScope, id?: string): SQL | undefined =>
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
    language: row.language,
    isFull: row.isFull,
    isOn: row.isOn,
    ...(row.isGone && { isGone: true as const }),
    ...(row.failingSince && { failingSince: row.failingSince.getTime() }),
    ...(row.previousUntil && row.previousUntil > now && { rotatingUntil: row.previousUntil.getTime() }),
    created: row.created.getTime(),
    createdBy: row.createdBy,
  },
});
