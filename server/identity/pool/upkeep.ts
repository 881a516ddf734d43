import { DAY } from '#contract/core/time.ts';
import { LOCK_LINK_TTL } from '#contract/identity/identity.ts';
import { inBatches } from '../../platform/database/batches.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { eachSettled } from '../../platform/each-settled.ts';
import type { Work } from '../../platform/jobs/jobs.ts';
import type { IdentityPlatform } from '../port.ts';
import { removeOld as removeOldLocks } from './limits/locks-store.ts';
import { FAILURE_RETENTION } from './limits/throttle.ts';
import { removeOld as removeOldCounts } from './limits/throttle-store.ts';
import { removeOldChallenges } from './second-factor/second-factor-store.ts';
import { removeOld as removeOldCodes } from './secrets/codes-store.ts';
import { LONGEST_IDLE } from './sessions/sessions.ts';
import { removeOld as removeOldSessions } from './sessions/sessions-store.ts';
import { removeOldInvitations } from './users/users-store.ts';

/** How long an ended session's token is reported as expired instead of unknown (ms). */
const EXPIRED_SHOWN = 7 * DAY;

/** Returns the job that deletes expired rows. */
export function openUpkeep({ database, now }: Pick<IdentityPlatform, 'database' | 'now'>): Work {
  return {
    async 'identity.upkeep'() {
      await eachSettled(
        [
          (db) => removeOldCounts(db, new Date(now() - FAILURE_RETENTION)),
          (db) => removeOldCodes(db, new Date(now() - DAY)),
          (db) => removeOldLocks(db, new Date(now() - LOCK_LINK_TTL)),
          (db) => removeOldChallenges(db, new Date(now() - DAY)),
          (db) => removeOldInvitations(db, new Date(now() - DAY)),
          (db) =>
            removeOldSessions(db, {
              expiredBefore: new Date(now() - EXPIRED_SHOWN),
              unusedSince: new Date(now() - LONGEST_IDLE - EXPIRED_SHOWN),
            }),
        ] satisfies ((db: Transaction) => Promise<number>)[],
        (remove) => inBatches(() => database.transaction({}, remove)),
      );
    },
  };
}
