import { SYSTEM } from '#contract/event/event.ts';
import { type WebhookAttempt, waitAfter } from '#contract/webhook/webhook.ts';
import { webhookBody } from '#contract/webhook/webhook-payload.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { CrashError, withCrashes } from '../platform/jobs/crashes.ts';
import { warnSeldom } from '../platform/log/log.ts';
import type { Outbound, OutboundCall } from '../platform/outbound/outbound.ts';
import { type AccountScope, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import { createLimiter } from '../platform/tenancy/limiter.ts';
import { factsOf } from './facts.ts';
import { openFairness } from './fairness.ts';
import { openSecrets } from './secrets.ts';
import { signedHeaders } from './signature.ts';
import * as store from './store.ts';

/** Times in ms. docs/limits.md#webhooks-at-once. */
const LIMITS = {
  /** How often due deliveries are read. */
  poll: 1_000,
  /** Concurrent deliveries (`FairnessLimits`). */
  ofOne: 10,
  ofFailing: 2,
  ofAccount: 20,
  toFailing: 100,
  inAll: 200,
  /** How long a process reserves a delivery. Longer than a call lasts. */
  reservation: 60_000,
  /** How long a delivery to a busy host is postponed. */
  busy: 2_000,
  /** How long stopping waits for running calls. */
  stop: 5_000,
  /** Database connections. */
  turns: 2,
} as const;

type CourierPlatform = Pick<Platform, 'database' | 'now' | 'secret' | 'random' | 'config' | 'log' | 'jobs'>;

/** Sends deliveries to their webhooks. */
export interface Courier {
  /** Starts sending. Called only in worker processes. */
  start(): void;
  /** Waits for running calls. Those that take too long are left to another process. */
  stop(): Promise<void>;
}

/**
 * Reserves due deliveries, sends them and stores the results. Reserving and storing are a transaction each, and the call is between
 * them, so a receiver that hangs occupies no database connection. fairness.ts limits how many run at a time.
 */
export function openCourier(
  platform: CourierPlatform,
  outbound: Outbound,
  changes: Partial<Record<keyof typeof LIMITS, number>> = {},
): Courier {
  const limits = { ...LIMITS, ...changes };
  const secrets = openSecrets(platform.secret);
  const warn = warnSeldom(platform.log, 'could not send webhook deliveries; retrying');
  const turns = createLimiter({ atOnce: limits.turns, waiting: Infinity, full: () => new Error('Never full') });
  const stopping = new AbortController();
  const fairness = openFairness(limits);
  const deliveries = new Set<Promise<void>>();
  let running: Promise<void> | undefined;
  let isRequested = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  return {
    start() {
      timer = setInterval(requestRound, limits.poll);
      requestRound();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
      const all = Promise.all(deliveries);
      const late = setTimeout(() => stopping.abort(), limits.stop);
      await all;
      clearTimeout(late);
    },
  };

  /** Runs one round at a time. A round requested during another follows it. */
  function requestRound(): void {
    isRequested = true;
    running ??= runRounds().finally(() => {
      running = undefined;
    });
  }

  async function runRounds(): Promise<void> {
    try {
      while (isRequested && !isStopped) {
        isRequested = false;
        await beginDue(fairness.left());
      }
    } catch (error) {
      warn(error);
    }
  }

  async function beginDue(most: number): Promise<void> {
    if (most <= 0) return;
    let withoutRoom = 0;
    const rows = await turns.run(() =>
      inEveryAccount(platform, (scope) => store.due(scope, { busy: fairness.busy(), each: limits.ofOne, most })),
    );
    for (const row of rows)
      if (fairness.hasRoom(row)) begin(row);
      else withoutRoom += 1;
    // Deliveries without room must not block the ones queued after them.
    if (withoutRoom > 0 && rows.length === most) isRequested = true;
  }

  function begin(delivery: store.DueDelivery): void {
    const end = fairness.add(delivery);
    // After a failure the next poll tries again, so that an immediate failure isn't repeated without a pause.
    const work = deliver(delivery)
      .then(() => true, warnOfFailure)
      .then((isDone) => {
        end();
        deliveries.delete(work);
        if (isDone) requestRound();
      });
    deliveries.add(work);
  }

  function warnOfFailure(error: unknown): false {
    if (!stopping.signal.aborted) warn(error);
    return false;
  }

  async function deliver({ accountId, id }: store.DueDelivery): Promise<void> {
    const inTransaction = <T>(work: (scope: AccountScope) => Promise<T>): Promise<T> =>
      turns.run(() => inAccount(platform, { accountId, actor: SYSTEM }, work));
    const reserved = await inTransaction((scope) => reserve(scope, id));
    if (!reserved) return;
    const begun = platform.now();
    const outcome = reserved.call ? await send({ ...reserved.call, caller: accountId, signal: stopping.signal }) : LOST_SECRET;
    await inTransaction((scope) => storeResult(scope, reserved.delivery, { ...outcome, begun }));
  }

  /** Posts a message. One that crashes the process is given up, because a retry would crash the next process too. */
  async function send(call: OutboundCall): Promise<Omit<SendResult, 'begun'>> {
    try {
      return await withCrashes(() => outbound.post(call));
    } catch (error) {
      if (error instanceof CrashError) return { ...CUT_OFF, isLast: true };
      throw error;
    }
  }

  /** Reserves a delivery and returns the call, or no call if the secret can't be read. Returns undefined if there is nothing to send. */
  async function reserve(
    scope: AccountScope,
    id: string,
  ): Promise<{ delivery: store.ReservedDelivery; call?: Omit<OutboundCall, 'caller'> } | undefined> {
    const until = new Date(scope.now.getTime() + limits.reservation);
    const delivery = await store.reserve(scope, id, { until, isCutOff: false });
    if (!delivery) {
      // An attempt whose process died counts as failed, because it may have crashed the process.
      const cutOff = await store.reserve(scope, id, { until, isCutOff: true });
      if (cutOff) await storeResult(scope, cutOff, { ...CUT_OFF, begun: platform.now() });
      return undefined;
    }
    const { webhook } = delivery;
    const facts = (await accounts.byScope(scope)) && (await factsOf(scope, delivery, { site: platform.config.publicUrl }));
    if (!facts) {
      await store.deleteDelivery(scope, id);
      return undefined;
    }
    const signing = secrets.signing(webhook, scope.now);
    if (!signing) return { delivery };
    const body = webhookBody(facts, webhook);
    const headers = signedHeaders({ id, at: scope.now, body }, signing);
    return { delivery, call: { url: webhook.url, headers, body } };
  }

  interface SendResult extends Omit<WebhookAttempt, 'at'> {
    readonly begun: number;
    readonly retryAfter?: number;
    /** Whether there is no retry. */
    readonly isLast?: boolean;
  }

  /** Stores the result of an attempt and its consequences. */
  async function storeResult(
    scope: AccountScope,
    { id, type, tries, webhook }: store.ReservedDelivery,
    outcome: SendResult,
  ): Promise<void> {
    const { status, error, duration, retryAfter = 0, begun, isLast = false } = outcome;
    if (error === 'busy') return store.postpone(scope, id, new Date(scope.now.getTime() + limits.busy));
    const attempt: WebhookAttempt = { at: begun, ...(status !== undefined && { status }), ...(error && { error }), duration };
    if (isDelivered(status)) {
      await store.addAttempt(scope, id, { attempt, status: 'delivered' });
      return store.clearFailing(scope, webhook.id);
    }
    const isTest = type === 'webhook.test';
    const wait = isLast || isTest || status === GONE ? undefined : waitAfter(tries + 1, (platform.random(1)[0] as number) / 255);
    const due = wait === undefined ? undefined : new Date(scope.now.getTime() + Math.max(wait, retryAfter));
    await store.addAttempt(scope, id, { attempt, status: due ? 'waiting' : 'failed', due });
    if (isTest) return undefined;
    await store.markFailing(scope, webhook.id);
    if (status === GONE) return turnOff(scope, webhook.id);
    if (!due && (await store.markWarned(scope, webhook.id))) await record(scope, 'webhook.failing', { subject: webhook.id, data: {} });
  }

  async function turnOff(scope: AccountScope, id: string): Promise<void> {
    if (!(await store.markGone(scope, id))) return;
    await record(scope, 'webhook.gone', { subject: id, data: {} });
    await platform.jobs.queue(scope.db, 'webhook.give-up', { accountId: scope.accountId, webhookId: id });
  }
}

/** Counts as an attempt, so that it is retried like others and admins are notified. */
const LOST_SECRET = { error: 'lost-secret', duration: 0 } as const;
const CUT_OFF = { error: 'cut-off', duration: 0 } as const;
/** The HTTP status of a receiver that is permanently gone. */
const GONE = 410;
const isDelivered = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;
