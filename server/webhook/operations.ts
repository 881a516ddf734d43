import { refusal } from '#contract/core/errors.ts';
import { webhookId as newWebhookId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import {
  badWebhookAddress,
  changedWebhook,
  checkRoomForWebhook,
  SECRET_OVERLAP,
  WEBHOOK_RESTORE_WINDOW,
  type Webhook,
  type WebhookChange,
  type webhookOperations,
  webhookSecret,
} from '#contract/webhook/webhook.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';
import { openSecrets } from './secrets.ts';
import * as store from './store.ts';

/** Changes to webhooks per account. @limit webhook-changes */
const CHANGES = { name: 'webhook changes', most: 100, within: HOUR };

type WebhookActions = 'list' | 'save' | 'delete' | 'restore' | 'reveal' | 'rotate';

/** Operations on webhooks and their secrets. */
export function openWebhook({ random, secret }: Pick<Platform, 'random' | 'secret'>, outbound: Pick<Outbound, 'problemWith'>) {
  const secrets = openSecrets(secret);
  return {
    async list({ scope }) {
      return { status: 'ok', webhooks: await store.all(scope) };
    },
    async save({ scope }, { payload }) {
      const { url, propertyIds } = payload.data;
      const problem = url === undefined ? undefined : outbound.problemWith(url);
      if (problem) throw badWebhookAddress(problem);
      if (!(await areProperties(scope, propertyIds ?? []))) return NOT_FOUND;
      await countWithin(scope, CHANGES, scope.accountId);
      if (payload.id !== undefined) return responseOf(await edit(scope, payload));
      await accounts.lock(scope);
      checkRoomForWebhook(await store.countOf(scope));
      const [id, plain] = [newWebhookId(random), webhookSecret(random)];
      const webhook = await store.insert(scope, { id, secret: secrets.seal(plain, id), ...payload.data });
      await recordWebhook(scope, 'webhook.created', webhook);
      return { status: 'ok', webhook, secret: plain };
    },
    async delete({ scope }, { webhookId }) {
      const deleted = await store.remove(scope, webhookId);
      if (!deleted) return NOT_FOUND;
      await recordWebhook(scope, 'webhook.deleted', deleted);
      return { status: 'ok' };
    },
    async restore({ scope }, { webhookId }) {
      const deleted = await store.deletedById(scope, webhookId, new Date(scope.now.getTime() - WEBHOOK_RESTORE_WINDOW));
      if (!deleted) return responseOf(await store.byId(scope, webhookId));
      await accounts.lock(scope);
      checkRoomForWebhook(await store.countOf(scope));
      const webhook = await store.restore(scope, webhookId);
      if (webhook) await recordWebhook(scope, 'webhook.restored', webhook);
      return responseOf(webhook);
    },
    async reveal({ scope }, { webhookId }) {
      const sealed = await store.secretOf(scope, webhookId);
      if (!sealed) return NOT_FOUND;
      const plain = secrets.open(sealed, webhookId);
      if (plain === undefined)
        throw refusal('conflict', 'This secret was encrypted with another secret of the installation. Create a new one.');
      await record(scope, 'webhook.revealed', { subject: webhookId, data: {} });
      return { status: 'ok', secret: plain };
    },
    async rotate({ scope }, { webhookId }) {
      await countWithin(scope, CHANGES, scope.accountId);
      const plain = webhookSecret(random);
      const until = new Date(scope.now.getTime() + SECRET_OVERLAP);
      const webhook = await store.rotate(scope, webhookId, { secret: secrets.seal(plain, webhookId), until });
      if (!webhook) return NOT_FOUND;
      await record(scope, 'webhook.rotated', { subject: webhookId, data: {} });
      return { status: 'ok', webhook, secret: plain };
    },
  } satisfies Pick<Handlers<typeof webhookOperations>, WebhookActions>;
}

/** Changes a webhook. Returns undefined for an unknown one. The same values change nothing. */
async function edit(scope: AccountScope, { id, data }: WebhookChange): Promise<Webhook | undefined> {
  const before = await store.lock(scope, id);
  const after = before && changedWebhook(before, data);
  if (!after) return before;
  const changed = await store.change(scope, after);
  if (changed) await recordWebhook(scope, 'webhook.changed', changed);
  return changed;
}

/** Returns true if all ids are properties of this account that aren't deleted. */
async function areProperties(scope: AccountScope, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const existing = new Set((await properties.all(scope)).map(({ id }) => id));
  return ids.every((id) => existing.has(id));
}

/** Records an event without the URL, whose path may be a secret. */
const recordWebhook = (scope: AccountScope, name: `webhook.${'created' | 'changed' | 'deleted' | 'restored'}`, { id, data }: Webhook) =>
  record(scope, name, { subject: id, data: { format: data.format, isFull: data.isFull, isOn: data.isOn } });

const responseOf = (webhook: Webhook | undefined) => (webhook ? ({ status: 'ok', webhook } as const) : NOT_FOUND);
