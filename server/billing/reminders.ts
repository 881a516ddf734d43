import { daysUntil, isReadOnly } from '#contract/billing/billing.ts';
import { DAY } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { eachSettled } from '../platform/each-settled.ts';
import { type AccountScope, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Admins are reminded this many days before the end of a trial (docs/rules.md#trial-reminders). */
const REMINDERS = [7, 2] as const;
/** No reminder is sent for a trial that ended longer ago than this, for example while the server was down (ms). */
const REMINDER_WINDOW = 3 * DAY;
const AT_ONCE = 200;

/** Returns a job that reminds once of each trial that ends soon or has ended, unless a subscription follows it. */
export function openReminders(platform: Pick<Platform, 'database' | 'now'>): () => Promise<void> {
  return async () => {
    const ids: string[] = [];
    let batch: string[];
    do {
      batch = await endingAfter(ids.at(-1));
      ids.push(...batch);
    } while (batch.length === AT_ONCE);
    await eachSettled(ids, (accountId) => inAccount(platform, { accountId, actor: SYSTEM }, remind));
  };

  async function endingAfter(after = ''): Promise<string[]> {
    const now = platform.now();
    const [from, to] = [new Date(now - REMINDER_WINDOW), new Date(now + REMINDERS[0] * DAY)];
    return inEveryAccount(platform, (scope) => store.trialsEnding(scope, { from, to, after, most: AT_ONCE }));
  }
}

async function remind(scope: AccountScope): Promise<void> {
  const row = await store.lock(scope);
  if (!row?.trialEndsAt) return;
  const state = store.standingAt(row, { isPaid: true, now: scope.now });
  const endsAt = row.trialEndsAt.getTime();
  const subject = scope.accountId;
  if (isReadOnly(state) && state.status === 'active') {
    if (await store.markReminded(scope, `trial-ended ${endsAt}`)) await record(scope, 'subscription.trial-ended', { subject, data: {} });
  }
  if (state.phase !== 'trial' || state.payment) return;
  const days = daysUntil(endsAt, scope.now.getTime());
  const due = REMINDERS.filter((reminder) => days <= reminder);
  const unsent = [];
  for (const reminder of due) if (await store.markReminded(scope, `trial-${reminder} ${endsAt}`)) unsent.push(reminder);
  // An account that missed the first reminder gets one, not two.
  if (unsent.length > 0) await record(scope, 'subscription.trial-ending', { subject, data: { endsAt, days } });
}
