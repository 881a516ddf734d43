import type { FastifyInstance } from 'fastify';
import type { EventSubscriber } from './event/relay.ts';
import type { Figures } from './platform/figures.ts';
import type { Work } from './platform/jobs/jobs.ts';

/** Everything that a module contributes to the product: returned by its `module.ts`, listed in `modules.ts`. */
export interface Module {
  /** Handlers by service and action. */
  readonly handlers?: HandlersByService;
  readonly subscribers?: readonly EventSubscriber[];
  /** Runs its background jobs; `jobs.ts` holds their policies and schedules. */
  readonly work?: Work;
  readonly metrics?: readonly Figures[];
  /** Adds its routes. Called once in a process that serves the web. */
  readonly serve?: (http: FastifyInstance) => Served | Promise<Served>;
  /** Starts its continuous work. Called once in a worker process. */
  readonly start?: () => void;
  /** Waits until everything it accepted is stored. Called once. */
  readonly stop?: () => unknown;
}

/** What a module measures and checks only where it serves the web. */
interface Served {
  readonly metrics?: readonly Figures[];
  /** Throws when the process can't do its work; part of the readiness check. */
  readonly check?: () => Promise<void>;
}

// Handlers are checked against their own operations where each module declares them.
export type HandlersByService = Readonly<Record<string, Readonly<Record<string, (caller: never, input: never) => Promise<unknown>>>>>;
