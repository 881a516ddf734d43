import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { NeighbourBusiness } from './business.ts';

/** What a neighbour does while others are attacked: answer a form, read the feed or the counts, sign in, listen; and whether the product says it is well. */
export type Watched = 'visitor' | 'feed' | 'counts' | 'sign-in' | 'stream' | 'health';

/** One request: how long it took from the moment it was meant to be asked (ms), and its status, 0 where no answer came. */
export interface Observation {
  readonly kind: Watched;
  readonly status: number;
  readonly ms: number;
}

/** What the neighbour saw, and the ids of what it was told is stored. */
interface Watching {
  readonly observed: readonly Observation[];
  readonly stored: readonly string[];
}

export interface Neighbour {
  /** Lets the neighbour ask while `work` lasts, and waits for its last answers. */
  during(kinds: readonly Watched[], work: Promise<unknown>): Promise<Watching>;
  leave(): Promise<void>;
}

export function openNeighbour(business: NeighbourBusiness): Neighbour {
  const thread = new Worker(new URL('./neighbour-client.ts', import.meta.url), { workerData: business });
  return {
    async during(kinds, work) {
      thread.postMessage(kinds);
      await work;
      thread.postMessage('stop');
      const [watching] = (await once(thread, 'message')) as [Watching];
      return watching;
    },
    leave: async () => void (await thread.terminate()),
  };
}
