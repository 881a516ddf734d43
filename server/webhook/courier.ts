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
  /** How often it looks for what is due. */
  poll: 1_000,
  /** Deliveries under way (`FairnessLimits`). */
  ofOne: 10,
  ofFailing: 2,
  ofAccount: 20,
  toFailing: 100,
  inAll: 200,
  /** For so long a delivery is its process's own. Longer than a call lasts. */
  taken: 60_000,
  /** So much later one is tried whose host had enough to do. */
  busy: 2_000,
  /** How long stopping waits for calls that are under way. */
  stop: 5_000,
  /** Connections to the database. */
  turns: 2,
} as const;

type CourierPlatform = Pick<Platform, 'database' | 'now' | 'secret' | 'random' | 'config' | 'log' | 'jobs'>;

/** Brings deliveries to their webhooks. */
export interface Courier {
  /** Starts to look for what is due. Called in worker processes only. */
  start(): void;
  /** Lets calls come to an end; what takes too long is left for another process. */
  stop(): Promise<void>;
}

/**
 * Takes what is due, sends it, and settles the result. The first and last step are a transaction each and the middle one is the call,
 * so a receiver that hangs holds no connection to the database. How many are under way: fairness.ts.
 */
export function openCourier(
  platform: CourierPlatform,
  outbound: Outbound,
  given: Partial<Record<keyof typeof LIMITS, number>> = {},
): Courier {
  const limits = { ...LIMITS, ...given };
  const secrets = openSecrets(platform.secret);
  const warn = warnSeldom(platform.log, 'webhooks could not be looked after; what is due waits');
  const turns = createLimiter({ atOnce: limits.turns, waiting: Infinity, full: () => new Error('Never full') });
  const ending = new AbortController();
  const fairness = openFairness(limits);
  const underWay = new Set<Promise<void>>();
  let running: Promise<void> | undefined;
  let isAsked = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  return {
    start() {
      timer = setInterval(look, limits.poll);
      look();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
      const all = Promise.all(underWay);
      const late = setTimeout(() => ending.abort(), limits.stop);
      await all;
      clearTimeout(late);
    },
  };

  /** Takes one round at a time; one that is asked for meanwhile follows. */
  function look(): void {
    isAsked = true;
    running ??= lookAll().finally(() => {
      running = undefined;
    });
  }

  async function lookAll(): Promise<void> {
    try {
      while (isAsked && !isStopped) {
        isAsked = false;
        await beginSome(fairness.left());
      }
    } catch (error) {
      warn(error);
    }
  }

  async function beginSome(most: number): Promise<void> {
    if (most <= 0) return;
    let withoutRoom = 0;
    const rows = await turns.run(() =>
      inEveryAccount(platform, (scope) => store.due(scope, { busy: fairness.busy(), each: limits.ofOne, most })),
    );
    for (const each of rows)
      if (fairness.hasRoom(each)) begin(each);
      else withoutRoom += 1;
    // Deliveries without room must not block the ones queued after them.
    if (withoutRoom > 0 && rows.length === most) isAsked = true;
  }

  function begin(delivery: store.DueDelivery): void {
    const end = fairness.add(delivery);
    // Where it fails, the next poll looks again: what fails at once must not be tried without a pause.
    const work = deliver(delivery)
      .then(() => true, failed)
      .then((isDone) => {
        end();
        underWay.delete(work);
        if (isDone) look();
      });
    underWay.add(work);
  }

  function failed(error: unknown): false {
    if (!ending.signal.aborted) warn(error);
    return false;
  }

  async function deliver({ accountId, id }: store.DueDelivery): Promise<void> {
    const inIts = <T>(work: (scope: AccountScope) => Promise<T>): Promise<T> =>
      turns.run(() => inAccount(platform, { accountId, actor: SYSTEM }, work));
    const taken = await inIts((scope) => take(scope, id));
    if (!taken) return;
    const begun = platform.now();
    const outcome = taken.call ? await send({ ...taken.call, caller: accountId, signal: ending.signal }) : LOST_SECRET;
    await inIts((scope) => settle(scope, taken.delivery, { ...outcome, begun }));
  }

  /** Posts a message. One whose sending crashes the process is given up: trying it again would end the next process too. */
  async function send(call: OutboundCall): Promise<Omit<Settled, 'begun'>> {
    try {
      return await withCrashes(() => outbound.post(call));
    } catch (error) {
      if (error instanceof CrashError) return { ...CUT_OFF, isLast: true };
      throw error;
    }
  }

  /** What is to be sent, where this process takes it; without a call where nothing can sign it. */
  async function take(
    scope: AccountScope,
    id: string,
  ): Promise<{ delivery: store.TakenDelivery; call?: Omit<OutboundCall, 'caller'> } | undefined> {
    const until = new Date(scope.now.getTime() + limits.taken);
    const delivery = await store.take(scope, id, { until, isCutOff: false });
    if (!delivery) {
      // A try whose process ended counts as failed: it may be what ended it.
      const cutOff = await store.take(scope, id, { until, isCutOff: true });
      if (cutOff) await settle(scope, cutOff, { ...CUT_OFF, begun: platform.now() });
      return undefined;
    }
    const { webhook } = delivery;
    const facts = (await accounts.byScope(scope)) && (await factsOf(scope, delivery, { site: platform.config.publicUrl }));
    if (!facts) {
      await store.drop(scope, id);
      return undefined;
    }
    const signing = secrets.signing(webhook, scope.now);
    if (!signing) return { delivery };
    const body = webhookBody(facts, webhook);
    const headers = signedHeaders({ id, at: scope.now, body }, signing);
    return { delivery, call: { url: webhook.url, headers, body } };
  }

  interface Settled extends Omit<WebhookAttempt, 'at'> {
    readonly begun: number;
    readonly retryAfter?: number;
    /** Whether it isn't tried again. */
    readonly isLast?: boolean;
  }

  /** Stores the result of a try, and what follows from it. */
  async function settle(scope: AccountScope, { id, type, tries, webhook }: store.TakenDelivery, outcome: Settled): Promise<void> {
    const { status, error, duration, retryAfter = 0, begun, isLast = false } = outcome;
    if (error === 'busy') return store.putOff(scope, id, new Date(scope.now.getTime() + limits.busy));
    const attempt: WebhookAttempt = { at: begun, ...(status !== undefined && { status }), ...(error && { error }), duration };
    if (isTaken(status)) {
      await store.addAttempt(scope, id, { attempt, status: 'delivered' });
      return store.markWell(scope, webhook.id);
    }
    const isTest = type === 'webhook.test';
    const wait = isLast || isTest || status === GONE ? undefined : waitAfter(tries + 1, (platform.random(1)[0] as number) / 255);
    const due = wait === undefined ? undefined : new Date(scope.now.getTime() + Math.max(wait, retryAfter));
    await store.addAttempt(scope, id, { attempt, status: due ? 'waiting' : 'failed', due });
    if (isTest) return undefined;
    await store.markFailing(scope, webhook.id);
    if (status === GONE) return stopped(scope, webhook.id);
    if (!due && (await store.markWarned(scope, webhook.id))) await record(scope, 'webhook.failing', { subject: webhook.id, data: {} });
  }

  async function stopped(scope: AccountScope, id: string): Promise<void> {
    if (!(await store.markGone(scope, id))) return;
    await record(scope, 'webhook.gone', { subject: id, data: {} });
    await platform.jobs.queue(scope.db, 'webhook.give-up', { accountId: scope.accountId, webhookId: id });
  }
}

/** Counts as a try, so that it waits as long as others do, and the webhook's admins are told. */
const LOST_SECRET = { error: 'lost-secret', duration: 0 } as const;
const CUT_OFF = { error: 'cut-off', duration: 0 } as const;
/** The receiver says that nobody will ever listen there again. */
const GONE = 410;
const isTaken = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;
