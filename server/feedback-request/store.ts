import { and, arrayContains, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Input } from '#contract/core/operation.ts';
import { pageOf } from '#contract/core/pagination.ts';
import type { FeedbackRequest, feedbackRequestOperations, RequestCounts, SkipReason } from '#contract/feedback-request/feedback-request.ts';
import { accounts, isNotDeleted } from '../account/store.ts';
import { deleteSome, purging } from '../platform/database/batches.ts';
import { containing, createdCursor, olderThan } from '../platform/database/pages.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { suppressionOf } from './suppression-store.ts';
import { feedbackRequests as requests, suppressions } from './tables.ts';

export { pageOfSuppressions } from './suppression-store.ts';

export type RequestRow = typeof requests.$inferSelect;

/* ── Adding and listing ── */

/** Stores requests, except to addresses that already wait, and returns the ids of the stored ones. */
export async function insert(
  { accountId, actor, db, now }: AccountScope,
  rows: readonly Omit<typeof requests.$inferInsert, 'accountId' | 'author' | 'created' | 'status'>[],
): Promise<string[]> {
  if (rows.length === 0) return [];
  const stored = await db
    .insert(requests)
    .values(rows.map((row) => ({ ...row, accountId, author: actor, created: now, status: 'waiting' as const })))
    .onConflictDoNothing()
    .returning({ id: requests.id });
  return stored.map(({ id }) => id);
}

/** Returns why some addresses can't be asked, by their hash in hexadecimal. `since` is the start of the gap. */
export async function skipReasons(
  { accountId, db }: AccountScope,
  hashes: readonly Buffer[],
  since: Date,
): Promise<ReadonlyMap<string, SkipReason>> {
  const previous = await db
    .select({ hash: requests.emailHash, status: requests.status })
    .from(requests)
    .where(and(eq(requests.accountId, accountId), inArray(requests.emailHash, [...hashes]), isAskedSince(since)));
  const matches = await db
    .select({ hash: suppressions.emailHash, reason: suppressions.reason })
    .from(suppressions)
    .where(and(eq(suppressions.accountId, accountId), inArray(suppressions.emailHash, [...hashes])));
  return new Map<string, SkipReason>([
    ...previous.map(({ hash, status }) => [hash.toString('hex'), status === 'waiting' ? 'waiting' : 'asked'] as const),
    ...matches.map(({ hash, reason }) => [hash.toString('hex'), reason] as const),
  ]);
}

const isAskedSince = (since: Date): SQL => sql`(${requests.status} = 'waiting' or ${requests.sent} > ${since})`;

export const countWaiting = ({ accountId, db }: AccountScope): Promise<number> =>
  db.$count(requests, and(eq(requests.accountId, accountId), eq(requests.status, 'waiting')));

