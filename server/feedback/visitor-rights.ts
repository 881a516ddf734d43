import { refusal } from '#contract/core/errors.ts';
import type { Feedback, Response } from '#contract/feedback/feedback.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import { awaitsReply } from '#contract/feedback/work.ts';
import { blockOf, gaugeOf, stepOf } from '#contract/form/steps.ts';
import { areSameResponses, derive, mergeResponses } from '#contract/form/submission.ts';
import type { PublicForm } from '../form/store.ts';
import { publishOnCommit } from '../platform/live/pubsub.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { appendAmended } from './amendment.ts';
import * as store from './store.ts';

/* What a visitor may do with their answer at any time, and how an admin finds it for them (docs/rules.md#visitors-rights). */

export { byContact } from './contact-store.ts';

export interface Correction {
  readonly rating: Rating;
  readonly text: string;
}

/** Returns the block that a visitor's words answer: the one they answered, or the form's. Undefined if the form asks for none. */
export const wordsBlock = ({ data }: Feedback, { form }: PublicForm): string | undefined =>
  data.responses.find(({ block }) => block === 'OpenText')?.uuid ?? blockOf(stepOf(form.data.steps, 'experience'), 'OpenText')?.uuid;

/** Replaces the rating and the words of feedback. Refuses words that the form doesn't ask for. */
export async function correct(scope: AccountScope, target: PublicForm, { id }: Feedback, { rating, text }: Correction): Promise<void> {
  const before = await store.lockById(scope, id);
  if (!before) return;
  const { responses: previous } = before.data;
  const gauge = previous.find(({ block }) => block === 'EmojiGauge')?.uuid ?? gaugeOf(target.form.data.steps).uuid;
  const open = wordsBlock(before, target);
  if (open === undefined && text !== '') throw refusal('conflict', 'The form no longer asks for words.');
  const responses = mergeResponses<Response>(previous, [
    { uuid: gauge, block: 'EmojiGauge', response: rating },
    ...(open === undefined ? [] : [{ uuid: open, block: 'OpenText' as const, response: text }]),
  ]);
  if (areSameResponses(responses, previous)) return;
  const after = await replace(scope, before, responses);
  for (const event of await appendAmended(scope, before, after)) await publishOnCommit(scope.db, event);
}

/** Deletes everything that a visitor gave except the rating, which stays in the counts. Returns undefined for an unknown id. */
export async function erase(scope: AccountScope, id: string): Promise<Feedback | undefined> {
  const before = await store.lockById(scope, id);
  if (!before) return undefined;
  const counted = before.data.responses.filter(({ block }) => block === 'EmojiGauge' || block === 'ExternalReview');
  const after = await replace(scope, { ...before, data: { ...before.data, reply: undefined } }, counted);
  await store.clearTraces(scope, id);
  return after;
}

async function replace(scope: AccountScope, before: Feedback, responses: readonly Response[]): Promise<Feedback> {
  const derived = derive(responses);
  if (!derived) throw new Error('Feedback has no rating');
  const { contact: _contact, ...parts } = derived;
  return store.amend(scope, before, {
    ...parts,
    urgent: parts.urgent || awaitsReply(before.data.reply),
    converted: before.data.converted,
    responses,
  });
}
