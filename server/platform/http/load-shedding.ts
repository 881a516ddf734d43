import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import type { MetricGroup } from '../metrics.ts';

/**
 * Requests that are refused when the process can't keep up: the team's first, then sign-ins. Visitors are never refused; their
 * submissions have separate limits.
 */
type Shedding = 'team' | 'sign-in';

/** Average event loop delay (ms) from which a lane is refused. @limit shedding */
const SHED_FROM: Readonly<Record<Shedding, number>> = { team: 250, 'sign-in': 500 };
const LANES = ['team', 'sign-in'] as const satisfies readonly Shedding[];
/** In ms. */
const SAMPLED_EVERY = 500;
/** Samples in a row, because a single long pause is no overload. @limit shedding */
const IN_A_ROW = 2;
/** Range of the retry delay (seconds), so that refused callers don't all return at once. */
const SPREAD = 3;

export interface LoadWatch {
  /** Refuses `overloaded` if this lane is shed now. */
  shed(lane: Shedding): void;
  readonly metrics: MetricGroup;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The lane of this route; visitors by default. */
    readonly sheds?: Shedding;
  }
}

/** Watches the event loop delay, and refuses requests to routes that have a lane. */
export function watchLoad(http: FastifyInstance, lateness = openDelayMeter()): LoadWatch {
  let latest: number[] = [];
  const timer = setInterval(() => {
    latest = [...latest, lateness.sample()].slice(-IN_A_ROW);
  }, SAMPLED_EVERY).unref();
  http.addHook('onClose', async () => {
    clearInterval(timer);
    lateness.stop();
  });
  const refused: Record<Shedding, number> = { team: 0, 'sign-in': 0 };
  const metrics: MetricGroup = {
    help: {
      afterword_late_seconds: 'Average event loop delay of this process in the last half second.',
      afterword_lane_refusing: 'Whether this process currently refuses a lane because it cannot keep up; visitors are never refused.',
      afterword_lane_refused: 'How often this process has refused a lane since its start.',
    },
    labels: { afterword_lane_refusing: ['lane'], afterword_lane_refused: ['lane'] },
    read: async () => ({
      afterword_late_seconds: Math.max(0, latest.at(-1) ?? 0) / 1000,
      afterword_lane_refusing: LANES.map((lane) => ({ labels: { lane }, value: Number(isShed(lane)) })),
      afterword_lane_refused: LANES.map((lane) => ({ labels: { lane }, value: refused[lane] })),
    }),
  };
  const load = { shed, metrics };
  // Fastify answers what a hook throws.
  http.addHook('onRequest', ({ routeOptions: { config } }, _reply, done) => {
    if (config.sheds) shed(config.sheds);
    done();
  });
  return load;

  function shed(lane: Shedding): void {
    if (!isShed(lane)) return;
    refused[lane] += 1;
    throw refusal('overloaded', { retryAfter: 1 + Math.floor(Math.random() * SPREAD) });
  }

  function isShed(lane: Shedding): boolean {
    return latest.length === IN_A_ROW && latest.every((ms) => ms >= SHED_FROM[lane]);
  }
}

/** Measures the event loop delay. */
export interface DelayMeter {
  /** Returns the mean since the last sample (ms). */
  sample(): number;
  stop(): void;
}

const RESOLUTION = 20;

export function openDelayMeter(): DelayMeter {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  let since = performance.now();
  return {
    sample() {
      // The histogram measures whole intervals, including the regular `RESOLUTION`. Without one, all the time was a delay.
      const mean = histogram.count > 0 ? histogram.mean / 1e6 - RESOLUTION : performance.now() - since;
      histogram.reset();
      since = performance.now();
      return mean;
    },
    stop: () => histogram.disable(),
  };
}
