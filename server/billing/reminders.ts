import { daysUntil, isReadOnly } from '#contract/billing/billing.ts';
import { DAY } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { eachSettled } from '../platform/each-settled.ts';
import { type AccountScope, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** How many days before the end of a trial its admins are reminded (docs/rules.md#trial-reminders). */
const REMINDERS = [7, 2] as const;
/** A trial that ended longer ago is not told of any more: the product was away. */
const TOLD_FOR = 3 * DAY;
const AT_ONCE = 200;

/** Reminds of trials that end soon or have ended, once each, where nothing is set up for what comes after. */
export function openReminders(platform: Pick<Platform, 'database' | 'now'>): () => Promise<void> {
  return async () => {
    const ids: string[] = [];
    let some: string[];
    do {
      some = await endingAfter(ids.at(-1));
      ids.push(...some);
    } while (some.length === AT_ONCE);
    await eachSettled(ids, (accountId) => inAccount(platform, { accountId, actor: SYSTEM }, remind));
  };

  async function endingAfter(after = ''): Promise<string[]> {
    const now = platform.now();
    const [from, to] = [new Date(now - TOLD_FOR), new Date(now + REMINDERS[0] * DAY)];
    return inEveryAccount(platform, (scope) => store.trialsEnding(scope, { from, to, after, most: AT_ONCE }));
  }
}

async function remind(scope: AccountScope): Promise<void> {
  const held = await store.lock(scope);
  if (!held?.trialEndsAt) return;
  const standing = store.standingAt(held, { isPaid: true, now: scope.now });
  const endsAt = held.trialEndsAt.getTime();
  const subject = scope.accountId;
  if (isReadOnly(standing) && standing.status === 'active') {
    if (await store.notice(scope, `trial-ended ${endsAt}`)) await record(scope, 'subscription.trial-ended', { subject, data: {} });
  }
  if (standing.phase !== 'trial' || standing.payment) return;
  const days = daysUntil(endsAt, scope.now.getTime());
  const due = REMINDERS.filter((each) => days <= each);
  const fresh = [];
  for (const each of due) if (await store.notice(scope, `trial-${each} ${endsAt}`)) fresh.push(each);
  // Whoever was not reminded in time is reminded once, not twice.
  if (fresh.length > 0) await record(scope, 'subscription.trial-ending', { subject, data: { endsAt, days } });
}
