import { en } from '../language/words/en.ts';
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

/** The language of a new form, which an admin can change. */
export const IN_ENGLISH = { language: 'en', translations: {} } as const;

/** Returns the steps of a new property's form (docs/rules.md#default-form). `makeUuid` returns a new uuid on each call. */
export function defaultSteps(list: readonly ReviewLink[], makeUuid: () => string): Step[] {
  const { standard } = en;
  const { bad, okay, good } = standard;
  return [
    {
      stepType: 'experience',
      title: standard.question,
      uuid: makeUuid(),
      blocks: [
        { blockType: 'EmojiGauge', required: true, title: standard.rating, uuid: makeUuid() },
        { blockType: 'OpenText', required: false, title: standard.more, prompts: { bad, okay, good }, uuid: makeUuid() },
        {
          blockType: 'ContactMe',
          required: false,
          title: standard.contact,
          uuid: makeUuid(),
          selections: [
            { default: true, text: standard.no, uuid: makeUuid() },
            { default: false, text: standard.yes, uuid: makeUuid() },
          ],
        },
      ],
    },
    { stepType: 'sorry', title: standard.sorry, subtitle: standard.apology, uuid: makeUuid() },
    { stepType: 'thanks', title: standard.thanks, subtitle: standard.thanksMore, uuid: makeUuid() },
    {
      stepType: 'spread the word',
      title: standard.spread,
      subtitle: standard.spreadMore,
      uuid: makeUuid(),
      blocks: [{ blockType: 'ExternalReview', required: false, title: standard.review, uuid: makeUuid(), service: [...list] }],
    },
  ];
}
