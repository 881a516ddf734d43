import * as v from 'valibot';
import { CONTACT_ANSWERS } from './contact.ts';
import { event } from './event.ts';
import { formIdSchema, propertyIdSchema } from './ids.ts';
import { type Examples, operation } from './operation.ts';
import { email, found, keptReviewServices, reviewServices, text, uuid } from './schema.ts';

export const STEP_TYPES = ['experience', 'sorry', 'thanks', 'spread the word'] as const;
export type StepType = (typeof STEP_TYPES)[number];
export const BLOCK_TYPES = ['EmojiGauge', 'OpenText', 'ContactMe', 'ExternalReview'] as const;
export type BlockType = (typeof BLOCK_TYPES)[number];
/** Who is invited to review: the good ratings (the default), or everyone. */
export const REVIEW_INVITATIONS = ['good', 'everyone'] as const;
export type ReviewInvitation = (typeof REVIEW_INVITATIONS)[number];
export const STANDARD = 'STANDARD';

const title = text(120, 1);
const selection = v.strictObject({ default: v.boolean(), text: text(60, 1), uuid });
/** What an open question asks, by the rating. */
const prompts = v.strictObject({ bad: title, okay: title, good: title });

export const block = v.strictObject({
  blockType: v.picklist(BLOCK_TYPES),
  required: v.boolean(),
  title,
  uuid,
  prompts: v.optional(prompts),
  selections: v.optional(v.pipe(v.array(selection), v.maxLength(10))),
  service: v.optional(keptReviewServices),
});
export type Block = v.InferOutput<typeof block>;

export const step = v.strictObject({
  stepType: v.picklist(STEP_TYPES),
  title,
  subtitle: v.optional(text(300)),
  uuid,
  blocks: v.optional(v.pipe(v.array(block), v.maxLength(10))),
});
export type Step = v.InferOutput<typeof step>;

/** A form as a visitor may see it. `gs1sk` is the property's id (docs/rules.md#envelope); `displayName` is the property's. */
export const form = v.strictObject({
  id: formIdSchema,
  sk: v.literal('FORM'),
  gs1sk: propertyIdSchema,
  data: v.strictObject({
    formId: formIdSchema,
    propertyId: propertyIdSchema,
    displayName: v.string(),
    experience: v.literal(STANDARD),
    version: v.number(),
    updated: v.number(),
    inviteToReview: v.picklist(REVIEW_INVITATIONS),
    steps: v.array(step),
  }),
});
export type Form = v.InferOutput<typeof form>;

/** The four steps, one of each kind and in their order, with a gauge that is asked first and must be answered. */
const steps = v.pipe(
  v.array(
    v.strictObject({
      ...step.entries,
      blocks: v.optional(v.pipe(v.array(v.strictObject({ ...block.entries, service: v.optional(reviewServices) })), v.maxLength(10))),
    }),
  ),
  v.check(
    (list) => list.length === STEP_TYPES.length && list.every(({ stepType }, index) => stepType === STEP_TYPES[index]),
    'A form has the steps experience, sorry, thanks and spread the word, in this order',
  ),
  v.check((list) => hasGauge(list[0]), 'The first step asks for a rating, once, and requires it'),
  v.check(
    (list) => list.every(({ blocks = [] }) => blocks.every((each) => each.blockType !== 'ContactMe' || isYesNo(each))),
    'A contact question has two choices: not to be contacted, then to be, and one of them is the default',
  ),
  v.check((list) => hasDistinctUuids(list), 'Each step and block needs a uuid of its own'),
);

/** A page of this site, and no other: a mail never leads elsewhere. */
const CONFIGURATION_PATH = /^\/properties\/[\p{L}\p{N}_-]{1,120}\/configuration$/u;

export const formOperations = {
  get: operation({
    access: 'visitor',
    summary: 'Reads a form that is open, as a visitor may see it.',
    refusals: { 'form-closed': 'The form, its property or its account was deleted.' },
    input: v.strictObject({ formId: formIdSchema }),
    answer: found({ form }),
  }),
  save: operation({
    access: 'admin',
    summary: 'Changes a form’s words, blocks, review services and invitation. Each save makes a new version.',
    input: v.strictObject({
      payload: v.strictObject({
        id: formIdSchema,
        data: v.strictObject({
          steps: v.optional(steps),
          inviteToReview: v.optional(v.picklist(REVIEW_INVITATIONS)),
        }),
      }),
    }),
    answer: found({ form }),
  }),
  notify: operation({
    access: 'admin',
    summary: 'Mails that a form is ready, to the caller’s own address only; the button leads to a page of this site.',
    refusals: { 'too-many': 'Twenty within an hour.' },
    input: v.strictObject({
      payload: form,
      ignore: v.strictObject({
        emailAddress: email,
        buttonURL: v.pipe(v.string(), v.regex(CONFIGURATION_PATH, 'This must be a property’s configuration page')),
      }),
      debug: v.optional(v.boolean(), false),
    }),
    answer: found({}),
  }),
};

declare module './operation.ts' {
  interface ExampleSubjects {
    readonly form: Form;
  }
}

export const formExamples: Examples<typeof formOperations> = {
  get: ({ formId }) => ({ formId }),
  save: ({ formId }) => ({ payload: { id: formId, data: { inviteToReview: 'good' } } }),
  notify: ({ form, email }) => ({
    payload: form,
    ignore: { emailAddress: email, buttonURL: '/properties/pier-4/configuration' },
  }),
};

export const formEvents = {
  'form.saved': event({
    seenBy: 'member',
    summary: 'A form got a new version.',
    data: v.strictObject({ propertyId: propertyIdSchema, version: v.number() }),
  }),
  'form.announcement-requested': event({
    seenBy: 'admin',
    summary: 'An admin asked for the mail that says the form is ready.',
    data: v.strictObject({ path: v.string() }),
  }),
};

function hasGauge(first: Step | undefined): boolean {
  const gauges = first?.blocks?.filter(({ blockType }) => blockType === 'EmojiGauge') ?? [];
  return gauges.length === 1 && gauges[0]?.required === true;
}

const isYesNo = ({ selections = [] }: Block): boolean =>
  selections.length === CONTACT_ANSWERS.length && selections.filter((choice) => choice.default).length === 1;

function hasDistinctUuids(list: readonly Step[]): boolean {
  const uuids = list.flatMap((step) => [
    step.uuid,
    ...(step.blocks ?? []).flatMap((block) => [block.uuid, ...(block.selections ?? []).map((choice) => choice.uuid)]),
  ]);
  return new Set(uuids).size === uuids.length;
}
