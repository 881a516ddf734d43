import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './application.ts';
import type { Cluster } from './cluster.ts';
import type { Lease } from './lease.ts';
import { isAlive } from './lock-files.ts';
import { adoptOrStart } from './startup.ts';

interface Restarts {
  /** Resolves with the latest lease once no more restarts can happen. */
  stop(): Promise<Lease>;
}

/** Ms between checks of the process, for an exit that the connection doesn't reveal. */
const POLL_INTERVAL = 250;
/** Ms. A server that ran for less is restarted after a growing pause. */
const STABLE = 10_000;
/** Ms. */
const LONGEST_PAUSE = 5_000;

/** Restarts the server whenever it exits, and never gives up. */
export function restartWhenLost(cluster: Cluster, first: Lease): Restarts {
  const stopping = new AbortController();
  const last = watch(cluster, { first, signal: stopping.signal });
  return {
    stop() {
      stopping.abort();
      return last;
    },
  };
}

async function watch(cluster: Cluster, { first, signal }: { first: Lease; signal: AbortSignal }): Promise<Lease> {
  const logError = openRareErrorLog(cluster.log);
  let lease = first;
  for (let pause = 0; ; ) {
    const since = Date.now();
    await lossOf(lease, signal);
    if (signal.aborted) return lease;
    logError({ pid: lease.pid }, 'PostgreSQL was lost; restarting it');
    await lease.client.end().catch(() => undefined);
    pause = Date.now() - since < STABLE ? longerPause(pause) : 0;
    lease = (await restart(cluster, { lost: lease, pause, signal, logError })) ?? lease;
  }
}

/** Resolves when the server is lost or the restarts are stopped. */
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
  readonly logError: Log['error'];
}

/** Returns the lease of the restarted server; undefined if the restarts are stopped. */
async function restart(cluster: Cluster, { lost, pause, signal, logError }: Restart): Promise<Lease | undefined> {
  for (let wait = pause; !signal.aborted; wait = longerPause(wait)) {
    try {
      await sleep(wait, undefined, { signal });
      const lease = await adoptOrStart(cluster, { address: lost.address, signal });
      cluster.log.info({ pid: lease.pid }, 'PostgreSQL is back');
      return lease;
    } catch (error) {
      if (!signal.aborted) logError({ err: error }, 'PostgreSQL could not be started; retrying');
    }
  }
  return undefined;
}

/** Returns a logger that repeats a message, such as about a full disk, at most every `QUIET` ms. */
function openRareErrorLog(log: Log): Log['error'] {
  const quietUntil = new Map<string, number>();
  return (details, message) => {
    if (Date.now() < (quietUntil.get(message) ?? 0)) return;
    quietUntil.set(message, Date.now() + QUIET);
    log.error(details, message);
  };
}

const QUIET = 60_000;

const longerPause = (pause: number): number => Math.min(pause * 2 + 100, LONGEST_PAUSE);
