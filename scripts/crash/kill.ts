import { setTimeout as sleep } from 'node:timers/promises';
import type { Victim } from './victim.ts';

interface Killing {
  readonly target: 'node' | 'postgres';
  readonly kills: number;
  readonly progress: (done: number) => void;
}

/** Ms of undisturbed load before a kill, at most: from amid the first submissions to amid a steady stream. */
const LONGEST_UPTIME = 300;
const REPORT_EVERY = 20;

/** Kills again and again, each time at a random moment. */
export async function killServers(victim: Victim, { target, kills, progress }: Killing): Promise<void> {
  for (let done = 1; done <= kills; done += 1) {
    await sleep(Math.random() * LONGEST_UPTIME);
    await (target === 'node' ? victim.killNode() : victim.killPostgres());
    if (done % REPORT_EVERY === 0) progress(done);
  }
}
