import { ITSELF } from '#contract/event.ts';
import { type WebhookAttempt, waitAfter } from '#contract/webhook.ts';
import { webhookBody } from '#contract/webhook-payload.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import { type AccountScope, inAccount, inEveryAccount } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import { createLimiter } from '../kernel/limiter.ts';
import { warnSeldom } from '../kernel/log.ts';
import type { Outbound, OutboundCall } from '../kernel/outbound.ts';
import { factsOf } from './facts.ts';
import { openSecrets } from './secrets.ts';
import { signedHeaders } from './signature.ts';
import * as store from './store.ts';

/** Times in ms. docs/limits.md#webhooks-at-once. */
const LIMITS = {
  /** How often it looks for what is due. */
  poll: 1_000,
  /** Deliveries under way: of one webhook, of one account, to all webhooks that nothing has arrived at lately, and of a process. */
  ofOne: 2,
  ofAccount: 10,
  toFailing: 50,
  inAll: 100,
  /** For so long a delivery is its process's own. Longer than a call lasts. */
  taken: 60_000,
  /** So much later one is tried whose host had enough to do. */
  busy: 2_000,
  /** How long stopping waits for calls that are under way. */
  stop: 5_000,
  /** Connections to the database. */
  turns: 2,
} as const;

type CourierKernel = Pick<Kernel, 'database' | 'now' | 'secret' | 'random' | 'config' | 'log' | 'jobs'>;

/** Brings deliveries to their webhooks. */
export interface Courier {
  /** Starts to look for what is due. Called in worker processes only. */
  start(): void;
  /** Lets calls come to an end; what takes too long is left for another process. */
  stop(): Promise<void>;
}

/**
 * Takes what is due, sends it, and notes what came of it. Each delivery has its own three steps, of which the first and last are a
 * transaction and the middle one is the call: a receiver that hangs holds its own two deliveries, and no connection to the database.
 * However many hang, an account holds its share, and from the first timeout on they leave half of all to those that answer.
 */
export function openCourier(kernel: CourierKernel, outbound: Outbound, given: Partial<Record<keyof typeof LIMITS, number>> = {}): Courier {
  const limits = { ...LIMITS, ...given };
  const secrets = openSecrets(kernel.secret);
  const warn = warnSeldom(kernel.log, 'webhooks could not be looked after; what is due waits');
  const turns = createLimiter({ atOnce: limits.turns, waiting: Infinity, full: () => new Error('Never full') });
  const ending = new AbortController();
  const underWay = new Map<Promise<void>, store.DueDelivery>();
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
      const all = Promise.all(underWay.keys());
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
        await beginSome(limits.inAll - underWay.size);
      }
    } catch (error) {
      warn(error);
    }
  }

  async function beginSome(most: number): Promise<void> {
    if (most <= 0) return;
    let left = 0;
    const found = await turns.run(() => due(most));
    for (const each of found)
      if (hasRoom(each)) begin(each);
      else left += 1;
    // What its account or webhook has no room for must keep nobody waiting who stands behind it.
    if (left > 0 && found.length === most) isAsked = true;
  }

  function due(most: number): Promise<store.DueDelivery[]> {
    const busy = {
      webhooks: crowded('webhookId', limits.ofOne),
      accounts: crowded('accountId', limits.ofAccount),
      failing: countOf(({ isFailing }) => isFailing) >= limits.toFailing,
    };
    return inEveryAccount(kernel, (scope) => store.due(scope, { busy, each: limits.ofOne, most }));
  }

  function crowded(whose: 'webhookId' | 'accountId', most: number): string[] {
    const ids = new Set([...underWay.values()].map((each) => each[whose]));
    return [...ids].filter((id) => countOf((each) => each[whose] === id) >= most);
  }

  function hasRoom({ accountId, webhookId, isFailing }: store.DueDelivery): boolean {
    return (
      countOf((each) => each.webhookId === webhookId) < limits.ofOne &&
      countOf((each) => each.accountId === accountId) < limits.ofAccount &&
      !(isFailing && countOf((each) => each.isFailing) >= limits.toFailing)
    );
  }

  function countOf(is: (each: store.DueDelivery) => boolean): number {
    return [...underWay.values()].filter(is).length;
  }

  function begin(delivery: store.DueDelivery): void {
    // Where it fails, the next poll looks again: what fails at once must not be tried without a pause.
    const work = deliver(delivery)
      .then(() => true, failed)
      .then((isDone) => {
        underWay.delete(work);
        if (isDone) look();
      });
    underWay.set(work, delivery);
  }

  function failed(error: unknown): false {
    if (!ending.signal.aborted) warn(error);
    return false;
  }

  async function deliver({ accountId, id }: store.DueDelivery): Promise<void> {
    const inIts = <T>(work: (scope: AccountScope) => Promise<T>): Promise<T> =>
      turns.run(() => inAccount(kernel, { accountId, actor: ITSELF }, work));
    const taken = await inIts((scope) => take(scope, id));
    if (!taken) return;
    const begun = kernel.now();
    const outcome = taken.call ? await outbound.post({ ...taken.call, caller: accountId, signal: ending.signal }) : LOST_SECRET;
    await inIts((scope) => settle(scope, taken.delivery, { ...outcome, begun }));
  }

  /** What is to be sent, where this process takes it; without a call where nothing can sign it. */
  async function take(
    scope: AccountScope,
    id: string,
  ): Promise<{ delivery: store.TakenDelivery; call?: Omit<OutboundCall, 'caller'> } | undefined> {
    const delivery = await store.take(scope, id, new Date(scope.now.getTime() + limits.taken));
    if (!delivery) return undefined;
    const { webhook } = delivery;
    const facts = (await accounts.byScope(scope)) && (await factsOf(scope, delivery, { site: kernel.config.publicUrl }));
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
  }

  /** Notes what came of a try, and what follows from it. */
  async function settle(scope: AccountScope, { id, type, tries, webhook }: store.TakenDelivery, outcome: Settled): Promise<void> {
    const { status, error, duration, retryAfter = 0, begun } = outcome;
    if (error === 'busy') return store.putOff(scope, id, new Date(scope.now.getTime() + limits.busy));
    const attempt: WebhookAttempt = { at: begun, ...(status !== undefined && { status }), ...(error && { error }), duration };
    if (isTaken(status)) {
      await store.addAttempt(scope, id, { attempt, status: 'delivered' });
      return store.markWell(scope, webhook.id);
    }
    const isTest = type === 'webhook.test';
    const wait = isTest || status === GONE ? undefined : waitAfter(tries + 1, (kernel.random(1)[0] as number) / 255);
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
    await kernel.jobs.queue(scope.db, 'webhook.give-up', { accountId: scope.accountId, webhookId: id });
  }
}

/** Counts as a try, so that it waits as long as others do, and the webhook's admins are told. */
const LOST_SECRET = { error: 'lost-secret', duration: 0 } as const;
/** The receiver says that nobody will ever listen there again. */
const GONE = 410;
const isTaken = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;
