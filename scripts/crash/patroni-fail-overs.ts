import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Campaign, Scene } from './campaign.ts';
import { VISITORS } from './load.ts';
import { openPatroniCluster, type PatroniCluster } from './patroni-cluster.ts';
import { until } from './until.ts';
import type { Victim } from './victim.ts';

interface PatroniFailOvers {
  readonly name: string;
  readonly rounds: number;
  /** Whether commits wait for a standby. Otherwise, commits that none has received are lost. */
  readonly isSynchronous: boolean;
}

interface Round {
  readonly target: 'server' | 'machine';
  /** Whether the standbys lag behind when the primary dies. */
  readonly lags: boolean;
}

/** Longest load before the primary dies or its standbys start to lag (ms). */
const LONGEST_UPTIME = 5_000;
const ROUNDS: readonly Round[] = [
  { target: 'server', lags: true },
  { target: 'machine', lags: true },
  { target: 'server', lags: false },
  { target: 'machine', lags: false },
];
/** Long enough for Patroni to notice that the standbys lag (ms). */
const LAG_TIME = 2_500;
/** The time within which writes must be acknowledged again (ms). */
const BACK_WITHIN = 15_000;
const OVER_WITHIN = 60_000;

/** Repeatedly kills the primary, which Patroni replaces with a standby. */
export function patroniFailOvers({ name, rounds, isSynchronous }: PatroniFailOvers): Campaign {
  let cluster: PatroniCluster;
  return {
    name: `${name}, ${rounds} times`,
    loses: !isSynchronous,
    async prepare(folder) {
      cluster = await openPatroniCluster(folder, { isSynchronous });
      const database = { url: cluster.url, connection: () => cluster.connection() };
      return { dataDir: path.join(folder, 'data'), database, remove: () => cluster.stop() };
    },
    async damage(scene) {
      const faults: string[] = [];
      for (let done = 0; done < rounds; done += 1) {
        const round = ROUNDS[done % ROUNDS.length];
        if (round) faults.push(...(await failOver(scene, cluster, round)));
        await cluster.restore();
      }
      // The control must lose something; a late round doesn't count.
      return isSynchronous ? faults : [];
    },
  };
}

async function failOver({ victim, ledger, random, say }: Scene, cluster: PatroniCluster, { target, lags }: Round): Promise<string[]> {
  await sleep(random(LONGEST_UPTIME));
  if (lags) {
    await cluster.holdReplication();
    await writeMuch(victim);
    await sleep(LAG_TIME);
  }
  const since = Date.now();
  await (target === 'machine' ? cluster.loseMachine() : cluster.killPrimary());
  const before = ledger.entries.size;
  // Each visitor may receive one acknowledgement from before.
  const isBack = await until(async () => ledger.entries.size > before + VISITORS, OVER_WITHIN);
  const duration = Date.now() - since;
  say(
    `${target} lost${lags ? ' while the standbys lagged' : ''}; ${isBack ? 'acknowledges again' : 'nothing acknowledged'} after ${duration} ms`,
  );
  return duration > BACK_WITHIN ? [`nothing acknowledged within ${BACK_WITHIN} ms of the loss of a ${target}`] : [];
}

/** Writes more than Patroni's default for the lag of a standby it promotes, and acknowledges none of it to a visitor. */
async function writeMuch(victim: Victim): Promise<void> {
  const client = await victim.connect();
  await client.query(`select count(pg_logical_emit_message(false, 'crash', repeat('x', 1000000))) from generate_series(1, 4)`);
  await client.end();
}
