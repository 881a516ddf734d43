import { setTimeout as sleep } from 'node:timers/promises';
import type { Campaign } from './campaign.ts';
import { type Fleet, openFleet } from './fleet.ts';

interface RollingRestarts {
  readonly name: string;
  readonly rounds: number;
  /** Whether each process is ready before the next is restarted. Otherwise all are restarted at once, and visitors are refused. */
  readonly isOneByOne: boolean;
}

/** Longest load before the processes are restarted (ms). */
const LONGEST_UPTIME = 2_000;

/** Repeatedly restarts every process of a fleet. No visitor may be refused, or have to retry. */
export function rollingRestarts({ name, rounds, isOneByOne }: RollingRestarts): Campaign {
  let fleet: Fleet;
  return {
    name: `${name}, ${rounds} times`,
    loses: !isOneByOne,
    async open(folder) {
      fleet = await openFleet(folder);
      return fleet.whole;
    },
    async damage({ load, random, say }) {
      for (let done = 1; done <= rounds; done += 1) {
        await sleep(random(LONGEST_UPTIME));
        if (isOneByOne) for (const process of fleet.processes) await process.restart();
        else await Promise.all(fleet.processes.map((process) => process.restart()));
        say(`${done} of ${rounds}`);
      }
      return [...load.responses].filter(([response]) => response !== '200').map(([response, count]) => `${count} × response ${response}`);
    },
  };
}
