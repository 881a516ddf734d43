import type { FastifyInstance } from 'fastify';
import type { EventSubscriber } from './event/relay.ts';
import type { Work } from './platform/jobs/jobs.ts';
import type { MetricGroup } from './platform/metrics.ts';

/** A module's contribution to the product, returned by its `module.ts` and listed in `modules.ts`. */
export interface Module {
  /** Handlers by service and action. */
  readonly handlers?: HandlersByService;
  readonly subscribers?: readonly EventSubscriber[];
  /** Runs its background jobs; `jobs.ts` has their policies and schedules. */
  readonly work?: Work;
  readonly metrics?: readonly MetricGroup[];
  /** Adds its routes. Called once in a process that serves the web. */
  readonly serve?: (http: FastifyInstance) => WebParts | Promise<WebParts>;
  /** Starts its continuous work. Called once in a worker process. */
  readonly start?: () => void;
  /** Waits until everything it accepted is stored. Called once. */
  readonly stop?: () => unknown;
}

/** Metrics and checks of a module that exist only in a process that serves the web. */
interface WebParts {
  readonly metrics?: readonly MetricGroup[];
  /** Part of the readiness check; throws if the process can't do its work. */
  readonly check?: () => Promise<void>;
}

// Handlers are checked against their own operations where each module declares them.
export type HandlersByService = Readonly<Record<string, Readonly<Record<string, (caller: never, input: never) => Promise<unknown>>>>>;
