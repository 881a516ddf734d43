import * as v from 'valibot';
import { CONTACT_ANSWERS } from '../core/contact.ts';
import { badField, type Refusal, refusal } from '../core/errors.ts';
import { accountIdSchema, formIdSchema, propertyIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { email, MESSAGES, okOrNotFound, text, uuid } from '../core/schema.ts';
import { event } from '../event/event.ts';
import { LANGUAGE_TAGS } from '../language/languages.ts';
import type { ReviewLink } from './review.ts';
import { reviewLink } from './review-link.ts';
import { pastedReviewServices, storedReviewServices } from './review-links.ts';

const STEP_TYPES = ['experience', 'sorry', 'thanks', 'spread the word'] as const;
export type StepType = (typeof STEP_TYPES)[number];
const BLOCK_TYPES = ['EmojiGauge', 'OpenText', 'ContactMe', 'ExternalReview'] as const;
export type BlockType = (typeof BLOCK_TYPES)[number];
/** Who is invited to review: the good ratings (the default), or everyone. */
export const REVIEW_INVITATIONS = ['good', 'everyone'] as const;
export type ReviewInvitation = (typeof REVIEW_INVITATIONS)[number];
export const STANDARD = 'STANDARD';

/** Titles and choices of a form (characters), readable on a phone. @limit form-size */
const title = text(120, 1);
const selection = v.strictObject({ default: v.boolean(), text: text(60, 1), uuid });
/** An open question's wording for each view. */
const prompts = v.strictObject({ bad: title, okay: title, good: title });

const block = v.strictObject({
  blockType: v.picklist(BLOCK_TYPES),
  required: v.boolean(),
  title,
  uuid,
  prompts: v.optional(prompts),
  /** Choices of a block. @limit form-size */
  selections: v.optional(v.pipe(v.array(selection), v.maxLength(10))),
  service: v.optional(storedReviewServices),
});
export type Block = v.InferOutput<typeof block>;

export const step = v.strictObject({
  stepType: v.picklist(STEP_TYPES),
  title,
  subtitle: v.optional(text(300)),
  uuid,
  /** Blocks of a step. @limit form-size */
  blocks: v.optional(v.pipe(v.array(block), v.maxLength(10))),
});
export type Step = v.InferOutput<typeof step>;

const MAX_FORM_TEXT = 300;
const MOST_TEXTS = 200;
/** A uuid, with a suffix if it has several texts. */
const TEXT_KEY = /^[0-9a-f-]{36}(?:\.(?:subtitle|bad|okay|good))?$/;

/** Translations of a form's texts: by language, then by the uuid of what the text labels, with a suffix if that has several texts. */
const translations = v.record(
  v.picklist(LANGUAGE_TAGS),
  v.pipe(
    v.record(v.pipe(v.string(), v.regex(TEXT_KEY, 'This must be the key of a text')), text(MAX_FORM_TEXT, 1)),
    v.check((texts) => Object.keys(texts).length <= MOST_TEXTS, `At most ${MOST_TEXTS} texts`),
  ),
);

/** A form as a visitor may see it. `gs1sk` is the property's id (docs/rules.md#envelope); `displayName` is the property's. */
export const form = v.strictObject({
  id: formIdSchema,
  sk: v.literal('FORM'),
  gs1sk: propertyIdSchema,
  data: v.strictObject({
    accountId: accountIdSchema,
    formId: formIdSchema,
    propertyId: propertyIdSchema,
    displayName: v.string(),
    experience: v.literal(STANDARD),
    version: v.number(),
    updated: v.number(),
    inviteToReview: v.picklist(REVIEW_INVITATIONS),
    language: v.picklist(LANGUAGE_TAGS),
    translations,
    steps: v.array(step),
  }),
});
export type Form = v.InferOutput<typeof form>;

/** A closed form can be reopened, a deleted one can't. */
const FORM_STATUSES = ['open', 'closed', 'deleted'] as const;
export type FormStatus = (typeof FORM_STATUSES)[number];

/** The most versions of a form that are listed. @limit form-versions */
export const MOST_VERSIONS = 100;

/** Who saved a version of a form, when (UTC ms), and who was invited to review from then on. */
const savedVersion = v.strictObject({
  version: v.number(),
  saved: v.number(),
  savedBy: v.string(),
  inviteToReview: v.picklist(REVIEW_INVITATIONS),
});
export type SavedVersion = v.InferOutput<typeof savedVersion>;

/** The four steps, one of each type in order; the first has a required rating. */
const steps = v.pipe(
  v.array(
    v.strictObject({
      ...step.entries,
      blocks: v.optional(v.pipe(v.array(v.strictObject({ ...block.entries, service: v.optional(pastedReviewServices) })), v.maxLength(10))),
    }),
  ),
  v.check(
    (list) => list.length === STEP_TYPES.length && list.every(({ stepType }, index) => stepType === STEP_TYPES[index]),
    'A form has the steps experience, sorry, thanks and spread the word, in this order',
  ),
  v.check((list) => hasGauge(list[0]), 'The first step asks for a rating, once, and requires it'),
  v.check(
    (list) => list.every(({ blocks = [] }) => blocks.every((item) => item.blockType !== 'ContactMe' || isYesNo(item))),
    'A contact question has two choices: not to be contacted, then to be, and one of them is the default',
  ),
  v.check((list) => hasDistinctUuids(list), 'Each step and block needs its own uuid'),
);

/**
 * Returns steps as they are to be stored. A link already in the form stays unchanged, even if it would be refused today, so that it
 * doesn't block another change. Other links get their canonical form. Throws `bad-input` for one that isn't a review page.
 */
export function acceptedSteps(sent: readonly Step[], stored: readonly Step[]): Step[] {
  const existing = stored.flatMap(({ blocks = [] }) => blocks).flatMap(({ service = [] }) => service);
  return sent.map((step, at) => ({
    ...step,
    ...(step.blocks && {
      blocks: step.blocks.map((block, index) => acceptedBlock(block, existing, `payload.data.steps.${at}.blocks.${index}`)),
    }),
  }));
}

function acceptedBlock(sent: Block, existing: readonly ReviewLink[], path: string): Block {
  if (!sent.service) return sent;
  const service = sent.service.map(({ name, url }, index) => {
    const isExisting = existing.some((link) => link.name === name && link.url === url);
    const accepted = isExisting ? url : reviewLink(name, url);
    if (accepted === undefined) throw badField(`${path}.service.${index}.url`, MESSAGES.reviewLink);
    return { name, url: accepted };
  });
  return { ...sent, service };
}

/** Throws `conflict` if a change isn't based on the newest version, so that no one overwrites a version unseen. */
export function checkIsNewest(basedOn: number | undefined, newest: number): void {
  if (basedOn !== undefined && basedOn !== newest)
    throw refusal('conflict', 'Someone else saved this form in the meantime. Review their version first.');
}

/** Returns the refusal of a second form for a property. */
export const formExists = (): Refusal => refusal('conflict', 'This property already has a form.');

/** Returns whether steps have a block of review services; without one, the property's links stay unchanged. */
export const hasReviewBlock = (list: readonly Step[]): boolean =>
  list.some(({ blocks = [] }) => blocks.some(({ blockType }) => blockType === 'ExternalReview'));

/** A page of this site: emails never link elsewhere. */
const CONFIGURATION_PATH = /^\/properties\/[\p{L}\p{N}_-]{1,120}\/configuration$/u;

export const formOperations = {
  get: operation({
    access: 'visitor',
    summary: 'Get an open form as visitors see it.',
    refusals: { 'form-closed': 'The form was closed or deleted, or its property or its account was deleted.' },
    input: v.strictObject({ formId: formIdSchema }),
    answer: okOrNotFound({ form }),
  }),
  read: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Get a form or one of its versions, with who saved it.',
    input: v.strictObject({ formId: formIdSchema, version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))) }),
    answer: okOrNotFound({ form, savedBy: v.string(), standing: v.picklist(FORM_STATUSES) }),
  }),
  versions: operation({
    access: 'member',
    whileEnded: true,
    summary: `List a form’s newest ${MOST_VERSIONS} versions, newest first, and those that changed who is invited to review.`,
    input: v.strictObject({ formId: formIdSchema }),
    answer: okOrNotFound({ versions: v.array(savedVersion), invitations: v.array(savedVersion) }),
  }),
  save: operation({
    access: 'admin',
    summary: 'Change a form’s wording, translations, blocks, review services and invitation. Each save creates a new version.',
    refusals: { conflict: 'Someone saved a newer version than the one you changed.' },
    input: v.strictObject({
      payload: v.strictObject({
        id: formIdSchema,
        data: v.strictObject({
          basedOn: v.optional(v.number()),
          steps: v.optional(steps),
          inviteToReview: v.optional(v.picklist(REVIEW_INVITATIONS)),
          language: v.optional(v.picklist(LANGUAGE_TAGS)),
          translations: v.optional(translations),
        }),
      }),
    }),
    answer: okOrNotFound({ form }),
  }),
  close: operation({
    access: 'admin',
    summary: 'Close a form. Visitors see that it’s closed until it is reopened.',
    input: v.strictObject({ formId: formIdSchema }),
    answer: okOrNotFound({}),
  }),
  open: operation({
    access: 'admin',
    summary: 'Reopen a closed form at the same address.',
    input: v.strictObject({ formId: formIdSchema }),
    answer: okOrNotFound({}),
  }),
  delete: operation({
    access: 'admin',
    summary: 'Delete a form permanently. Its answers are kept, and its property can get a new form.',
    input: v.strictObject({ formId: formIdSchema }),
    answer: okOrNotFound({}),
  }),
  create: operation({
    access: 'admin',
    summary: 'Create a form, with a new address, for a property whose form was deleted.',
    refusals: { conflict: 'The property already has a form.' },
    input: v.strictObject({ propertyId: propertyIdSchema }),
    answer: okOrNotFound({ form }),
  }),
  sendLink: operation({
    access: 'member',
    summary: 'Email a form’s link to the caller’s own address, to open on a phone.',
    refusals: {
      'form-closed': 'The form was closed or deleted, or its property or its account was deleted.',
      'too-many': 'At most five an hour.',
    },
    input: v.strictObject({ formId: formIdSchema }),
    answer: okOrNotFound({}),
  }),
  notify: operation({
    access: 'admin',
    summary: 'Email the caller that a form is ready; the button links to a page of this site.',
    refusals: { 'too-many': 'At most 20 an hour.' },
    input: v.strictObject({
      payload: form,
      ignore: v.strictObject({
        emailAddress: email,
        buttonURL: v.pipe(v.string(), v.regex(CONFIGURATION_PATH, 'This must be a property’s configuration page')),
      }),
      debug: v.optional(v.boolean(), false),
    }),
    answer: okOrNotFound({}),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly form: Form;
  }
}

