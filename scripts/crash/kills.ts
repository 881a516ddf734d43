import { setTimeout as sleep } from 'node:timers/promises';
import { unsynced, watchSyncs } from './audit.ts';
import type { Campaign } from './campaign.ts';
import type { Control } from './victim.ts';

interface Killing {
  readonly name: string;
  readonly target: 'node' | 'postgres';
  readonly kills: number;
  readonly control?: Control;
}

/** Longest undisturbed load before a kill (ms), so that kills hit the first submissions as well as a steady stream. */
const LONGEST_UPTIME = 300;
const REPORT_EVERY = 20;

/** Kills Node or PostgreSQL repeatedly at random times. */
export const killing = ({ name, target, kills, control }: Killing): Campaign => ({
  name: `${name}, ${kills} times`,
  control,
  async damage({ victim, ledger, random, say }) {
    for (let done = 1; done <= kills; done += 1) {
      await sleep(random(LONGEST_UPTIME));
      await (target === 'node' ? victim.killNode() : victim.killPostgres());
      if (done % REPORT_EVERY === 0) say(`${done} of ${kills}`);
    }
    const syncs = await watchSyncs(victim, ledger);
    say(`${syncs.acknowledged} acknowledged in the last seconds by ${syncs.flushes} flushes of the journal`);
    return unsynced(syncs);
  },
});