/** Lists a property's requests, newest first, whose address or name contains the search text. */
export async function list(
  { accountId, db }: AccountScope,
  { propertyId, search, status, cursor, limit }: Input<typeof feedbackRequestOperations.list>,
): Promise<{ requests: FeedbackRequest[]; cursor: string | null }> {
  const rows = await db
    .select()
    .from(requests)
    .where(
      and(
        isOfProperty(accountId, propertyId),
        status === undefined ? undefined : eq(requests.status, status),
        containing(search, requests.email, requests.name),
        olderThan(requests, cursor),
      ),
    )
    .orderBy(desc(requests.created), desc(requests.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, createdCursor);
  return { requests: page.rows.map(record), cursor: page.cursor };
}

/** Counts a property's requests by status; those created or sent in a range of time, if there is one. */
export async function countByStatus(
  { accountId, db }: AccountScope,
  propertyId: string,
  sentIn?: { readonly from: number; readonly to: number },
): Promise<RequestCounts> {
  const { status, sent } = requests;
  const isWithin = sentIn && sql`${sent} >= ${new Date(sentIn.from)} and ${sent} < ${new Date(sentIn.to)}`;
  const rows = await db
    .select({ status, rows: sql<number>`count(*)::int`, mailed: sql<number>`count(${sent})::int` })
    .from(requests)
    .where(and(isOfProperty(accountId, propertyId), isWithin))
    .groupBy(status);
  const of = (wanted: RequestRow['status']): number => rows.find((row) => row.status === wanted)?.rows ?? 0;
  return {
    waiting: of('waiting'),
    sent: rows.reduce((sum, { mailed }) => sum + mailed, 0),
    answered: of('answered'),
    unsubscribed: of('unsubscribed'),
    bounced: of('bounced'),
    complained: of('complained'),
    skipped: of('skipped'),
  };
}

/** Cancels requests: deletes those that weren't sent, and clears the reminders of others. Returns how many it changed. */
export async function cancel({ accountId, db }: AccountScope, ids: readonly string[]): Promise<number> {
  const isOneOf = and(eq(requests.accountId, accountId), inArray(requests.id, [...ids]));
  const deleted = await db.delete(requests).where(and(isOneOf, eq(requests.status, 'waiting')));
  const cleared = await db
    .update(requests)
    .set({ due: null })
    .where(and(isOneOf, isNotNull(requests.due)));
  return (deleted.rowCount ?? 0) + (cleared.rowCount ?? 0);
}

/* ── Sending ── */

/** Returns the accounts that have due requests, the longest wait first. */
export async function accountsDue({ db, now }: OperatorScope): Promise<string[]> {
  const rows = await db
    .select({ accountId: requests.accountId })
    .from(requests)
    .where(and(lte(requests.due, now), isNotDeleted(requests.accountId)))
    .groupBy(requests.accountId)
    .orderBy(sql`min(${requests.due})`);
  return rows.map(({ accountId }) => accountId);
}

interface DueRequestsQuery {
  readonly most: number;
  /** The properties whose requests wait, unless they are late. */
  readonly pausedIds: readonly string[] | 'all';
  /** Requests due before this moment are late. */
  readonly late: Date;
}

/** Returns the ids of the account's due requests, the longest wait first. */
export async function due({ accountId, db, now }: AccountScope, { most, pausedIds, late }: DueRequestsQuery): Promise<string[]> {
  const isLate = lt(requests.due, late);
  const isReady = pausedIds === 'all' ? isLate : or(notInArray(requests.propertyId, [...pausedIds]), isLate);
  const rows = await db
    .select({ id: requests.id })
    .from(requests)
    .where(and(eq(requests.accountId, accountId), lte(requests.due, now), isReady))
    .orderBy(asc(requests.due), asc(requests.id))
    .limit(most);
  return rows.map(({ id }) => id);
}

/** Counts the account's emails since a time: requests and reminders. */
export async function countSentSince({ accountId, db }: AccountScope, since: Date): Promise<number> {
  const count = (sent: PgColumn): Promise<number> => db.$count(requests, and(eq(requests.accountId, accountId), gt(sent, since)));
  return (await count(requests.sent)) + (await count(requests.reminded));
}

/** Returns a request that is still due, locked until the transaction ends; undefined if it isn't, or another process sends it. */
export async function lockDue({ accountId, db, now }: AccountScope, id: string): Promise<RequestRow | undefined> {
  const [row] = await db
    .select()
    .from(requests)
    .where(and(isOf(accountId, id), lte(requests.due, now)))
    .for('no key update', { skipLocked: true });
  return row;
}

/** Returns whether another request to the address was sent since a time, or the address is suppressed. */
export async function isBlocked({ accountId, db }: AccountScope, { id, emailHash }: RequestRow, since: Date): Promise<boolean> {
  const count = await db.$count(
    requests,
    and(eq(requests.accountId, accountId), eq(requests.emailHash, emailHash), gt(requests.sent, since), sql`${requests.id} <> ${id}`),
  );
  return count > 0 || (await suppressionOf({ accountId, db }, emailHash)) !== undefined;
}

/** Changes a request. */
export async function change(
  { accountId, db }: AccountScope,
  id: string,
  changes: Partial<Pick<RequestRow, 'status' | 'due' | 'sent' | 'reminded' | 'keyHash' | 'deliveryIds'>>,
): Promise<void> {
  await db.update(requests).set(changes).where(isOf(accountId, id));
}

/* ── Results ── */

/** Marks the requests with these answers' keys as answered, and forgets the keys. Returns their properties. */
export async function markAnswered(
  { accountId, db, now }: AccountScope,
  keyHashes: readonly Buffer[],
): Promise<{ readonly id: string; readonly propertyId: string }[]> {
  return db
    .update(requests)
    .set({ status: 'answered', answered: now, due: null, keyHash: null })
    .where(and(eq(requests.accountId, accountId), inArray(requests.keyHash, [...keyHashes])))
    .returning({ id: requests.id, propertyId: requests.propertyId });
}

/** Ends a request that was sent and isn't answered. */
export async function end({ accountId, db }: AccountScope, id: string, status: 'unsubscribed' | 'bounced' | 'complained'): Promise<void> {
  await db
    .update(requests)
    .set({ status, due: null })
    .where(and(isOf(accountId, id), eq(requests.status, 'sent')));
}

/** Continues a request that its recipient had ended, without a reminder. */
export async function resume({ accountId, db }: AccountScope, id: string): Promise<void> {
  await db
    .update(requests)
    .set({ status: 'sent' })
    .where(and(isOf(accountId, id), eq(requests.status, 'unsubscribed')));
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<RequestRow | undefined> {
  const [row] = await db.select().from(requests).where(isOf(accountId, id));
  return row;
}

/** Returns the request that a delivery belongs to. */
export async function byDelivery({ accountId, db }: AccountScope, deliveryId: string): Promise<RequestRow | undefined> {
  const [row] = await db
    .select()
    .from(requests)
    .where(and(eq(requests.accountId, accountId), arrayContains(requests.deliveryIds, [deliveryId])));
  return row;
}

/** Returns the accounts among these with requests that can be answered. */
export async function accountsAsking({ db }: OperatorScope, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  const hasOpen = sql`exists (select from ${requests} where ${requests.accountId} = ${accounts.id} and ${requests.keyHash} is not null)`;
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(inArray(accounts.id, [...accountIds]), hasOpen));
  return new Set(rows.map(({ id }) => id));
}

/* ── Archives ── */

/** Returns a page of all requests, by id. */
export async function page({ accountId, db }: AccountScope, after: string, most: number): Promise<FeedbackRequest[]> {
  const rows = await db
    .select()
    .from(requests)
    .where(and(eq(requests.accountId, accountId), gt(requests.id, after)))
    .orderBy(asc(requests.id))
    .limit(most);
  return rows.map(record);
}

/* ── Erasing ── */

/** Returns the requests to an address. */
export function ofAddress({ accountId, db }: AccountScope, emailHash: Buffer): Promise<RequestRow[]> {
  return db
    .select()
    .from(requests)
    .where(and(eq(requests.accountId, accountId), eq(requests.emailHash, emailHash)))
    .orderBy(desc(requests.created));
}

/** Empties the requests to an address, which are still counted. */
export async function erase({ accountId, db }: AccountScope, emailHash: Buffer): Promise<void> {
  await db
    .update(requests)
    .set({
      ...EMPTY,
      emailHash: sql`sha256(gen_random_uuid()::text::bytea)`,
      keyHash: null,
      due: null,
      status: sql`case when status = 'waiting' then 'skipped' else status end`,
    })
    .where(and(eq(requests.accountId, accountId), eq(requests.emailHash, emailHash)));
}

/** The columns that name a customer, without values. */
const EMPTY = { email: null, name: null, deliveryIds: [] };

/** Returns some of a property's requests from before a time that need no more emails. */
export const forgettable = ({ accountId, db }: AccountScope, propertyId: string, before: Date): Promise<RequestRow[]> =>
  db
    .select()
    .from(requests)
    .where(and(isOfProperty(accountId, propertyId), lt(requests.created, before), isNull(requests.due), isNotNull(requests.email)))
    .limit(FORGOTTEN_AT_ONCE);

const FORGOTTEN_AT_ONCE = 100;

/** Deletes the addresses and names of requests. */
export async function forget({ accountId, db }: AccountScope, ids: readonly string[]): Promise<void> {
  await db
    .update(requests)
    .set(EMPTY)
    .where(and(eq(requests.accountId, accountId), inArray(requests.id, [...ids])));
}

/** Permanently deletes a purged account's requests. */
export const purge = purging(requests.accountId, requests.id);

/** Deletes requests from before a time, in a batch. */
export const deleteBefore = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, requests, lt(requests.created, before));

const isOf = (accountId: string, id: string) => and(eq(requests.accountId, accountId), eq(requests.id, id));
const isOfProperty = (accountId: string, propertyId: string) => and(eq(requests.accountId, accountId), eq(requests.propertyId, propertyId));

function record({ id, propertyId, email, name, language, author, created, visited, status, ...row }: RequestRow): FeedbackRequest {
  return {
    id,
    sk: 'FEEDBACKREQUEST',
    gs1sk: propertyId,
    data: {
      ...{ propertyId, author, created: created.getTime(), visited: visited.getTime(), status },
      ...(email !== null && { email }),
      ...(name !== null && { name }),
      ...(language !== null && { language }),
      ...(row.due && { due: row.due.getTime() }),
      ...(row.sent && { sent: row.sent.getTime() }),
      ...(row.reminded && { reminded: row.reminded.getTime() }),
      ...(row.answered && { answered: row.answered.getTime() }),
    },
  };
}
