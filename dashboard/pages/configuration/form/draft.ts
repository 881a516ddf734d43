import * as v from 'valibot';
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
import type { ReviewLink } from '#contract/form/review.ts';
import { blockOf, defaultSteps, stepOf } from '#contract/form/steps.ts';
import type { Translations } from '#contract/language/languages.ts';
import type { TranslatedForm } from '#contract/language/texts.ts';

/** The newest version of a form, and who saved it. */
export interface StoredForm {
  readonly form: Form;
  readonly savedBy: string;
}

/** A form being edited. */
export interface FormDraft extends TranslatedForm {
  readonly inviteToReview: ReviewInvitation;
}

export const FORM_DRAFT = v.object({ steps: v.array(step), inviteToReview: v.picklist(REVIEW_INVITATIONS) });

export const draftOf = ({ data: { steps, inviteToReview, language, translations } }: Form): FormDraft => ({
  steps,
  inviteToReview,
  language,
  translations,
});

/** Returns the translations to send, trimmed and without empty ones. */
export const sentTranslations = ({ translations }: FormDraft): Translations =>
  Object.fromEntries(
    Object.entries(translations).map(([tag, texts]) => [
      tag,
      Object.fromEntries(Object.entries(texts).flatMap(([key, text]) => (text.trim() === '' ? [] : [[key, text.trim()]]))),
    ]),
  );

/** Returns the steps to send, with trimmed texts and without empty subtitles. */
export const sentSteps = ({ steps }: FormDraft): Step[] =>
  steps.map(({ subtitle = '', title, ...rest }) => ({
    ...rest,
    title: title.trim(),
    ...(subtitle.trim() !== '' && { subtitle: subtitle.trim() }),
  }));

/** The optional blocks, with the step of each. */
const OPTIONAL = { OpenText: 'experience', ContactMe: 'experience', ExternalReview: 'spread the word' } as const satisfies Partial<
  Record<BlockType, StepType>
>;
export type OptionalBlock = keyof typeof OPTIONAL;

const ORDER: readonly BlockType[] = ['EmojiGauge', 'OpenText', 'ContactMe', 'ExternalReview'];

export const hasBlock = (steps: readonly Step[], kind: OptionalBlock): boolean =>
  blockOf(stepOf(steps, OPTIONAL[kind]), kind) !== undefined;

/** Returns the steps without a block. */
export const withoutBlock = (steps: readonly Step[], kind: OptionalBlock): Step[] =>
  steps.map((each) => ({ ...each, ...(each.blocks && { blocks: each.blocks.filter(({ blockType }) => blockType !== kind) }) }));

/** Returns the steps with a block added in the usual order. */
export const withBlock = (steps: readonly Step[], block: Block): Step[] =>
  withoutBlock(steps, block.blockType as OptionalBlock).map((each) =>
    each.stepType === OPTIONAL[block.blockType as OptionalBlock]
      ? { ...each, blocks: [...(each.blocks ?? []), block].sort((a, b) => rank(a) - rank(b)) }
      : each,
  );

const rank = ({ blockType }: Block): number => ORDER.indexOf(blockType);

/** Returns an optional block with the content of new forms. */
export function newBlock(kind: OptionalBlock, services: readonly ReviewLink[]): Block {
  const block = blockOf(stepOf(defaultSteps(services, newUuid), OPTIONAL[kind]), kind);
  if (!block) throw new Error(`New forms have no ${kind}`);
  return block;
}

/** Returns a random UUID. `crypto.randomUUID` needs a secure page; this doesn't. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the path of a step's or block's fields in the draft. */
export function pathOf(steps: readonly Step[], stepType: StepType, kind?: BlockType): string {
  const at = steps.findIndex((each) => each.stepType === stepType);
  const path = `steps.${at}`;
  return kind === undefined ? path : `${path}.blocks.${steps[at]?.blocks?.findIndex(({ blockType }) => blockType === kind) ?? -1}`;
}
