import type { RecordedEvent } from '#contract/events.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { addsContact } from '#contract/form/submission.ts';
import { append } from '../event/store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';

/** Stores the events of an amendment, to be published: that it happened, and that the feedback became urgent. */
export async function appendAmended(scope: AccountScope, before: Feedback, after: Feedback): Promise<RecordedEvent[]> {
  const { id: subject, gs1sk, data } = after;
  const rated = { propertyId: data.projectId, rating: data.rating };
  const amended = await append(scope, 'feedback.amended', {
    subject,
    data: { ...rated, ...(addsContact(before, after) && { contact: true }) },
  });
  const isUrgentNow = gs1sk === 'URGENT' && before.gs1sk !== 'URGENT' && !data.suspected && !data.test;
  return isUrgentNow ? [amended, await append(scope, 'feedback.urgent', { subject, data: rated })] : [amended];
}
