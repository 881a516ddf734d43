import { randomBytes } from 'node:crypto';
import type { Response } from '#contract/feedback/feedback.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import type { Block, BlockType, Form } from '#contract/form/form.ts';
import { blockOf, stepOf } from '#contract/form/steps.ts';
import { forms, pier } from '#fixtures/business.ts';

/** Returns a form of the sample business. Throws for an unknown id. */
export function formOf(formId: string = pier.data.formId): Form {
  const form = forms.find(({ id }) => id === formId);
  if (!form) throw new Error(`The sample business has no form ${formId}`);
  return form;
}

export const newKey = (): string => randomBytes(24).toString('base64url');

/** Returns a form's block of a kind. Throws if it has none. */
export function blockIn(form: Form, kind: BlockType): Block {
  const block = blockOf(stepOf(form.data.steps, kind === 'ExternalReview' ? 'spread the word' : 'experience'), kind);
  if (!block) throw new Error(`The form has no ${kind}`);
  return block;
}

interface VisitorAnswers {
  readonly rating?: Rating;
  readonly text?: string;
  readonly contact?: { answer: 'Yes' | 'No'; name?: string; phone?: string; email?: string };
  readonly review?: 'Google' | 'Yelp';
}

/** Returns a visitor's answers as responses to a form. */
export function responsesTo(form: Form, { rating, text, contact, review }: VisitorAnswers): Response[] {
  return [
    ...(rating === undefined ? [] : [{ uuid: blockIn(form, 'EmojiGauge').uuid, block: 'EmojiGauge', response: rating } as const]),
    ...(text === undefined ? [] : [{ uuid: blockIn(form, 'OpenText').uuid, block: 'OpenText', response: text } as const]),
    ...(contact === undefined ? [] : [{ uuid: blockIn(form, 'ContactMe').uuid, block: 'ContactMe', response: contact } as const]),
    ...(review === undefined
      ? []
      : [{ uuid: blockIn(form, 'ExternalReview').uuid, block: 'ExternalReview', response: { service: review } } as const]),
  ];
}

/** Returns the body of `feedback.save`, without service and action. */
export function submission(answers: VisitorAnswers, { key = newKey(), form = formOf() }: { key?: string; form?: Form } = {}) {
  return { idempotencyKey: key, payload: { data: { formId: form.id, responses: responsesTo(form, answers) } } };
}
