import { SYSTEM } from '#contract/event/event.ts';
import { TEST_EVENT, type WebhookAttempt, waitAfter } from '#contract/webhook/webhook.ts';
import { webhookBody } from '#contract/webhook/webhook-payload.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { CrashError, withCrashes } from '../platform/jobs/crashes.ts';
import type { Outbound, OutboundCall } from '../platform/outbound/outbound.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import type { Limiter } from '../platform/tenancy/limiter.ts';
import * as store from './delivery-store.ts';
import { factsOf } from './facts.ts';
import type { Secrets } from './secrets.ts';
import { signedHeaders } from './signature.ts';

interface DeliveryContext {
  readonly platform: Pick<Platform, 'database' | 'now' | 'random' | 'config' | 'jobs'>;
  readonly outbound: Pick<Outbound, 'post'>;
  readonly secrets: Secrets;
  /** Limits database connections. */
  readonly turns: Limiter;
  /** Aborts calls. */
  readonly stopping: AbortSignal;
  /** How long a delivery is reserved, and how long one to a busy host is postponed (ms). */
  readonly limits: { readonly reservation: number; readonly busy: number };
}

/**
 * Takes a due delivery, sends it and settles it. Taking and settling are a transaction each, and the call is between them, so a receiver
 * that hangs occupies no database connection.
 */
export async function deliver(context: DeliveryContext, { accountId, id }: store.DueDelivery): Promise<void> {
  const inTransaction = <T>(work: (scope: AccountScope) => Promise<T>): Promise<T> =>
    context.turns.run(() => inAccount(context.platform, { accountId, actor: SYSTEM }, work));
  const reserved = await inTransaction((scope) => take(scope, id, context));
  if (!reserved) return;
  const attempt = await send(reserved, context);
  await inTransaction((scope) => settle(scope, attempt, context));
}

/** A delivery that this process reserved, and its call; none if the secret can't be read. */
interface ReservedCall {
  readonly delivery: store.ReservedDelivery;
  readonly call?: OutboundCall;
}

/** Reserves a delivery. Returns undefined if there is nothing to send. */
async function take(scope: AccountScope, id: string, context: DeliveryContext): Promise<ReservedCall | undefined> {
  // The account was deleted in the meantime.
  if (!(await accounts.byScope(scope))) return undefined;
  const { platform, secrets, stopping, limits } = context;
  const until = new Date(scope.now.getTime() + limits.reservation);
  const delivery = await store.reserve(scope, id, { until, isCutOff: false });
  if (!delivery) {
    // An attempt whose process died counts as failed, because it may have crashed the process.
    const cutOff = await store.reserve(scope, id, { until, isCutOff: true });
    if (cutOff) await settle(scope, { delivery: cutOff, startedAt: platform.now(), ...CUT_OFF }, context);
    return undefined;
  }
  const { webhook } = delivery;
  const facts = await factsOf(scope, delivery, { site: platform.config.publicUrl });
  if (!facts) {
    await store.deleteDelivery(scope, id);
    return undefined;
  }
  const signing = secrets.signing(webhook, scope.now);
  if (!signing) return { delivery };
  const body = webhookBody(facts, webhook);
  const headers = signedHeaders({ id, at: scope.now, body }, signing);
  return { delivery, call: { url: webhook.url, caller: scope.accountId, headers, body, signal: stopping } };
}

/** An attempt and its result. */
interface SentDelivery extends Omit<WebhookAttempt, 'at'> {
  readonly delivery: store.ReservedDelivery;
  readonly startedAt: number;
  readonly retryAfter?: number;
  /** Whether there is no retry. */
  readonly isLast?: boolean;
}

/** Posts a message. One that crashes the process is given up, because a retry would crash the next process too. */
async function send({ delivery, call }: ReservedCall, { platform, outbound }: DeliveryContext): Promise<SentDelivery> {
  const attempt = { delivery, startedAt: platform.now() };
  if (!call) return { ...attempt, ...LOST_SECRET };
  try {
    return { ...attempt, ...(await withCrashes(() => outbound.post(call))) };
  } catch (error) {
    if (error instanceof CrashError) return { ...attempt, ...CUT_OFF, isLast: true };
    throw error;
  }
}

/** Stores the result of an attempt and its consequences. */
async function settle(scope: AccountScope, sent: SentDelivery, { platform, limits }: DeliveryContext): Promise<void> {
  const { delivery, startedAt, status, error, duration } = sent;
  const { id, type, webhook } = delivery;
  if (error === 'busy') return store.postpone(scope, id, new Date(scope.now.getTime() + limits.busy));
  const attempt: WebhookAttempt = { at: startedAt, ...(status !== undefined && { status }), ...(error && { error }), duration };
  if (isDelivered(status)) {
    await store.addAttempt(scope, id, { attempt, status: 'delivered' });
    return store.clearFailing(scope, webhook.id);
  }
  const wait = waitBeforeRetry(sent, platform);
  const due = wait === undefined ? undefined : new Date(scope.now.getTime() + wait);
  await store.addAttempt(scope, id, { attempt, status: due ? 'waiting' : 'failed', due });
  if (type === TEST_EVENT) return undefined;
  await store.markFailing(scope, webhook.id);
  if (status === HTTP_GONE) return turnOff(scope, webhook.id, platform);
  if (!due && (await store.markWarned(scope, webhook.id))) await record(scope, 'webhook.failing', { subject: webhook.id, data: {} });
}

/** Returns the time until the next attempt (ms), or undefined if there is none. */
function waitBeforeRetry(
  { delivery, status, retryAfter = 0, isLast }: SentDelivery,
  { random }: Pick<Platform, 'random'>,
): number | undefined {
  if (isLast || delivery.type === TEST_EVENT || status === HTTP_GONE) return undefined;
  const wait = waitAfter(delivery.tries + 1, (random(1)[0] as number) / 255);
  return wait === undefined ? undefined : Math.max(wait, retryAfter);
}

async function turnOff(scope: AccountScope, webhookId: string, { jobs }: Pick<Platform, 'jobs'>): Promise<void> {
  if (!(await store.markGone(scope, webhookId))) return;
  await record(scope, 'webhook.gone', { subject: webhookId, data: {} });
  await jobs.queue(scope.db, 'webhook.give-up', { accountId: scope.accountId, webhookId });
}

/** Counts as an attempt, so that it is retried like others and admins are notified. */
const LOST_SECRET = { error: 'lost-secret', duration: 0 } as const;
const CUT_OFF = { error: 'cut-off', duration: 0 } as const;
/** The HTTP status of a receiver that is permanently gone. */
const HTTP_GONE = 410;
const isDelivered = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;
