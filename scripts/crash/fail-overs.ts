import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openReplicatedPostgres, type ReplicatedPostgres } from '../../test/support/postgres/replicated.ts';
import type { Campaign, Scene } from './campaign.ts';
import { until } from './until.ts';

interface FailOvers {
  readonly name: string;
  readonly rounds: number;
  /** Whether commits wait for the standby. Otherwise, commits it hasn't received are lost. */
  readonly isSynchronous: boolean;
}

/** Returns why this machine can't run two servers: the first one's processes are found in /proc. */
export const whyNoPair = async (): Promise<string | undefined> => (process.platform === 'linux' ? undefined : 'it needs Linux');

/** Longest load before the network between the servers is cut (ms). */
const LONGEST_UPTIME = 2_000;
/** Time from the cut to the primary's end (ms), in turn: during a commit, after a while, and after each visitor's request has timed out once. */
const CUT_FOR = [0, 500, 6_000];
const OVER_WITHIN = 30_000;

/** Repeatedly cuts the network between primary and standby, kills the primary, and promotes the standby. */
export function failOvers({ name, rounds, isSynchronous }: FailOvers): Campaign {
  let pair: ReplicatedPostgres;
  return {
    name: `${name}, ${rounds} times`,
    loses: !isSynchronous,
    async prepare(folder) {
      pair = await openReplicatedPostgres();
      const database = { url: pair.url, connection: () => pair.connection() };
      return { dataDir: path.join(folder, 'data'), database, remove: () => pair.stop() };
    },
    async damage(scene) {
      const faults: string[] = [];
      for (let done = 0; done < rounds; done += 1) {
        await pair.setSynchronous(isSynchronous);
        await sleep(scene.random(LONGEST_UPTIME));
        faults.push(...(await failOver(scene, { pair, cutFor: CUT_FOR[done % CUT_FOR.length] ?? 0 })));
        await pair.rebuild();
      }
      return faults;
    },
  };
}

async function failOver({ ledger, say }: Scene, { pair, cutFor }: { pair: ReplicatedPostgres; cutFor: number }): Promise<string[]> {
  pair.cut();
  await sleep(cutFor);
  await pair.killPrimary();
  await pair.promote();
  const [before, since] = [ledger.entries.size, Date.now()];
  const isOver = await until(async () => ledger.entries.size > before, OVER_WITHIN);
  if (!isOver) return [`nothing acknowledged within ${OVER_WITHIN} ms of the promotion`];
  say(`network cut ${cutFor} ms before the end; acknowledges again ${Date.now() - since} ms after the promotion`);
  return [];
}
