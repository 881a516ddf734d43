import type { Kernel } from '../../kernel/context.ts';
import { removeOld as removeOldCodes } from './codes-store.ts';
import { removeOldChallenges } from './second-factor-store.ts';
import { LONGEST_IDLE } from './sessions.ts';
import { removeOld as removeOldSessions } from './sessions-store.ts';
import { LONGEST_MEMORY } from './throttle.ts';
import { removeOld as removeOldFailures } from './throttle-store.ts';
import { removeOldInvitations } from './users-store.ts';

const EVERY = 15 * 60_000;
/** Who comes back with an old token is told for this long that it has expired. */
const DAY = 86_400_000;
const KEPT = 7 * DAY;

/** Forgets, from time to time, what no longer matters. Gives back the way to stop. */
export function startUpkeep({ database, log, now }: Pick<Kernel, 'database' | 'log' | 'now'>): () => void {
  const timer = setInterval(() => void tidy(), EVERY);
  timer.unref();
  return () => clearInterval(timer);

  async function tidy(): Promise<void> {
    try {
      await database.transaction({}, async (db) => {
        await removeOldFailures(db, new Date(now() - LONGEST_MEMORY));
        await removeOldCodes(db, new Date(now() - DAY));
        await removeOldChallenges(db, new Date(now() - DAY));
        await removeOldInvitations(db, new Date(now() - DAY));
        await removeOldSessions(db, { expiredBefore: new Date(now() - KEPT), unusedSince: new Date(now() - LONGEST_IDLE - KEPT) });
      });
    } catch (error) {
      log.warn({ err: error }, 'old sessions could not be removed');
    }
  }
}
