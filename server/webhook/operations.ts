import { refusal } from '#contract/core/errors.ts';
import { webhookId as newWebhookId, webhookDeliveryId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY, HOUR } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import {
  badWebhookAddress,
  changedWebhook,
  checkIsOn,
  checkRoomForWebhook,
  DELIVERY_RETENTION,
  SECRET_OVERLAP,
  TEST_EVENT,
  WEBHOOK_RESTORE_WINDOW,
  type Webhook,
  type WebhookChange,
  type webhookOperations,
  webhookSecret,
} from '#contract/webhook/webhook.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { forgetOld, inBatches } from '../platform/database/batches.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';
import { openSecrets } from './secrets.ts';
import * as store from './store.ts';

/** docs/limits.md#webhook-changes. */
const SAVED = { name: 'webhook changes', most: 100, within: HOUR };
const SENT = { name: 'webhook tests and replays', most: 60, within: HOUR };

export function openWebhook(
  { random, secret, jobs }: Pick<Platform, 'random' | 'secret' | 'jobs'>,
  outbound: Pick<Outbound, 'problemWith'>,
) {
  const secrets = openSecrets(secret);
  return {
    async list({ scope }) {
      return { status: 'ok', webhooks: await store.all(scope) };
    },
    async save({ scope }, { payload }) {
      const { url, propertyIds } = payload.data;
      const problem = url === undefined ? undefined : outbound.problemWith(url);
      if (problem) throw badWebhookAddress(problem);
      if (!(await areThere(scope, propertyIds ?? []))) return NOT_FOUND;
      // Counted first: whoever saves at the same time waits here.
      await countWithin(scope, SAVED, scope.accountId);
      if (payload.id !== undefined) return found(await edit(scope, payload));
      checkRoomForWebhook(await store.countOf(scope));
      const [id, plain] = [newWebhookId(random), webhookSecret(random)];
      const webhook = await store.insert(scope, { id, secret: secrets.seal(plain, id), ...payload.data });
      await tell(scope, 'webhook.created', webhook);
      return { status: 'ok', webhook, secret: plain };
    },
    async delete({ scope }, { webhookId }) {
      const removed = await store.remove(scope, webhookId);
      if (!removed) return NOT_FOUND;
      await tell(scope, 'webhook.deleted', removed);
      return { status: 'ok' };
    },
    async restore({ scope }, { webhookId }) {
      const deleted = await store.deletedById(scope, webhookId, new Date(scope.now.getTime() - WEBHOOK_RESTORE_WINDOW));
      if (!deleted) return found(await store.byId(scope, webhookId));
      checkRoomForWebhook(await store.countOf(scope));
      const webhook = await store.restore(scope, webhookId);
      if (webhook) await tell(scope, 'webhook.restored', webhook);
      return found(webhook);
    },
    async reveal({ scope }, { webhookId }) {
      const sealed = await store.secretOf(scope, webhookId);
      if (!sealed) return NOT_FOUND;
      const plain = secrets.open(sealed, webhookId);
      if (plain === undefined) throw refusal('conflict', 'This secret was sealed with another secret of the installation. Make a new one.');
      await record(scope, 'webhook.revealed', { subject: webhookId, data: {} });
      return { status: 'ok', secret: plain };
    },
    async rotate({ scope }, { webhookId }) {
      await countWithin(scope, SAVED, scope.accountId);
      const plain = webhookSecret(random);
      const until = new Date(scope.now.getTime() + SECRET_OVERLAP);
      const webhook = await store.rotate(scope, webhookId, { secret: secrets.seal(plain, webhookId), until });
      if (!webhook) return NOT_FOUND;
      await record(scope, 'webhook.rotated', { subject: webhookId, data: {} });
      return { status: 'ok', webhook, secret: plain };
    },
    async test({ scope }, { webhookId }) {
      const webhook = await store.byId(scope, webhookId);
      if (!webhook) return NOT_FOUND;
      checkIsOn(webhook);
      await countWithin(scope, SENT, scope.accountId);
      const id = webhookDeliveryId(random);
      const [delivery] = await store.addDeliveries(scope, [{ id, webhookId, cause: id, type: TEST_EVENT, eventId: null }]);
      if (!delivery) throw new Error('A test was not stored');
      return { status: 'ok', delivery };
    },
    async deliveries({ scope }, { webhookId, ...query }) {
      if (!(await store.byId(scope, webhookId))) return NOT_FOUND;
      return { status: 'ok', ...(await store.list(scope, webhookId, query)) };
    },
    async replay({ scope }, { webhookId, deliveryId, since = 0 }) {
      const webhook = await store.byId(scope, webhookId);
      if (!webhook) return NOT_FOUND;
      checkIsOn(webhook);
      await countWithin(scope, SENT, scope.accountId);
      const count = await (deliveryId === undefined ? replayAll(scope, webhookId, since) : store.replay(scope, webhookId, deliveryId));
      if (count > 0) await record(scope, 'webhook.replayed', { subject: webhookId, data: { count } });
      return { status: 'ok', count };
    },
    async health({ scope }) {
      const { oldest, hosts, ...counts } = await store.health(scope);
      const told = hosts.map(({ since, ...host }) => ({ ...host, since: since.getTime() }));
      return { status: 'ok', ...counts, ...(oldest && { oldest: oldest.getTime() }), hosts: told };
    },
  } satisfies Handlers<typeof webhookOperations>;

  /** Counts all that failed since, and has as much of it sent again as one statement may; a job does the rest. */
  async function replayAll(scope: AccountScope, webhookId: string, since: number): Promise<number> {
    const which = { webhookId, since: new Date(since) };
    const count = await store.countFailedOf(scope, which);
    const { accountId, now } = scope;
    if ((await store.replaySome(scope, which)) < count)
      await jobs.queue(scope.db, 'webhook.replay', { accountId, webhookId, since, before: now.getTime() });
    return count;
  }
}

