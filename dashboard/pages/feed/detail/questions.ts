import type { Response } from '#contract/feedback.ts';
import type { Form } from '#contract/form.ts';
import type { View } from '#contract/rating.ts';

const WITHOUT_FORM: Record<Response['block'], string> = {
  EmojiGauge: 'Rating',
  OpenText: 'Text',
  ContactMe: 'Contact',
  ExternalReview: 'Review',
};

export type QuestionOf = (response: Pick<Response, 'uuid' | 'block'>) => string;

/** What the visitor was asked, as far as the form still has the question; else what kind of question it was. */
export function questionsOf(form: Form | undefined, view: View): QuestionOf {
  const blocks = new Map(form?.data.steps.flatMap(({ blocks = [] }) => blocks).map((block) => [block.uuid, block]));
  return ({ uuid, block: kind }) => {
    const block = blocks.get(uuid);
    if (!block) return WITHOUT_FORM[kind];
    return block.prompts?.[view] ?? block.title;
  };
}
