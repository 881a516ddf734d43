import * as v from 'valibot';
import { contactFormatProblem } from './contact.ts';
import { event } from './event.ts';
import { accountIdSchema, feedbackIdSchema, formIdSchema, propertyIdSchema } from './ids.ts';
import { type Examples, operation } from './operation.ts';
import { MAX_TEXT, RATINGS } from './rating.ts';
import { REVIEW_SERVICES } from './review.ts';
import { found, instant, MESSAGES, text, uuid, zone } from './schema.ts';
import { gaugeOf } from './steps.ts';
import { DAY } from './time.ts';

/* ── Entities ── */

const rating = v.picklist(RATINGS, MESSAGES.rating);

const contactAnswer = v.pipe(
  v.strictObject({
    answer: v.picklist(['Yes', 'No']),
    name: v.optional(text(100)),
    phone: v.optional(text(40)),
    email: v.optional(text(254)),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? contactFormatProblem(dataset.value) : undefined;
    if (!problem || !dataset.typed) return;
    const { field, message } = problem;
    addIssue({ message, path: [{ type: 'object', origin: 'value', input: dataset.value, key: field, value: dataset.value[field] }] });
  }),
);
export type ContactAnswer = v.InferOutput<typeof contactAnswer>;

/** A visitor's answer to one block of the form: `uuid` and `block` are the block's. */
export const response = v.variant('block', [
  v.strictObject({ uuid, block: v.literal('EmojiGauge'), response: rating }),
  v.strictObject({ uuid, block: v.literal('OpenText'), response: text(MAX_TEXT) }),
  v.strictObject({ uuid, block: v.literal('ContactMe'), response: contactAnswer }),
  v.strictObject({
    uuid,
    block: v.literal('ExternalReview'),
    response: v.strictObject({ service: v.picklist(REVIEW_SERVICES) }),
  }),
]);
export type Response = v.InferOutput<typeof response>;

const pixels = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000));
const diagnostics = v.strictObject({ screen: v.strictObject({ width: pixels, height: pixels }) });
export type Diagnostics = v.InferOutput<typeof diagnostics>;

export const KINDS = ['regular', 'complaint', 'contact me'] as const;
export type Kind = (typeof KINDS)[number];
export const SOURCES = ['open text', 'Google', 'Yelp', 'Trustpilot', 'other service', 'none'] as const;
export type FeedbackSource = (typeof SOURCES)[number];

/** Feedback as the team sees it. `gs1sk` is URGENT or NORMAL; `projectId` is the property's id (docs/rules.md#envelope). */
export const feedback = v.strictObject({
  id: feedbackIdSchema,
  sk: v.literal('EXPERIENCE'),
  gs1sk: v.picklist(['URGENT', 'NORMAL']),
  data: v.strictObject({
    created: v.number(),
    experience: v.string(),
    accountId: accountIdSchema,
    projectId: propertyIdSchema,
    formId: formIdSchema,
    formVersion: v.number(),
    rating,
    kind: v.picklist(KINDS),
    source: v.picklist(SOURCES),
    textFeedback: v.optional(v.string()),
    contact: v.optional(v.strictObject({ name: v.optional(v.string()), phone: v.optional(v.string()), email: v.optional(v.string()) })),
    converted: v.optional(v.number()),
    responses: v.array(response),
    diagnostics: v.optional(diagnostics),
    url: v.optional(v.string()),
    /**
     * True: beyond its form's budget for one network, and counted nowhere. False: it was, and a person of the team said that
     * it counts. Missing: it never was (docs/rules.md#suspected).
     */
    suspected: v.optional(v.boolean()),
  }),
});
export type Feedback = v.InferOutput<typeof feedback>;

/**
 * A visitor's own feedback, as the answer to its key: without what only the team may know, and without words and contact,
 * for whoever learns a key shall not read them. `left` names the native fields that were filled in (docs/rules.md#what-was-left).
 */
export const submission = v.strictObject({
  id: feedbackIdSchema,
  sk: v.literal('EXPERIENCE'),
  gs1sk: v.picklist(['URGENT', 'NORMAL']),
  data: v.strictObject({
    created: v.number(),
    formId: formIdSchema,
    projectId: propertyIdSchema,
    rating,
    left: v.array(v.string()),
    converted: v.optional(v.number()),
  }),
});
export type Submission = v.InferOutput<typeof submission>;

/* ── Operations ── */

/** 128 random bits or more, made with the page: the name of a submission and the only capability to amend it. */
export const idempotencyKey = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{22,128}$/, 'Please send a key of at least 128 random bits: 22 to 128 letters, digits, - or _'),
);

const which = {
  accountId: v.optional(accountIdSchema),
  propertyId: v.optional(propertyIdSchema),
  from: v.optional(instant),
  to: v.optional(instant),
};
const isOneNamed = ({ accountId, propertyId }: { accountId?: string | undefined; propertyId?: string | undefined }) =>
  accountId !== undefined || propertyId !== undefined;
const NAME_ONE = 'Please name an account or a property';
const LONGEST_DAYS = 400;
const isSpan = ({ from, to }: { from: number; to: number }) => from < to && to - from <= LONGEST_DAYS * DAY;

const tally = v.tuple([v.number(), v.number(), v.number(), v.number(), v.number()]);
/** How many of each rating, from 1 to 5. */
export type Tally = v.InferOutput<typeof tally>;

/** Ratings in all and by hour or day; `at` (UTC ms) is where one begins. */
const counts = {
  ratings: tally,
  urgent: v.number(),
  /** How many are suspected: none of them is among the others. */
  suspected: v.number(),
  trend: v.array(v.strictObject({ at: v.number(), ratings: tally })),
};

