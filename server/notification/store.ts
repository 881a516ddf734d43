import { and, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { pageOf } from '#contract/core/pagination.ts';
import { type Delivery, type DeliveryStatus, FAILED_LATELY } from '#contract/notification/delivery.ts';
import type { Transaction } from '../platform/database/database.ts';
import { containing, createdCursor, olderThan } from '../platform/database/pages.ts';
import { deleteSome, updateSome } from '../platform/database/portions.ts';
import type { AccountScope, DeliveryScope, OperatorScope } from '../platform/tenancy/access.ts';
import { deliveries, deliveryAttempts } from './tables.ts';

export type NewDelivery = Pick<
  typeof deliveries.$inferInsert,
  'id' | 'sub' | 'channel' | 'to' | 'subject' | 'reason' | 'created' | 'mail' | 'sealed'
>;

/** Adds a message that is to be sent. The account is the one in the transaction's scope, or none yet. */
export async function insert(db: Transaction, accountId: string | undefined, row: NewDelivery): Promise<void> {
  await db.insert(deliveries).values({ ...row, accountId: accountId ?? null, status: 'queued' });
}

/** A message that is still to be sent; undefined when it is sent, given up, withdrawn or gone. */
export async function waiting({ db, id }: DeliveryScope) {
  const { attempts, created, retried, sealed } = deliveries;
  const [row] = await db
    .select({ attempts, created, retried, sealed })
    .from(deliveries)
    .where(and(eq(deliveries.id, id), eq(deliveries.status, 'queued')));
  return row;
}

/** Begins a try of a mail that is still to be sent, and gives its recipient; undefined when it is sent, given up, withdrawn or gone. */
export async function take({ db, id }: DeliveryScope, taken: Date): Promise<{ to: string } | undefined> {
  const [row] = await db
    .update(deliveries)
    .set({ taken })
    .where(and(eq(deliveries.id, id), eq(deliveries.status, 'queued')))
    .returning({ to: deliveries.to });
  return row;
}

/** Deletes a mail that nobody is handing over; false where somebody is, or it is not to be sent any more. Its job finds nothing then. */
export async function withdraw({ db, id }: DeliveryScope): Promise<boolean> {
  const { rowCount } = await db
    .delete(deliveries)
    .where(and(eq(deliveries.id, id), eq(deliveries.status, 'queued'), isNull(deliveries.taken)));
  return rowCount === 1;
}

export async function markSent(scope: DeliveryScope, at: Date): Promise<void> {
  await mark(scope, { status: 'sent', sentAt: at, lastError: null, sealed: null }, { at, error: null });
}

/** Records a failed try: more tries follow, or the mail is given up. */
export async function markTried(scope: DeliveryScope, { at, error, isOver }: { at: Date; error: string; isOver: boolean }): Promise<void> {
  await mark(scope, { status: isOver ? 'failed' : 'queued', lastError: error, taken: null }, { at, error });
}

async function mark(
  { db, id }: DeliveryScope,
  changes: Partial<typeof deliveries.$inferInsert>,
  attempt: { readonly at: Date; readonly error: string | null },
): Promise<void> {
  await db
    .update(deliveries)
    .set({ ...changes, attempts: sql`${deliveries.attempts} + 1` })
    .where(eq(deliveries.id, id));
  await db
    .insert(deliveryAttempts)
    .values({ deliveryId: id, ...attempt })
    .onConflictDoNothing();
}

/** Deletes some of an account's deliveries for good; gives back how many. For one that is purged. */
export const forget = ({ db }: OperatorScope, accountId: string): Promise<number> =>
  deleteSome(db, deliveries, eq(deliveries.accountId, accountId));

/** The same for what its people were told behind the bell. */
export { forget as forgetTold } from './bell-store.ts';

/** Deletes deliveries older than a moment. */
export const forgetBefore = ({ db }: OperatorScope, moment: Date): Promise<number> =>
  deleteSome(db, deliveries, lt(deliveries.created, moment));

/** Forgets what failed mails said. */
export const unsealBefore = ({ db }: OperatorScope, moment: Date): Promise<number> =>
  updateSome(db, deliveries, {
    set: { sealed: null },
    of: and(eq(deliveries.status, 'failed'), isNotNull(deliveries.sealed), lt(queued, moment)),
  });

/** Gives up what was queued so long ago that its job must be gone, with a process that died at its last try. */
export const giveUpBefore = ({ db }: OperatorScope, moment: Date): Promise<number> =>
  updateSome(db, deliveries, {
    set: { status: 'failed', lastError: sql`coalesce(${deliveries.lastError}, 'It wasn’t sent in time')` },
    of: and(eq(deliveries.status, 'queued'), lt(queued, moment)),
  });

/** When it was queued last. */
const queued = sql<Date>`coalesce(${deliveries.retried}, ${deliveries.created})`;

interface SentQuery {
  readonly search: string;
  readonly status?: DeliveryStatus | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** How many tries a list tells of each. */
const LATEST = 10;
/** Its tries, the latest few, oldest first. */
const latest = sql<{ at: number; error: string | null }[]>`coalesce((
  select json_agg(json_build_object('at', floor(extract(epoch from tried.at) * 1000), 'error', tried.error) order by tried.at)
    from (select at, error from ${deliveryAttempts} as each where each.delivery_id = ${deliveries.id} order by at desc limit ${LATEST}) as tried
), '[]')`;
const isKept = sql<boolean>`${deliveries.sealed} is not null`;

/** Deliveries of the account, newest first: of what is searched for in the address or the subject. */
export async function list(
  { accountId, db }: AccountScope,
  { search, status, cursor, limit }: SentQuery,
): Promise<{ deliveries: Delivery[]; cursor: string | null }> {
  const rows = await db
    .select({ row: deliveries, latest, isKept })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.accountId, accountId),
        status === undefined ? undefined : eq(deliveries.status, status),
        containing(search, deliveries.to, deliveries.subject),
        olderThan(deliveries, cursor),
      ),
    )
    .orderBy(desc(deliveries.created), desc(deliveries.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ row }) => createdCursor(row));
  return { deliveries: page.rows.map(recordOf), cursor: page.cursor };
}

