import { and, desc, eq, gt, gte, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Input } from '#contract/core/operation.ts';
import { pageOf } from '#contract/core/pagination.ts';
import { type Delivery, type deliveryOperations, FAILURE_WINDOW } from '#contract/notification/delivery.ts';
import { containing, createdCursor, olderThan } from '../../platform/database/pages.ts';
import type { AccountScope, OperatorScope } from '../../platform/tenancy/access.ts';
import { HAS_CONTENT, QUEUED_AT } from './delivery-store.ts';
import { deliveries, deliveryAttempts } from './tables.ts';

/** A list shows at most this many attempts of each delivery. */
const MOST_ATTEMPTS = 10;
/** A delivery's latest attempts, oldest first. */
const latest = sql<{ at: number; error: string | null }[]>`coalesce((
  select json_agg(json_build_object('at', floor(extract(epoch from tried.at) * 1000), 'error', tried.error) order by tried.at)
    from (select at, error from ${deliveryAttempts} as each where each.delivery_id = ${deliveries.id} order by at desc limit ${MOST_ATTEMPTS}) as tried
), '[]')`;
const LISTED = { row: deliveries, latest, hasContent: HAS_CONTENT };

/** Lists the account's deliveries, newest first, whose address or subject contains the search text. */
export async function list(
  { accountId, db }: AccountScope,
  { search, status, cursor, limit }: Omit<Input<typeof deliveryOperations.list>, 'accountId'>,
): Promise<{ deliveries: Delivery[]; cursor: string | null }> {
  const rows = await db
    .select(LISTED)
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

/** Returns the newest delivery to each of these addresses with this reason. */
export async function newestTo(
  { accountId, db }: AccountScope,
  { addresses, reason }: { readonly addresses: readonly string[]; readonly reason: string },
): Promise<Delivery[]> {
  const rows = await db
    .selectDistinctOn([deliveries.to], LISTED)
    .from(deliveries)
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.reason, reason), inArray(deliveries.to, [...addresses])))
    .orderBy(deliveries.to, desc(deliveries.created), desc(deliveries.id));
  return rows.map(recordOf);
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<Delivery | undefined> {
  const [row] = await db
    .select(LISTED)
    .from(deliveries)
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.id, id)));
  return row && recordOf(row);
}

/** The reason of mails to customers, whose addresses the team can't correct. */
const TO_CUSTOMERS = 'feedback-request.added';

/** Counts the account's mails that failed lately, except those to customers. */
export const countFailed = ({ accountId, db, now }: AccountScope): Promise<number> =>
  db.$count(
    deliveries,
    and(eq(deliveries.accountId, accountId), eq(deliveries.channel, 'email'), ne(deliveries.reason, TO_CUSTOMERS), hasFailedLately(now)),
  );

const hasFailedLately = (now: Date): SQL | undefined =>
  and(eq(deliveries.status, 'failed'), gt(QUEUED_AT, new Date(now.getTime() - FAILURE_WINDOW)));

/** The most mail domains that the health lists. */
const MOST_HOSTS = 20;

/** Counts the installation's mails that are not sent, in all and by domain. `oldest` is when the longest-waiting one was queued. */
export async function queueHealth({ db, now }: OperatorScope) {
  const isQueued = sql`${deliveries.status} = 'queued'`;
  const hosts = await db
    .select({
      host: sql<string>`split_part(${deliveries.to}, '@', 2)`,
      waiting: sql<number>`count(*) filter (where ${isQueued})::int`,
      failed: sql<number>`count(*) filter (where not ${isQueued})::int`,
      oldest: sql<number | null>`floor(extract(epoch from min(${QUEUED_AT}) filter (where ${isQueued})) * 1000)::float8`,
      lastError: sql<
        string | null
      >`(array_agg(${deliveries.lastError} order by ${QUEUED_AT} desc) filter (where ${deliveries.lastError} is not null))[1]`,
    })
    .from(deliveries)
    .where(and(eq(deliveries.channel, 'email'), ne(deliveries.status, 'sent'), or(isQueued, hasFailedLately(now))))
    .groupBy(sql`1`)
    .orderBy(sql`3 desc, 2 desc, 1`);
  const oldest = hosts.flatMap((host) => host.oldest ?? []);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    waiting: sum(hosts.map(({ waiting }) => waiting)),
    failed: sum(hosts.map(({ failed }) => failed)),
    oldest: oldest.length > 0 ? new Date(Math.min(...oldest)) : undefined,
    hosts: hosts.slice(0, MOST_HOSTS).map(({ oldest: _, ...host }) => host),
  };
}

/** Counts the installation's mails that were queued within a day and sent. */
export function countSentLately({ db, now }: OperatorScope): Promise<number> {
  const isRecent = gte(deliveries.created, new Date(now.getTime() - FAILURE_WINDOW));
  return db.$count(deliveries, and(eq(deliveries.channel, 'email'), eq(deliveries.status, 'sent'), isRecent));
}

interface ListedDelivery {
  readonly row: typeof deliveries.$inferSelect;
  readonly latest: readonly { readonly at: number; readonly error: string | null }[];
  readonly hasContent: boolean;
}

function recordOf({ row, latest: attempts, hasContent }: ListedDelivery): Delivery {
  const { id, channel, to, subject, reason, status, lastError, created, sentAt } = row;
  const accountId = row.accountId ?? '';
  return {
    id,
    sk: 'DELIVERY',
    gs1sk: accountId,
    data: {
      accountId,
      channel,
      to,
      subject,
      reason,
      status,
      attempts: row.attempts,
      ...(lastError !== null && { lastError }),
      created: created.getTime(),
      ...(sentAt && { sentAt: sentAt.getTime() }),
      mayRetry: status === 'failed' && hasContent,
      latest: attempts.map(({ at, error }) => ({ at, ...(error !== null && { error }) })),
    },
  };
}
