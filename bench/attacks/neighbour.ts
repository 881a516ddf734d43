import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { NeighbourBusiness } from './business.ts';

/** What a neighbour does during an attack: answer a form, read the feed or counts, sign in or open a stream; and the health check. */
export type Watched = 'visitor' | 'feed' | 'counts' | 'sign-in' | 'stream' | 'health';

/** One request: its time since it was due (ms), and its status, or 0 without a response. */
export interface Observation {
  readonly kind: Watched;
  readonly status: number;
  readonly ms: number;
}

/** The neighbour's requests, and the ids of its acknowledged answers. */
interface NeighbourResult {
  readonly observed: readonly Observation[];
  readonly stored: readonly string[];
}

export interface Neighbour {
  /** Runs the neighbour until `work` is done, and waits for its last responses. */
  during(kinds: readonly Watched[], work: Promise<unknown>): Promise<NeighbourResult>;
  stop(): Promise<void>;
}

export function openNeighbour(business: NeighbourBusiness): Neighbour {
  const thread = new Worker(new URL('./neighbour-client.ts', import.meta.url), { workerData: business });
  return {
    async during(kinds, work) {
      thread.postMessage(kinds);
      await work;
      thread.postMessage('stop');
      const [result] = (await once(thread, 'message')) as [NeighbourResult];
      return result;
    },
    stop: async () => void (await thread.terminate()),
  };
}
