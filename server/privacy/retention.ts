import { SYSTEM } from '#contract/event/event.ts';
import { retentionStart } from '#contract/privacy/privacy.ts';
import { eraseSilently } from '../conversation/conversation.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import { eachSettled } from '../platform/each-settled.ts';
import { type DatabaseAndClock, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';

/** Answers that one transaction erases. */
const AT_ONCE = 100;

/** Erases the answers of each property that are older than its retention. Continues where the last run stopped. */
export async function applyRetention(platform: DatabaseAndClock): Promise<void> {
  const places = await inEveryAccount(platform, properties.withRetention);
  await eachSettled(places, async (place) => {
    const before = retentionStart(platform.now(), place.months);
    let answers = 0;
    for (let erased = AT_ONCE; erased === AT_ONCE; answers += erased) erased = await eraseSome(platform, place, before);
    await inAccount(platform, { accountId: place.accountId, actor: SYSTEM }, async (scope) => {
      await properties.setErasedUntil(scope, place.id, new Date(before));
      if (answers > 0) await record(scope, 'privacy.retained', { subject: place.id, data: { answers } });
    });
  });
}

/** Erases some of a property's answers given before a moment (UTC ms), oldest first. Returns how many. */
function eraseSome(
  platform: DatabaseAndClock,
  { accountId, id, erasedUntil }: properties.RetainedProperty,
  before: number,
): Promise<number> {
  return inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
    const ids = await feedback.erasable(scope, { propertyId: id, from: erasedUntil?.getTime() ?? 0, before, most: AT_ONCE });
    for (const feedbackId of ids) await eraseSilently(scope, feedbackId);
    return ids.length;
  });
}
