import { and, asc, count, eq, gt, isNotNull, isNull, min, ne, sql } from 'drizzle-orm';
import { DAY } from '#contract/core/time.ts';
import { FAILURE_WINDOW } from '#contract/notification/delivery.ts';
import { hostOfWebhook, TEST_EVENT } from '#contract/webhook/webhook.ts';
import type { OperatorScope } from '../platform/tenancy/access.ts';
import { LAST_TRIED } from './delivery-store.ts';
import { webhookDeliveries as deliveries, webhooks } from './tables.ts';

/** Health of the webhooks of all accounts. */
interface WebhooksHealth {
  /** Deliveries waiting for a webhook that is on, and the creation time of the oldest. */
  readonly waiting: number;
  readonly oldest: Date | undefined;
  /** Deliveries given up recently, without tests. */
  readonly failed: number;
  /** Webhooks that are on and failing, and those that a receiver turned off (410). */
  readonly failing: number;
  readonly gone: number;
  /** Failing hosts, the one with the most webhooks first. */
  readonly hosts: readonly { readonly host: string; readonly webhooks: number; readonly since: Date }[];
}

/** At most this many hosts are listed. */
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

/** Looks at deliveries of the last week: attempts take three days, and failed deliveries have no index. */
async function countFailed({ db, now }: OperatorScope): Promise<number> {
  const isRecent = gt(deliveries.created, new Date(now.getTime() - COUNTED_RANGE));
  const isLate = sql`${LAST_TRIED} > ${now.getTime() - FAILURE_WINDOW}`;
  return db.$count(deliveries, and(isRecent, eq(deliveries.status, 'failed'), ne(deliveries.type, TEST_EVENT), isLate));
}

const COUNTED_RANGE = 7 * DAY;

async function failingHosts({ db }: OperatorScope): Promise<Pick<WebhooksHealth, 'hosts' | 'failing'>> {
  const rows = await db
    .select({ url: webhooks.url, failingSince: webhooks.failingSince })
    .from(webhooks)
    .where(and(isNotNull(webhooks.failingSince), webhooks.isOn, isNull(webhooks.deleted)))
    .orderBy(asc(webhooks.failingSince));
  const byHost = new Map<string, WebhooksHealth['hosts'][number]>();
  for (const { url, failingSince } of rows) {
    const host = hostOfWebhook(url).toLowerCase();
    const { webhooks: previous = 0, since = failingSince as Date } = byHost.get(host) ?? {};
    byHost.set(host, { host, webhooks: previous + 1, since });
  }
  return { failing: rows.length, hosts: [...byHost.values()].sort((a, b) => b.webhooks - a.webhooks) };
}
