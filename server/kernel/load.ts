import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { refusal } from '#contract/errors.ts';

/**
 * Who gives way when the process cannot keep up: the team's reading and writing first, then signing in. Visitors never do;
 * what they send has limits of its own (docs/limits.md#shedding).
 */
export type Shedding = 'team' | 'sign-in';

/** How late the process comes to its work on average (ms), and who is asked to come again from there on. */
const SHED_FROM: Readonly<Record<Shedding, number>> = { team: 250, 'sign-in': 500 };
const SAMPLED_EVERY = 500;
/** Samples in a row before anybody is refused: one long pause is no overload. */
const IN_A_ROW = 2;
/** Whoever was refused comes again within so many seconds more, not all at the same moment. */
const SPREAD = 3;

/** How busy the process is. */
export interface LoadWatch {
  /** Refuses `overloaded` where this one gives way now. */
  shed(whose: Shedding): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who asks at this route; visitors where it is not said. */
    readonly sheds?: Shedding;
  }
}

/** Watches how late timers and answers come, and refuses at routes that say so. */
export function watchLoad(http: FastifyInstance, lateness = openLateness()): LoadWatch {
  let latest: number[] = [];
  const timer = setInterval(() => {
    latest = [...latest, lateness.sample()].slice(-IN_A_ROW);
  }, SAMPLED_EVERY).unref();
  http.addHook('onClose', async () => {
    clearInterval(timer);
    lateness.stop();
  });
  const load = { shed };
  http.addHook('onRequest', async ({ routeOptions: { config } }) => {
    if (config.sheds) shed(config.sheds);
  });
  return load;

  function shed(whose: Shedding): void {
    const isOverloaded = latest.length === IN_A_ROW && latest.every((ms) => ms >= SHED_FROM[whose]);
    if (isOverloaded) throw refusal('overloaded', { retryAfter: 1 + Math.floor(Math.random() * SPREAD) });
  }
}

/** How late the process comes to its work. */
export interface Lateness {
  /** The mean since the last sample (ms). */
  sample(): number;
  stop(): void;
}

const RESOLUTION = 20;

/** Measures this process. */
export function openLateness(): Lateness {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  let since = performance.now();
  return {
    sample() {
      // It measures whole intervals, of which so much is as it should be. Where there was none, all the time was one.
      const mean = histogram.count > 0 ? histogram.mean / 1e6 - RESOLUTION : performance.now() - since;
      histogram.reset();
      since = performance.now();
      return mean;
    },
    stop: () => histogram.disable(),
  };
}