export const feedbackOperations = {
  save: operation({
    access: 'visitor',
    summary: 'Takes a visitor’s feedback, or amends it when the key is known. Answered once it is on disk.',
    refusals: {
      'form-closed': 'The form, its property or its account was deleted.',
      'amend-closed': 'The key names feedback whose hour is over.',
    },
    input: v.strictObject({
      idempotencyKey,
      payload: v.strictObject({
        data: v.strictObject({
          formId: formIdSchema,
          responses: v.pipe(v.array(response), v.minLength(1, MESSAGES.rating), v.maxLength(20)),
          diagnostics: v.optional(diagnostics),
          url: v.optional(text(500)),
        }),
      }),
    }),
    answer: found({ feedback: submission }),
  }),
  list: operation({
    access: 'member',
    summary: 'Lists feedback, newest first, page by page. What is suspected is listed by itself only.',
    input: v.pipe(
      v.strictObject({
        ...which,
        kind: v.optional(v.picklist(['all', 'urgent', 'suspected', ...KINDS]), 'all'),
        source: v.optional(v.picklist(SOURCES)),
        rating: v.optional(rating),
        text: v.optional(text(100)),
        cursor: v.optional(feedbackIdSchema),
        limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 25),
      }),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], isOneNamed, NAME_ONE), ['accountId']),
    ),
    answer: found({ feedback: v.array(feedback), cursor: v.nullable(feedbackIdSchema) }),
  }),
  get: operation({
    access: 'member',
    summary: 'Reads one piece of feedback.',
    input: v.strictObject({ feedbackId: feedbackIdSchema }),
    answer: found({ feedback }),
  }),
  trust: operation({
    access: 'member',
    summary: 'Says that suspected feedback counts, or no longer. Feedback that never was suspected stays as it is.',
    input: v.strictObject({
      feedbackIds: v.pipe(v.array(feedbackIdSchema), v.minLength(1), v.maxLength(100)),
      counts: v.boolean(),
    }),
    answer: found({ feedback: v.array(feedback) }),
  }),
  summary: operation({
    access: 'member',
    summary: 'Counts ratings in a stretch of time, in all and by hour or day of a time zone.',
    input: v.pipe(
      v.strictObject({
        ...which,
        from: instant,
        to: instant,
        zone,
        grain: v.optional(v.picklist(['hour', 'day']), 'day'),
      }),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], isOneNamed, NAME_ONE), ['accountId']),
      v.forward(v.partialCheck([['from'], ['to']], isSpan, `From must come before to, by at most ${LONGEST_DAYS} days`), ['to']),
    ),
    answer: found(counts),
  }),
  overview: operation({
    access: 'member',
    summary: 'Counts ratings in a stretch of time for each property of the account, in all and by day of a time zone.',
    input: v.pipe(
      v.strictObject({ accountId: accountIdSchema, from: instant, to: instant, zone }),
      v.forward(v.partialCheck([['from'], ['to']], isSpan, `From must come before to, by at most ${LONGEST_DAYS} days`), ['to']),
    ),
    answer: found({ properties: v.array(v.strictObject({ propertyId: propertyIdSchema, ...counts })) }),
  }),
};

export const feedbackExamples: Examples<typeof feedbackOperations> = {
  save: ({ form, unused }) => ({
    idempotencyKey: unused,
    payload: { data: { formId: form.id, responses: [{ uuid: gaugeOf(form.data.steps).uuid, block: 'EmojiGauge', response: 4 }] } },
  }),
  list: ({ accountId }) => ({ accountId, kind: 'urgent', limit: 25 }),
  get: ({ feedbackId }) => ({ feedbackId }),
  trust: ({ feedbackId }) => ({ feedbackIds: [feedbackId], counts: true }),
  summary: ({ propertyId, now }) => ({ propertyId, from: now - 7 * DAY, to: now, zone: 'Europe/Lisbon' }),
  overview: ({ accountId, now }) => ({ accountId, from: now - 7 * DAY, to: now, zone: 'Europe/Lisbon' }),
};

/* ── Events ── */

const rated = { propertyId: propertyIdSchema, rating };

export const feedbackEvents = {
  'feedback.submitted': event({ seenBy: 'member', summary: 'A visitor rated a visit.', data: v.strictObject(rated) }),
  'feedback.amended': event({
    seenBy: 'member',
    summary: 'A visitor added to their feedback, or changed it.',
    data: v.strictObject(rated),
  }),
  'feedback.suspected': event({
    seenBy: 'member',
    summary:
      'One network sent more answers to a form than its budget, and the others are suspected. Recorded once a quarter of an hour, of the form.',
    data: v.strictObject({ propertyId: propertyIdSchema }),
  }),
  'feedback.trusted': event({
    seenBy: 'member',
    summary: 'A person of the team said that suspected feedback counts, or no longer.',
    data: v.strictObject({ propertyId: propertyIdSchema, counts: v.boolean() }),
  }),
  'feedback.urgent': event({
    seenBy: 'member',
    summary: 'Feedback needs somebody now: it was rated below 3, or the visitor asked to be contacted.',
    data: v.strictObject(rated),
  }),
};

/* ── Suspicion ── */

/** How many answers to one form a network may send in a quarter of an hour before the others are suspected. */
export const MOST_UNSUSPECTED = 100;

/* ── Counts ── */

export const total = (ratings: Tally): number => ratings.reduce((sum, count) => sum + count, 0);

/** The mean of the ratings, or undefined where there are none. */
export function average(ratings: Tally): number | undefined {
  const count = total(ratings);
  return count === 0 ? undefined : ratings.reduce((sum, each, index) => sum + each * (index + 1), 0) / count;
}
