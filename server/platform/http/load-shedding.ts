import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import type { Figures } from '../figures.ts';

/**
 * Who gives way when the process cannot keep up: the team's reading and writing first, then signing in. Visitors never do;
 * what they send has limits of its own (docs/limits.md#shedding).
 */
type Shedding = 'team' | 'sign-in';

/** How late the process comes to its work on average (ms), and who is asked to come again from there on. */
const SHED_FROM: Readonly<Record<Shedding, number>> = { team: 250, 'sign-in': 500 };
const LANES = ['team', 'sign-in'] as const satisfies readonly Shedding[];
const SAMPLED_EVERY = 500;
/** Samples in a row before anybody is refused: one long pause is no overload. */
const IN_A_ROW = 2;
/** Whoever was refused comes again within so many seconds more, not all at the same moment. */
const SPREAD = 3;

/** How busy the process is. */
export interface LoadWatch {
  /** Refuses `overloaded` where this one gives way now. */
  shed(whose: Shedding): void;
  readonly figures: Figures;
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
  const refused: Record<Shedding, number> = { team: 0, 'sign-in': 0 };
  const figures: Figures = {
    help: {
      afterword_late_seconds: 'How late this process came to its work on average, in the last half second.',
      afterword_lane_refusing: 'Whether this process refuses a lane now, because it cannot keep up; visitors are never refused for it.',
      afterword_lane_refused: 'How often this process has refused a lane since its start.',
    },
    labels: { afterword_lane_refusing: ['lane'], afterword_lane_refused: ['lane'] },
    read: async () => ({
      afterword_late_seconds: Math.max(0, latest.at(-1) ?? 0) / 1000,
      afterword_lane_refusing: LANES.map((lane) => ({ labels: { lane }, value: Number(isShed(lane)) })),
      afterword_lane_refused: LANES.map((lane) => ({ labels: { lane }, value: refused[lane] })),
    }),
  };
  const load = { shed, figures };
  http.addHook('onRequest', async ({ routeOptions: { config } }) => {
    if (config.sheds) shed(config.sheds);
  });
  return load;

  function shed(whose: Shedding): void {
    if (!isShed(whose)) return;
    refused[whose] += 1;
    throw refusal('overloaded', { retryAfter: 1 + Math.floor(Math.random() * SPREAD) });
  }

  function isShed(whose: Shedding): boolean {
    return latest.length === IN_A_ROW && latest.every((ms) => ms >= SHED_FROM[whose]);
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
