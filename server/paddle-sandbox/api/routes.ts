import type { FastifyRequest } from 'fastify';
import type { ListPage } from '../lists.ts';
import type { Fields } from '../request-fields.ts';
import type { SandboxWorld } from '../world.ts';

export interface ApiOptions {
  readonly world: SandboxWorld;
  readonly apiKey: string;
  /** Where checkouts open when a request does not say it. */
  readonly paymentLink: string | undefined;
  /** The address of a page of this sandbox for who made a request, which opens for an hour. `path` begins with a stroke. */
  readonly signedAddress: (request: FastifyRequest, path: string) => string;
  /** Waits until what was changed is kept. */
  readonly save: () => Promise<void>;
  /** Ends what hangs when the sandbox stops. */
  readonly stopping: AbortSignal;
}

/** What a route of the API is given. */
export interface ApiCall {
  readonly request: FastifyRequest;
  readonly id: string;
  readonly fields: Fields;
}

/** How the routes of the API are added: what the work gives is answered in Paddle's envelope. */
export interface ApiRoutes {
  readonly options: ApiOptions;
  get(path: string, work: (call: ApiCall) => object): void;
  list(path: string, work: (request: FastifyRequest) => ListPage): void;
  post(path: string, work: (call: ApiCall) => object, status?: number): void;
  patch(path: string, work: (call: ApiCall) => object): void;
}