/** The newest delivery to each of these addresses that is about such an event. */
export async function newestTo(
  { accountId, db }: AccountScope,
  { addresses, reason }: { readonly addresses: readonly string[]; readonly reason: string },
): Promise<Delivery[]> {
  const rows = await db
    .selectDistinctOn([deliveries.to], { row: deliveries, latest, isKept })
    .from(deliveries)
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.reason, reason), inArray(deliveries.to, [...addresses])))
    .orderBy(deliveries.to, desc(deliveries.created), desc(deliveries.id));
  return rows.map(recordOf);
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<Delivery | undefined> {
  const [row] = await db
    .select({ row: deliveries, latest, isKept })
    .from(deliveries)
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.id, id)));
  return row && recordOf(row);
}

/** How many of the account's mails were given up lately. */
export async function countFailed({ accountId, db, now }: AccountScope): Promise<number> {
  return db.$count(
    deliveries,
    and(eq(deliveries.accountId, accountId), eq(deliveries.channel, 'email'), failedSince(new Date(now.getTime() - FAILED_LATELY))),
  );
}

const failedSince = (moment: Date): SQL | undefined => and(eq(deliveries.status, 'failed'), gt(queued, moment));

/** What the job needs of a message that is sent again. */
type KeptMessage = { readonly channel: 'push' } | { readonly channel: 'email'; readonly mail: string; readonly sealed: Buffer };

/** A failed message of the account that waits again, with what its job needs; undefined where there is none to send. */
export async function queueAgain({ accountId, db, now }: AccountScope, id: string): Promise<KeptMessage | undefined> {
  const [row] = await db
    .update(deliveries)
    .set({ status: 'queued', lastError: null, retried: now })
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.id, id), eq(deliveries.status, 'failed'), isKept))
    .returning({ channel: deliveries.channel, mail: deliveries.mail, sealed: deliveries.sealed });
  if (!row?.sealed) return undefined;
  return row.channel === 'push' ? { channel: 'push' } : { channel: 'email', mail: row.mail ?? '', sealed: row.sealed };
}

/** What is not sent in the whole installation. `oldest` is when the one that waits longest was queued. */
export interface QueueHealth {
  readonly waiting: number;
  readonly oldest: Date | undefined;
  readonly failed: number;
  readonly hosts: readonly {
    readonly host: string;
    readonly waiting: number;
    readonly failed: number;
    readonly lastError: string | null;
  }[];
}

/** The most mail domains that are told of. */
const MOST_HOSTS = 20;

export async function health({ db, now }: OperatorScope): Promise<QueueHealth> {
  const isWaiting = sql`${deliveries.status} = 'queued'`;
  const since = new Date(now.getTime() - FAILED_LATELY);
  const hosts = await db
    .select({
      host: sql<string>`split_part(${deliveries.to}, '@', 2)`,
      waiting: sql<number>`count(*) filter (where ${isWaiting})::int`,
      failed: sql<number>`count(*) filter (where not ${isWaiting})::int`,
      oldest: sql<number | null>`floor(extract(epoch from min(${queued}) filter (where ${isWaiting})) * 1000)::float8`,
      lastError: sql<
        string | null
      >`(array_agg(${deliveries.lastError} order by ${queued} desc) filter (where ${deliveries.lastError} is not null))[1]`,
    })
    .from(deliveries)
    .where(and(eq(deliveries.channel, 'email'), ne(deliveries.status, 'sent'), or(isWaiting, failedSince(since))))
    .groupBy(sql`1`)
    .orderBy(sql`3 desc, 2 desc, 1`);
  const oldest = hosts.flatMap((each) => each.oldest ?? []);
  return {
    waiting: sum(hosts.map((each) => each.waiting)),
    failed: sum(hosts.map((each) => each.failed)),
    oldest: oldest.length > 0 ? new Date(Math.min(...oldest)) : undefined,
    hosts: hosts.slice(0, MOST_HOSTS).map(({ oldest: _, ...each }) => each),
  };
}

/** How many mails were sent of those that were asked for within a day. */
export async function sentLately({ db, now }: OperatorScope): Promise<number> {
  const since = new Date(now.getTime() - FAILED_LATELY);
  return db.$count(deliveries, and(eq(deliveries.channel, 'email'), eq(deliveries.status, 'sent'), gte(deliveries.created, since)));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

interface SentRow {
  readonly row: typeof deliveries.$inferSelect;
  readonly latest: readonly { readonly at: number; readonly error: string | null }[];
  readonly isKept: boolean;
}

function recordOf({ row, latest: tries, isKept: hasWords }: SentRow): Delivery {
  const { id, accountId, channel, to, subject, reason, status, attempts, lastError, created, sentAt } = row;
  return {
    id,
    sk: 'DELIVERY',
    gs1sk: accountId ?? '',
    data: {
      accountId: accountId ?? '',
      channel,
      to,
      subject,
      reason,
      status,
      attempts,
      ...(lastError !== null && { lastError }),
      created: created.getTime(),
      ...(sentAt && { sentAt: sentAt.getTime() }),
      mayRetry: status === 'failed' && hasWords,
      latest: tries.map(({ at, error }) => ({ at, ...(error !== null && { error }) })),
    },
  };
}
