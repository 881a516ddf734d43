import { record } from '../event/store.ts';
import * as rights from '../feedback/visitor-rights.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Erases an answer and its conversation, so that only the rating is left, and records it. */
export async function eraseAnswer(scope: AccountScope, feedbackId: string): Promise<void> {
  const erased = await eraseSilently(scope, feedbackId);
  if (erased) await record(scope, 'feedback.erased', { subject: feedbackId, data: { propertyId: erased.data.projectId } });
}

/** Does the same without an event. */
export async function eraseSilently(scope: AccountScope, feedbackId: string): ReturnType<typeof rights.erase> {
  await store.remove(scope, feedbackId);
  return rights.erase(scope, feedbackId);
}
