import { SYSTEM } from '#contract/event/event.ts';
import { isSilent, SILENCE } from '#contract/kiosk/hours.ts';
import { record } from '../event/store.ts';
import { eachSettled } from '../platform/each-settled.ts';
import { type DatabaseAndClock, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/**
 * Records each kiosk that became silent during its opening hours, once until it reports again. Silence counts from `since` (UTC ms), when
 * this process started, because no kiosk could report while the installation was off.
 */
export async function watchKiosks(platform: DatabaseAndClock, since: number): Promise<void> {
  const now = platform.now();
  const quiet = await inEveryAccount(platform, (scope) => store.seenBefore(scope, new Date(now - SILENCE)));
  const silent = quiet.filter(({ hours, seen, zone }) => isSilent(hours, { seen: Math.max(seen.getTime(), since), now, zone }));
  await eachSettled(silent, (kiosk) =>
    inAccount(platform, { accountId: kiosk.accountId, actor: SYSTEM }, async (scope) => {
      const stored = await store.byId(scope, kiosk.id);
      // It was deleted, so no one waits for it anymore.
      if (!stored) await store.unpair(scope, kiosk.id);
      if (!stored || !(await store.markSilent(scope, kiosk))) return;
      await record(scope, 'kiosk.silent', { subject: kiosk.id, data: { propertyId: stored.kiosk.gs1sk } });
    }),
  );
}
