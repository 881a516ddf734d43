import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './application.ts';
import type { Cluster } from './cluster.ts';
import type { Lease } from './lease.ts';
import { isAlive } from './lock-files.ts';
import { adoptOrStart } from './startup.ts';

export interface Restarts {
  /** Fulfilled with the newest lease when nothing will start a server any more. */
  stop(): Promise<Lease>;
}

/** Ms between looks at the process, for a death that the connection does not show. */
const POLL_INTERVAL = 250;
/** Ms. A server that ran for less is started again with a growing pause. */
const STABLE = 10_000;
/** Ms. */
const LONGEST_PAUSE = 5_000;

/** Starts the server again whenever it goes away, and never gives up. */
export function restartWhenLost(cluster: Cluster, first: Lease): Restarts {
  const ending = new AbortController();
  const last = watch(cluster, { first, signal: ending.signal });
  return {
    stop() {
      ending.abort();
      return last;
    },
  };
}

async function watch(cluster: Cluster, { first, signal }: { first: Lease; signal: AbortSignal }): Promise<Lease> {
  const complain = complainSeldom(cluster.log);
  let lease = first;
  for (let pause = 0; ; ) {
    const since = Date.now();
    await lossOf(lease, signal);
    if (signal.aborted) return lease;
    complain({ pid: lease.pid }, 'PostgreSQL has gone away; it is started again');
    await lease.client.end().catch(() => undefined);
    pause = Date.now() - since < STABLE ? longer(pause) : 0;
    lease = (await restart(cluster, { lost: lease, pause, signal, complain })) ?? lease;
  }
}

/** Also fulfilled when the restarts are stopped, or were stopped while the lease was taken. */
function lossOf(lease: Lease, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setInterval(() => !isAlive(lease.pid) && done(), POLL_INTERVAL).unref();
    const done = (): void => {
      clearInterval(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
    void lease.lost.then(done);
  });
}

interface Restart {
  readonly lost: Lease;
  readonly pause: number;
  readonly signal: AbortSignal;
  readonly complain: Log['error'];
}

/** Undefined only when the restarts are stopped. */
async function restart(cluster: Cluster, { lost, pause, signal, complain }: Restart): Promise<Lease | undefined> {
  for (let wait = pause; !signal.aborted; wait = longer(wait)) {
    try {
      await sleep(wait, undefined, { signal });
      const lease = await adoptOrStart(cluster, { address: lost.address, signal });
      cluster.log.info({ pid: lease.pid }, 'PostgreSQL is back');
      return lease;
    } catch (error) {
      if (!signal.aborted) complain({ err: error }, 'PostgreSQL could not be started; trying again');
    }
  }
  return undefined;
}

/** What lasts, as a full disk does, is said once in `QUIET` ms. */
function complainSeldom(log: Log): Log['error'] {
  const quietUntil = new Map<string, number>();
  return (details, message) => {
    if (Date.now() < (quietUntil.get(message) ?? 0)) return;
    quietUntil.set(message, Date.now() + QUIET);
    log.error(details, message);
  };
}

const QUIET = 60_000;

const longer = (pause: number): number => Math.min(pause * 2 + 100, LONGEST_PAUSE);
