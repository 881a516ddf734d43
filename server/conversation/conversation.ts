import type { Feedback } from '#contract/feedback/feedback.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import * as rights from '../feedback/visitor-rights.ts';
import type { DeleteMail } from '../platform/mailer/send-mail.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Stores what happened last in a conversation, and records the change of the feedback's status. */
export async function setReply(scope: AccountScope, feedbackId: string, reply: NonNullable<Feedback['data']['reply']>): Promise<void> {
  const changed = await feedback.setReply(scope, feedbackId, reply);
  if (!changed) return;
  const { before, after } = changed;
  const [from, to] = [before.data.status, after.data.status];
  if (from === to) return;
  await record(scope, 'feedback.status-changed', { subject: feedbackId, data: { propertyId: after.data.projectId, from, to } });
}

/** Erases an answer, its conversation and the mails about it, so that only the rating is left, and records it. */
export async function eraseAnswer(scope: AccountScope, feedbackId: string, deleteMail: DeleteMail): Promise<void> {
  const erased = await eraseSilently(scope, feedbackId, deleteMail);
  if (erased) await record(scope, 'feedback.erased', { subject: feedbackId, data: { propertyId: erased.data.projectId } });
}

/** Does the same without an event. */
export async function eraseSilently(scope: AccountScope, feedbackId: string, deleteMail: DeleteMail): ReturnType<typeof rights.erase> {
  // Their recipient is the visitor's address.
  for (const id of await store.remove(scope, feedbackId)) await deleteMail(scope, id);
  return rights.erase(scope, feedbackId);
}