/** Undefined where there is no such webhook. The same again changes nothing. */
async function edit(scope: AccountScope, { id, data }: WebhookChange): Promise<Webhook | undefined> {
  const before = await store.byId(scope, id);
  const after = before && changedWebhook(before, data);
  if (!after) return before;
  const changed = await store.change(scope, after);
  if (changed) await tell(scope, 'webhook.changed', changed);
  return changed;
}

/** Whether these are properties of this account that are not deleted. */
async function areThere(scope: AccountScope, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const own = new Set((await properties.all(scope)).map(({ id }) => id));
  return ids.every((id) => own.has(id));
}

/** Without the address, whose path may be a secret. */
const tell = (scope: AccountScope, name: `webhook.${'created' | 'changed' | 'deleted' | 'restored'}`, { id, data }: Webhook) =>
  record(scope, name, { subject: id, data: { format: data.format, isFull: data.isFull, isOn: data.isOn } });

const found = (webhook: Webhook | undefined) => (webhook ? ({ status: 'ok', webhook } as const) : NOT_FOUND);

/** What is too much for one statement: each portion has a transaction of its own. */
export const webhookWork = (platform: Pick<Platform, 'database' | 'now'>): Work => ({
  'webhook.replay': ({ data: { accountId, webhookId, since, before } }) =>
    inPortionsWhile(platform, { accountId, webhookId, is: ({ isOn }) => isOn }, (scope) =>
      store.replaySome(scope, { webhookId, since: new Date(since), before: new Date(before) }),
    ),
  'webhook.give-up': ({ data: { accountId, webhookId } }) =>
    inPortionsWhile(platform, { accountId, webhookId, is: ({ isGone = false }) => isGone }, (scope) => store.giveUpSome(scope, webhookId)),
  /** Forgets deliveries after thirty days, and deleted webhooks when they cannot be brought back. */
  'webhook.upkeep': () =>
    forgetOld(platform, [
      [store.forgetDeliveries, DELIVERY_RETENTION],
      [store.forgetSentToDeleted, WEBHOOK_RESTORE_WINDOW + DAY],
      [store.forgetDeleted, WEBHOOK_RESTORE_WINDOW + DAY],
    ]),
});

interface WebhookTask {
  readonly accountId: string;
  readonly webhookId: string;
  readonly is: (data: Webhook['data']) => boolean;
}

/** Goes on for as long as the webhook is so: an admin may have changed or deleted it meanwhile. */
const inPortionsWhile = (
  platform: Pick<Platform, 'database' | 'now'>,
  { accountId, webhookId, is }: WebhookTask,
  work: (scope: AccountScope) => Promise<number>,
): Promise<void> =>
  inBatches(() =>
    inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
      const webhook = await store.byId(scope, webhookId);
      return webhook && is(webhook.data) ? work(scope) : 0;
    }),
  );
