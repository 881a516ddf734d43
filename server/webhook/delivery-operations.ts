import { webhookDeliveryId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY, HOUR } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import {
  checkIsOn,
  DELIVERY_RETENTION,
  TEST_EVENT,
  WEBHOOK_RESTORE_WINDOW,
  type Webhook,
  type webhookOperations,
} from '#contract/webhook/webhook.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { deleteOld, inBatches } from '../platform/database/batches.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as deliveries from './delivery-store.ts';
import { health } from './health-store.ts';
import * as store from './store.ts';

/** Tests and replays per account. @limit webhook-changes */
const SENDS = { name: 'webhook tests and replays', most: 60, within: HOUR };

type DeliveryActions = 'test' | 'deliveries' | 'replay' | 'health';

/** Operations on a webhook's deliveries. */
export function openDeliveries({ random, jobs }: Pick<Platform, 'random' | 'jobs'>) {
  return {
    async test({ scope }, { webhookId }) {
      const webhook = await store.byId(scope, webhookId);
      if (!webhook) return NOT_FOUND;
      checkIsOn(webhook);
      await countWithin(scope, SENDS, scope.accountId);
      const id = webhookDeliveryId(random);
      const [delivery] = await deliveries.addDeliveries(scope, [{ id, webhookId, cause: id, type: TEST_EVENT, eventId: null }]);
      if (!delivery) throw new Error('A test was not stored');
      return { status: 'ok', delivery };
    },
    async deliveries({ scope }, { webhookId, ...query }) {
      if (!(await store.byId(scope, webhookId))) return NOT_FOUND;
      return { status: 'ok', ...(await deliveries.list(scope, webhookId, query)) };
    },
    async replay({ scope }, { webhookId, deliveryId, since = 0 }) {
      const webhook = await store.byId(scope, webhookId);
      if (!webhook) return NOT_FOUND;
      checkIsOn(webhook);
      await countWithin(scope, SENDS, scope.accountId);
      const count = await (deliveryId === undefined ? replayAll(scope, webhookId, since) : deliveries.replay(scope, webhookId, deliveryId));
      if (count > 0) await record(scope, 'webhook.replayed', { subject: webhookId, data: { count } });
      return { status: 'ok', count };
    },
    async health({ scope }) {
      const { oldest, hosts, ...counts } = await health(scope);
      const failing = hosts.map(({ since, ...host }) => ({ ...host, since: since.getTime() }));
      return { status: 'ok', ...counts, ...(oldest && { oldest: oldest.getTime() }), hosts: failing };
    },
  } satisfies Pick<Handlers<typeof webhookOperations>, DeliveryActions>;

  /** Counts the failed deliveries since a time and replays a first batch. A job replays the rest. */
  async function replayAll(scope: AccountScope, webhookId: string, since: number): Promise<number> {
    const query = { webhookId, since: new Date(since) };
    const count = await deliveries.countFailedOf(scope, query);
    const { accountId, now } = scope;
    if ((await deliveries.replayBatch(scope, query)) < count)
      await jobs.queue(scope.db, 'webhook.replay', { accountId, webhookId, since, before: now.getTime() });
    return count;
  }
}

/** Jobs that work in batches, each in its own transaction. */
export const webhookWork = (platform: Pick<Platform, 'database' | 'now'>): Work => ({
  'webhook.replay': ({ data: { accountId, webhookId, since, before } }) =>
    inBatchesWhile(platform, { accountId, webhookId, isInState: ({ isOn }) => isOn }, (scope) =>
      deliveries.replayBatch(scope, { webhookId, since: new Date(since), before: new Date(before) }),
    ),
  'webhook.give-up': ({ data: { accountId, webhookId } }) =>
    inBatchesWhile(platform, { accountId, webhookId, isInState: ({ isGone = false }) => isGone }, (scope) =>
      deliveries.giveUpBatch(scope, webhookId),
    ),
  /** Deletes deliveries after thirty days, and deleted webhooks that can no longer be restored. */
  'webhook.upkeep': () =>
    deleteOld(platform, [
      [deliveries.deleteDeliveries, DELIVERY_RETENTION],
      [deliveries.deleteSentToDeleted, WEBHOOK_RESTORE_WINDOW + DAY],
      [store.purgeDeleted, WEBHOOK_RESTORE_WINDOW + DAY],
    ]),
});

interface WebhookTask {
  readonly accountId: string;
  readonly webhookId: string;
  readonly isInState: (data: Webhook['data']) => boolean;
}

/** Continues only while the webhook is in this state, because an admin may change or delete it. */
const inBatchesWhile = (
  platform: Pick<Platform, 'database' | 'now'>,
  { accountId, webhookId, isInState }: WebhookTask,
  work: (scope: AccountScope) => Promise<number>,
): Promise<void> =>
  inBatches(() =>
    inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
      const webhook = await store.byId(scope, webhookId);
      return webhook && isInState(webhook.data) ? work(scope) : 0;
    }),
  );
