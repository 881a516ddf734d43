import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { isAlive } from './lock-files.ts';
import { type Hold, takeHold } from './startup.ts';

export interface Supervision {
  /** Fulfilled when nothing will start a server any more, with the last one there was. */
  stop(): Promise<Hold>;
}

/** Ms between looks at the process, for a death that the connection does not show. */
const LOOK = 250;
/** Ms. A server that ran for less is started again with a growing pause. */
const STABLE = 10_000;
const LONGEST_PAUSE = 5_000;

/** Starts the server again whenever it goes away, and never gives up. */
export function supervise(cluster: Cluster, first: Hold): Supervision {
  const ending = new AbortController();
  const last = watch(cluster, { first, signal: ending.signal });
  return {
    stop() {
      ending.abort();
      return last;
    },
  };
}

async function watch(cluster: Cluster, { first, signal }: { first: Hold; signal: AbortSignal }): Promise<Hold> {
  let hold = first;
  for (let pause = 0; ; ) {
    const since = Date.now();
    await lossOf(hold, signal);
    if (signal.aborted) return hold;
    cluster.log.error({ pid: hold.pid }, 'PostgreSQL has gone away; it is started again');
    await hold.client.end().catch(() => undefined);
    pause = Date.now() - since < STABLE ? longer(pause) : 0;
    hold = (await regain(cluster, { lost: hold, pause, signal })) ?? hold;
  }
}

/** Also fulfilled when the supervision ends, or has ended while the hold was taken. */
function lossOf(hold: Hold, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setInterval(() => !isAlive(hold.pid) && done(), LOOK).unref();
    const done = (): void => {
      clearInterval(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
    void hold.lost.then(done);
  });
}

interface Regain {
  readonly lost: Hold;
  readonly pause: number;
  readonly signal: AbortSignal;
}

/** Undefined only when the supervision ends. */
async function regain(cluster: Cluster, { lost, pause, signal }: Regain): Promise<Hold | undefined> {
  for (let wait = pause; !signal.aborted; wait = longer(wait)) {
    try {
      await sleep(wait, undefined, { signal });
      const hold = await takeHold(cluster, { address: lost.address, signal });
      cluster.log.info({ pid: hold.pid }, 'PostgreSQL is back');
      return hold;
    } catch (error) {
      if (!signal.aborted) cluster.log.error({ err: error }, 'PostgreSQL could not be started; trying again');
    }
  }
  return undefined;
}

const longer = (pause: number): number => Math.min(pause * 2 + 100, LONGEST_PAUSE);
