import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { line, median, milliseconds, quantile, times } from '../measure.ts';
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

const NAMES: Readonly<Record<Watched, string>> = {
  visitor: 'a visitor rates',
  feed: 'a person reads the feed',
  counts: 'a person reads the counts',
  'sign-in': 'a person signs in',
  stream: 'a live stream opens',
  health: 'the health check responds',
};

/** Prints the times of a kind of request beside those of a quiet phase. */
export function compareTimes(kind: Watched, quiet: readonly Observation[], attacked: readonly Observation[]): void {
  const before = timesOf(kind, quiet);
  const during = timesOf(kind, attacked);
  const refused = attacked.filter((observation) => observation.kind === kind && observation.status !== 200);
  const statuses = [...new Set(refused.map(({ status }) => status || 'no response'))].join(', ');
  const refusals =
    refused.length === 0 ? `none of ${during.length} refused` : `${refused.length} of ${during.length} refused (${statuses})`;
  const comparison = `${times(during.p99 / before.p99)} the quiet ${milliseconds(before.p99)}; median ${milliseconds(during.p50)}, quiet ${milliseconds(before.p50)}`;
  line(`    ${NAMES[kind]}, p99`, milliseconds(during.p99), `${comparison}; ${refusals}`);
}

function timesOf(kind: Watched, observed: readonly Observation[]): { p50: number; p99: number; length: number } {
  const durations = observed.filter((observation) => observation.kind === kind).map(({ ms }) => ms);
  return { p50: median(durations), p99: quantile(durations, 0.99), length: durations.length };
}
