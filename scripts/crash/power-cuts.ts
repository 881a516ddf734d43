import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Campaign } from './campaign.ts';
import { type Disk, openDisk } from './disk.ts';
import type { Control } from './victim.ts';

interface PowerCuts {
  readonly name: string;
  readonly cuts: number;
  /** `strict`: only synced data survives. `mild`: data from before the last load also survives. */
  readonly model: 'strict' | 'mild';
  readonly control?: Control;
}

/** Longest load before a cut (ms). With the start, well below the half minute after which the kernel writes on its own. */
const LONGEST_UPTIME = 3_000;
/** Every fourth cut is followed by one during the start, after at most this time (ms). */
const EVERY_START = 4;
const LONGEST_START = 1_500;

/** Repeatedly cuts the power of the product's disk and processes. */
export function powerCuts({ name, cuts, model, control }: PowerCuts): Campaign {
  let disk: Disk;
  return {
    name: `${name}, ${model}, ${cuts} cuts`,
    control,
    async prepare(folder) {
      disk = await openDisk(folder);
      return { dataDir: path.join(disk.folder, 'data'), remove: () => disk.remove() };
    },
    async damage({ victim, random, say }) {
      if ((await lstat(path.join(victim.dataDir, 'postgres'))).isSymbolicLink()) throw new Error('The database is not on the disk');
      for (let done = 1; done <= cuts; done += 1) {
        if (model === 'mild') await disk.sync();
        await sleep(random(LONGEST_UPTIME));
        await victim.losePower(disk);
        if (done % EVERY_START === 0) {
          await sleep(random(LONGEST_START));
          await victim.losePower(disk);
        }
        await victim.ready().catch((error: Error) => {
          throw new Error(`cut ${done}: the product doesn't start again. ${error.message}`);
        });
      }
      say(`${cuts} cuts, and ${Math.floor(cuts / EVERY_START)} more during starts; it started again each time`);
      return [];
    },
  };
}