export const formExamples: Examples<typeof formOperations> = {
  get: ({ formId }) => ({ formId }),
  read: ({ formId }) => ({ formId }),
  versions: ({ formId }) => ({ formId }),
  save: ({ formId }) => ({ payload: { id: formId, data: { inviteToReview: 'good' } } }),
  close: ({ formId }) => ({ formId }),
  open: ({ formId }) => ({ formId }),
  delete: ({ formId }) => ({ formId }),
  create: ({ propertyId }) => ({ propertyId }),
  sendLink: ({ formId }) => ({ formId }),
  notify: ({ form, email }) => ({
    payload: form,
    ignore: { emailAddress: email, buttonURL: '/properties/pier-4/configuration' },
  }),
};

const ofProperty = v.strictObject({ propertyId: propertyIdSchema });

export const formEvents = {
  'form.saved': event({
    seenBy: 'member',
    summary: 'A form was saved as a new version.',
    data: v.strictObject({ propertyId: propertyIdSchema, version: v.number() }),
  }),
  'form.closed': event({ seenBy: 'member', summary: 'A form was closed.', data: ofProperty }),
  'form.opened': event({ seenBy: 'member', summary: 'A closed form was reopened.', data: ofProperty }),
  'form.deleted': event({ seenBy: 'member', summary: 'A form was deleted; its answers are kept.', data: ofProperty }),
  'form.created': event({ seenBy: 'member', summary: 'A property whose form was deleted got a new one.', data: ofProperty }),
  'form.link-requested': event({
    seenBy: 'admin',
    summary: 'A teammate requested an email with the form’s link.',
    data: v.strictObject({}),
  }),
  'form.announcement-requested': event({
    seenBy: 'admin',
    summary: 'An admin requested the email that the form is ready.',
    data: v.strictObject({ path: v.string(), debug: v.optional(v.boolean()) }),
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
