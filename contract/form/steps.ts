import type { Block, BlockType, Step, StepType } from './form.ts';
import type { ReviewLink } from './review.ts';

/* Functions on a form's steps. They import no schema library, so that the form's page stays small. */

/** Returns a form's step of a type. Every form has all four. */
export function stepOf(stepList: readonly Step[], kind: StepType): Step {
  const step = stepList.find(({ stepType }) => stepType === kind);
  if (!step) throw new Error(`The form has no ${kind} step`);
  return step;
}

export const blockOf = (step: Step, kind: BlockType): Block | undefined => step.blocks?.find(({ blockType }) => blockType === kind);

/** Returns the rating question, which every form asks first. */
export function gaugeOf(stepList: readonly Step[]): Block {
  const gauge = blockOf(stepOf(stepList, 'experience'), 'EmojiGauge');
  if (!gauge) throw new Error('The form doesn’t ask for a rating');
  return gauge;
}

/** Returns the review services that a form links to. */
export const servicesOf = (stepList: readonly Step[]): readonly ReviewLink[] =>
  blockOf(stepOf(stepList, 'spread the word'), 'ExternalReview')?.service ?? [];

/** Returns the same steps with other review services. */
export function withServices(stepList: readonly Step[], list: readonly ReviewLink[]): Step[] {
  return stepList.map((step) =>
    step.blocks
      ? { ...step, blocks: step.blocks.map((block) => (block.blockType === 'ExternalReview' ? { ...block, service: [...list] } : block)) }
      : step,
  );
}

/** The default form's text below its apology. */
export const APOLOGY = 'Thank you for telling us.';

/** Returns the steps of a new property's form (docs/rules.md#default-form). `makeUuid` returns a new uuid on each call. */
export function defaultSteps(list: readonly ReviewLink[], makeUuid: () => string): Step[] {
  return [
    {
      stepType: 'experience',
      title: 'How was your visit?',
      uuid: makeUuid(),
      blocks: [
        { blockType: 'EmojiGauge', required: true, title: 'Your rating', uuid: makeUuid() },
        {
          blockType: 'OpenText',
          required: false,
          title: 'Tell us more',
          prompts: { bad: 'What went wrong?', okay: 'What could be better?', good: 'What did you enjoy?' },
          uuid: makeUuid(),
        },
        {
          blockType: 'ContactMe',
          required: false,
          title: 'Would you like us to get back to you?',
          uuid: makeUuid(),
          selections: [
            { default: true, text: 'No', uuid: makeUuid() },
            { default: false, text: 'Yes', uuid: makeUuid() },
          ],
        },
      ],
    },
    {
      stepType: 'sorry',
      title: 'We’re sorry about that',
      subtitle: APOLOGY,
      uuid: makeUuid(),
    },
    { stepType: 'thanks', title: 'Thank you!', subtitle: 'Your feedback helps us get better.', uuid: makeUuid() },
    {
      stepType: 'spread the word',
      title: 'Spread the word',
      subtitle: 'Would you share your visit with others?',
      uuid: makeUuid(),
      blocks: [{ blockType: 'ExternalReview', required: false, title: 'Leave a review', uuid: makeUuid(), service: [...list] }],
    },
  ];
}
