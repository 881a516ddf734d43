import { feedbackIdCreated, feedbackIdFloor } from '#contract/core/ids.ts';
import { DAY } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { retentionStart } from '#contract/privacy/privacy.ts';
import { eraseSilently } from '../conversation/conversation.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import { forgetRequests } from '../feedback-request/feedback-request.ts';
import { inBatches } from '../platform/database/batches.ts';
import { eachSettled } from '../platform/each-settled.ts';
import type { DeleteMail } from '../platform/mailer/send-mail.ts';
import { type DatabaseAndClock, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import * as topics from '../topic/store.ts';

/** Answers that one transaction erases, and transactions for one property in a run. The next run continues. @limit privacy */
const [AT_ONCE, BATCHES] = [100, 100];
/** Answers from a kiosk arrive up to 60 days late (docs/limits.md#kiosks). */
const LATEST = 61 * DAY;

/** Erases the answers of each property that are older than its retention, from where the last run stopped. */
export const applyRetention = async (platform: Retainer): Promise<void> =>
  eachSettled(await inEveryAccount(platform, properties.withRetention), (place) => applyTo(platform, place));

type Retainer = DatabaseAndClock & { readonly deleteMail: DeleteMail };

async function applyTo(platform: Retainer, place: properties.RetainedProperty): Promise<void> {
  let after = feedbackIdFloor(Math.max(0, (place.erasedUntil?.getTime() ?? 0) - LATEST));
  const before = new Date(retentionStart(platform.now(), place.months));
  await inBatches(() =>
    inAccount(platform, { accountId: place.accountId, actor: SYSTEM }, (scope) =>
      forgetRequests(scope, platform.deleteMail, { propertyId: place.id, before }),
    ),
  );
  let answers = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const ids = await eraseSome(platform, place, after);
    answers += ids.length;
    if (ids.length < AT_ONCE) break;
    after = ids.at(-1) ?? after;
  }
  if (answers === 0) return;
  await inAccount(platform, { accountId: place.accountId, actor: SYSTEM }, (scope) =>
    record(scope, 'privacy.retained', { subject: place.id, data: { answers } }),
  );
}

/** Erases some of a property's answers after an id, oldest first, and stores how far that got. Returns their ids. */
function eraseSome(
  platform: Retainer,
  { accountId, id: propertyId, months }: properties.RetainedProperty,
  after: string,
): Promise<string[]> {
  const before = retentionStart(platform.now(), months);
  return inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
    const ids = await feedback.erasable(scope, { propertyId, after, before, most: AT_ONCE });
    for (const id of ids) await eraseSilently(scope, id, platform.deleteMail);
    await topics.lockAll(scope);
    await topics.unmatch(scope, ids);
    const last = ids.length === AT_ONCE ? ids.at(-1) : undefined;
    await properties.setErasedUntil(scope, propertyId, new Date(last === undefined ? before : feedbackIdCreated(last)));
    return ids;
  });
}
