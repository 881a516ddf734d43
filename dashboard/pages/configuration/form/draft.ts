import * as v from 'valibot';
import type { Rating } from '#contract/feedback/rating.ts';
import {
  type Block,
  type BlockType,
  type Form,
  REVIEW_INVITATIONS,
  type ReviewInvitation,
  type Step,
  type StepType,
  step,
} from '#contract/form/form.ts';
import type { FormProps } from '#contract/form/form-page.ts';
import type { ReviewLink } from '#contract/form/review.ts';
import { blockOf, defaultSteps, gaugeOf, stepOf } from '#contract/form/steps.ts';

/** A form as it was read: its newest version, and who saved that. */
export interface KeptForm {
  readonly form: Form;
  readonly savedBy: string;
}

/** A form as it is being edited. */
export interface FormDraft {
  readonly steps: readonly Step[];
  readonly inviteToReview: ReviewInvitation;
}

export const FORM_DRAFT = v.object({ steps: v.array(step), inviteToReview: v.picklist(REVIEW_INVITATIONS) });

export const draftOf = ({ data: { steps, inviteToReview } }: Form): FormDraft => ({ steps, inviteToReview });

/** A draft as it is sent: without blanks around texts, and without empty lines below titles. */
export const sentSteps = ({ steps }: FormDraft): Step[] =>
  steps.map(({ subtitle = '', title, ...rest }) => ({
    ...rest,
    title: title.trim(),
    ...(subtitle.trim() !== '' && { subtitle: subtitle.trim() }),
  }));

/** The blocks that a form can be without, each with the step that it stands in. */
const OPTIONAL = { OpenText: 'experience', ContactMe: 'experience', ExternalReview: 'spread the word' } as const satisfies Partial<
  Record<BlockType, StepType>
>;
export type OptionalBlock = keyof typeof OPTIONAL;

const ORDER: readonly BlockType[] = ['EmojiGauge', 'OpenText', 'ContactMe', 'ExternalReview'];

export const hasBlock = (steps: readonly Step[], kind: OptionalBlock): boolean =>
  blockOf(stepOf(steps, OPTIONAL[kind]), kind) !== undefined;

/** The steps without a block. */
export const withoutBlock = (steps: readonly Step[], kind: OptionalBlock): Step[] =>
  steps.map((each) => ({ ...each, ...(each.blocks && { blocks: each.blocks.filter(({ blockType }) => blockType !== kind) }) }));

/** The steps with a block in its place. */
export const withBlock = (steps: readonly Step[], block: Block): Step[] =>
  withoutBlock(steps, block.blockType as OptionalBlock).map((each) =>
    each.stepType === OPTIONAL[block.blockType as OptionalBlock]
      ? { ...each, blocks: [...(each.blocks ?? []), block].sort((one, other) => rank(one) - rank(other)) }
      : each,
  );

const rank = ({ blockType }: Block): number => ORDER.indexOf(blockType);

/** An optional block as new forms have it. */
export function newBlock(kind: OptionalBlock, services: readonly ReviewLink[]): Block {
  const block = blockOf(stepOf(defaultSteps(services, newUuid), OPTIONAL[kind]), kind);
  if (!block) throw new Error(`New forms have no ${kind}`);
  return block;
}

/** Works where pages are not secure, too, as `crypto.randomUUID` does not. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Where the fields of a step stand in the draft: every form has the four steps in this order. */
export function pathOf(steps: readonly Step[], stepType: StepType, kind?: BlockType): string {
  const at = steps.findIndex((each) => each.stepType === stepType);
  const path = `steps.${at}`;
  return kind === undefined ? path : `${path}.blocks.${steps[at]?.blocks?.findIndex(({ blockType }) => blockType === kind) ?? -1}`;
}

/** What the preview shows: before a rating, or after one. */
export interface PreviewMoment {
  readonly rating: Rating | undefined;
  readonly screen: FormProps['screen'];
}

export interface PreviewedForm extends FormDraft {
  readonly formId: string;
  readonly business: string;
  readonly place: string;
}

/** What the visitor's page would be made with. */
export const previewProps = (form: PreviewedForm, { rating, screen }: PreviewMoment): FormProps => ({
  formId: form.formId,
  // Nothing is sent from a preview.
  version: 0,
  submissionKey: 'preview',
  business: form.business,
  place: form.place,
  steps: form.steps,
  inviteToReview: form.inviteToReview,
  screen,
  given: rating === undefined ? [] : [{ uuid: gaugeOf(form.steps).uuid, block: 'EmojiGauge', response: rating }],
  left: [],
  errors: {},
});
