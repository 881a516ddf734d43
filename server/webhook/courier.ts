import type { Platform } from '../platform/context.ts';
import { warnSeldom } from '../platform/log/log.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import { openRounds } from '../platform/rounds.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';
import { createLimiter } from '../platform/tenancy/limiter.ts';
import { deliver } from './delivery.ts';
import * as store from './delivery-store.ts';
import { openFairness } from './fairness.ts';
import { openSecrets } from './secrets.ts';

/** Times in ms. */
const LIMITS = {
  /** How often due deliveries are read (ms). @limit webhooks-at-once */
  poll: 1_000,
  /** Concurrent deliveries of a process (`FairnessLimits`), so that a hanging receiver delays only its own. @limit webhooks-at-once */
  perWebhook: 10,
  perFailingWebhook: 2,
  perAccount: 20,
  failingTotal: 100,
  total: 200,
  /** How long a process reserves a delivery (ms). Longer than a call lasts. @limit webhooks-at-once */
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

/** Delivers what is due: fairness.ts limits how many deliveries run at a time, delivery.ts runs one. */
export function openCourier(
  platform: CourierPlatform,
  outbound: Outbound,
  changes: Partial<Record<keyof typeof LIMITS, number>> = {},
): Courier {
  const limits = { ...LIMITS, ...changes };
  const warn = warnSeldom(platform.log, 'could not send webhook deliveries; retrying');
  const turns = createLimiter({ atOnce: limits.turns, waiting: Infinity, full: () => new Error('Never full') });
  const stopping = new AbortController();
  const context = { platform, outbound, secrets: openSecrets(platform.secret), turns, stopping: stopping.signal, limits };
  const fairness = openFairness(limits);
  const deliveries = new Set<Promise<void>>();
  const rounds = openRounds({ every: limits.poll, round: beginDue, warn });
  let isStopped = false;

  return {
    start: rounds.start,
    async stop() {
      isStopped = true;
      await rounds.stop();
      const timer = setTimeout(() => stopping.abort(), limits.stop);
      await Promise.all(deliveries);
      clearTimeout(timer);
    },
  };

  async function beginDue(): Promise<void> {
    const freePlaces = fairness.left();
    if (isStopped || freePlaces <= 0) return;
    const query = { busy: fairness.busy(), each: limits.perWebhook, most: freePlaces };
    const rows = await turns.run(() => inEveryAccount(platform, (scope) => store.due(scope, query)));
    let withoutRoom = 0;
    for (const row of rows)
      if (fairness.hasRoom(row)) begin(row);
      else withoutRoom += 1;
    // Deliveries without room must not block the ones queued after them.
    if (withoutRoom > 0 && rows.length === freePlaces) rounds.request();
  }

  function begin(due: store.DueDelivery): void {
    const end = fairness.add(due);
    // After a failure the next poll tries again, so that an immediate failure isn't repeated without a pause.
    const work = deliver(context, due)
      .then(() => true, warnOfFailure)
      .then((isDone) => {
        end();
        deliveries.delete(work);
        if (isDone) rounds.request();
      });
    deliveries.add(work);
  }

  function warnOfFailure(error: unknown): false {
    if (!stopping.signal.aborted) warn(error);
    return false;
  }
}
