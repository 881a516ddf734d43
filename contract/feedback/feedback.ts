import * as v from 'valibot';
import { contactFormatProblems, plainPhone } from '../core/contact.ts';
import {
  accountIdSchema,
  feedbackIdSchema,
  formIdSchema,
  idempotencyKey,
  PLACEMENT,
  propertyIdSchema,
  tagIdSchema,
  toolIdSchema,
  USER_ID,
  userIdSchema,
} from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { instant, MESSAGES, okOrNotFound, text, uuid, zone } from '../core/schema.ts';
import { DAY, type Range } from '../core/time.ts';
import { event } from '../event/event.ts';
import { REVIEW_SERVICES } from '../form/review.ts';
import { gaugeOf } from '../form/steps.ts';
import { LANGUAGE_TAGS } from '../language/languages.ts';
import { KINDS, SOURCES } from './filters.ts';
import { SIGNED_ORDER } from './order-number.ts';
import { MAX_TEXT, RATINGS } from './rating.ts';
import { tally } from './tally.ts';
import { MOST_CHANGED, STATUSES, UNASSIGNED, work, workChange } from './work.ts';

/** Captures a web address up to its path; one with a user name doesn't match. */
const PAGE_ADDRESS = /^(https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#]*)?)(?:[?#].*)?$/iu;
const LONGEST_ADDRESS = 500;

/* ── Entities ── */

const rating = v.picklist(RATINGS, MESSAGES.rating);

const contactAnswer = v.pipe(
  v.strictObject({
    answer: v.picklist(['Yes', 'No']),
    /** A visitor's contact details (characters). @limit contact-fields */
    name: v.optional(text(100)),
    phone: v.optional(v.pipe(text(40), v.transform(plainPhone))),
    email: v.optional(text(254)),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const { field, message } of contactFormatProblems(dataset.value))
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

/** A page's address without query and fragment, which may contain secrets (docs/rules.md#page-address). */
const pageAddress = v.pipe(
  text(2000),
  v.regex(PAGE_ADDRESS, 'Send the address of a page'),
  v.transform((address) => (PAGE_ADDRESS.exec(address)?.[1] ?? '').slice(0, LONGEST_ADDRESS)),
);

export const REPLIES = ['asked', 'received', 'sent'] as const;

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
    /** The address of the page it was given on, without query and fragment. */
    url: v.optional(v.string()),
    /** The business's id for the visitor, from the link it gave out (docs/rules.md#visitors-id). */
    userId: v.optional(v.string()),
    /**
     * True: it exceeded its form's flood limit for one network, and isn't counted. False: a teammate decided that it counts. Missing:
     * it was never suspected (docs/rules.md#suspected).
     */
    suspected: v.optional(v.boolean()),
    ...work,
    /** The placement whose code or link was opened (docs/rules.md#placements). */
    toolId: v.optional(toolIdSchema),
    /** True if a teammate tried the form: it isn't counted and causes no alert (docs/rules.md#test-answers). */
    test: v.optional(v.literal(true)),
    /** The language that the visitor read the form in, if it isn't the form's own. */
    language: v.optional(v.picklist(LANGUAGE_TAGS)),
    /** What happened last in the private conversation: the visitor asked for an answer or wrote, or the team did. Missing without one. */
    reply: v.optional(v.picklist(REPLIES)),
    /** The order number in the visitor's link, which the property's till signed (docs/rules.md#order-numbers). */
    orderNumber: v.optional(v.string()),
  }),
});
export type Feedback = v.InferOutput<typeof feedback>;

/**
 * A visitor's own feedback, as returned for its key: without the team's data, and without text and contact, because a leaked key must
 * not reveal them. `left` names the native fields that were filled in (docs/rules.md#what-was-left).
 */
const submission = v.strictObject({
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

/* ── History ── */

const ratingData = { propertyId: propertyIdSchema, rating };
/** `contact` is true if the visitor asks to be contacted in this amendment. */
const amendmentData = v.strictObject({ ...ratingData, contact: v.optional(v.literal(true)) });
const trustData = v.strictObject({ propertyId: propertyIdSchema, counts: v.boolean() });
const statusChangeData = v.strictObject({ propertyId: propertyIdSchema, from: v.picklist(STATUSES), to: v.picklist(STATUSES) });
const assignmentData = v.strictObject({ propertyId: propertyIdSchema, from: v.nullable(userIdSchema), to: v.nullable(userIdSchema) });
const handOverData = v.strictObject({ propertyId: propertyIdSchema, to: userIdSchema, count: v.number() });
const tagChangeData = v.strictObject({ propertyId: propertyIdSchema, added: v.array(tagIdSchema), removed: v.array(tagIdSchema) });

/** `actor` is a person's id, `visitor` or `afterword`; `at` is UTC ms. */
const attribution = { at: v.number(), actor: v.string() };

/** An event in a feedback item's history. */
const historyEntry = v.variant('name', [
  v.strictObject({ ...attribution, name: v.literal('feedback.amended'), data: amendmentData }),
  v.strictObject({ ...attribution, name: v.literal('feedback.trusted'), data: trustData }),
  v.strictObject({ ...attribution, name: v.literal('feedback.status-changed'), data: statusChangeData }),
  v.strictObject({ ...attribution, name: v.literal('feedback.assigned'), data: assignmentData }),
  v.strictObject({ ...attribution, name: v.literal('feedback.tagged'), data: tagChangeData }),
]);
export type HistoryEntry = v.InferOutput<typeof historyEntry>;

/** The events that a history shows. */
export const HISTORY: readonly HistoryEntry['name'][] = historyEntry.options.map(({ entries }) => entries.name.literal);

/* ── Operations ── */

const scope = {
  accountId: v.optional(accountIdSchema),
  propertyId: v.optional(propertyIdSchema),
  /** A placement; with a property, one of its own. */
  toolId: v.optional(toolIdSchema),
  from: v.optional(instant),
  to: v.optional(instant),
};
/** The filters of a list of feedback. */
export const feedbackFilters = {
  ...scope,
  kind: v.optional(v.picklist(['all', 'urgent', 'suspected', ...KINDS]), 'all'),
  /** True: only waiting visitors (docs/rules.md#waiting). */
  waiting: v.optional(v.literal(true)),
  source: v.optional(v.picklist(SOURCES)),
  rating: v.optional(rating),
  status: v.optional(v.picklist(STATUSES)),
  assignee: v.optional(v.union([userIdSchema, v.literal(UNASSIGNED)], 'Choose a person, or nobody')),
  tag: v.optional(tagIdSchema),
  language: v.optional(v.picklist(LANGUAGE_TAGS)),
  /** True: only what the caller hasn't read. */
  unread: v.optional(v.literal(true)),
  order: v.optional(v.picklist(['newest', 'oldest']), 'newest'),
  text: v.optional(text(100)),
};
export const hasAccountOrProperty = ({ accountId, propertyId }: { accountId?: string | undefined; propertyId?: string | undefined }) =>
  accountId !== undefined || propertyId !== undefined;
export const ACCOUNT_OR_PROPERTY = 'Choose an account or a property';
/** The longest summary: days by day, and years by month. @limit span */
const LONGEST_DAYS = 400;
const LONGEST_YEARS = 50;
const isInOrder = ({ from, to }: Range) => from < to;
const isSpan = ({ from, to }: Range) => from < to && to - from <= LONGEST_DAYS * DAY;
/** The units that counts are divided into. */
const GRAINS = ['hour', 'day', 'month'] as const;
export type Grain = (typeof GRAINS)[number];
const hasFewParts = ({ from, to, grain }: Range & { grain: Grain }) =>
  to - from <= (grain === 'month' ? LONGEST_YEARS * 366 : LONGEST_DAYS) * DAY;

/** Ratings in total and by hour, day or month; `at` (UTC ms) is its start. */
const counts = {
  ratings: tally,
  urgent: v.number(),
  /** Suspected feedback, which isn't in the other counts. */
  suspected: v.number(),
  trend: v.array(v.strictObject({ at: v.number(), ratings: tally })),
};

export const feedbackOperations = {
  save: operation({
    access: 'visitor',
    summary: 'Submit a visitor’s feedback, or amend it when the key is already in use. Responds once it is on disk.',
    refusals: {
      'form-closed': 'The form, its property or its account was deleted.',
      'amend-closed': 'The key belongs to feedback that is over an hour old.',
    },
    input: v.strictObject({
      idempotencyKey,
      payload: v.strictObject({
        data: v.strictObject({
          formId: formIdSchema,
          formVersion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
          language: v.optional(v.picklist(LANGUAGE_TAGS)),
          /** When the visitor last changed their answers, by their device's clock (docs/rules.md#amending). */
          changed: v.optional(v.pipe(v.number(), v.safeInteger())),
          responses: v.pipe(v.array(response), v.minLength(1, MESSAGES.rating), v.maxLength(20)),
          diagnostics: v.optional(diagnostics),
          url: v.optional(pageAddress),
          userId: v.optional(v.pipe(v.string(), v.regex(USER_ID, 'Send 1 to 64 letters, digits, dots, hyphens, underscores or tildes'))),
          at: v.optional(v.pipe(v.string(), v.regex(PLACEMENT, 'Send the ten letters and digits of a placement’s id'))),
          test: v.optional(v.literal(true)),
          ref: v.optional(v.pipe(v.string(), v.regex(SIGNED_ORDER, 'Send an order number, a dot and its signature'))),
        }),
      }),
    }),
    answer: okOrNotFound({ feedback: submission }),
  }),
  list: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'List feedback page by page, newest or oldest first. Suspected feedback is listed only on its own.',
    input: v.pipe(
      v.strictObject({
        ...feedbackFilters,
        cursor: v.optional(feedbackIdSchema),
        limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 25),
      }),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], hasAccountOrProperty, ACCOUNT_OR_PROPERTY), ['accountId']),
    ),
    answer: okOrNotFound({ feedback: v.array(feedback), cursor: v.nullable(feedbackIdSchema) }),
  }),
  count: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Count the feedback that matches these filters. Exact up to 10,000; 10,001 means more.',
    input: v.pipe(
      v.strictObject(feedbackFilters),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], hasAccountOrProperty, ACCOUNT_OR_PROPERTY), ['accountId']),
    ),
    answer: okOrNotFound({ count: v.number() }),
  }),
  get: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Get one feedback item.',
    input: v.strictObject({ feedbackId: feedbackIdSchema }),
    answer: okOrNotFound({ feedback }),
  }),
  some: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Get up to 100 feedback items, newest first. Unknown ids are skipped.',
    input: v.strictObject({ feedbackIds: v.pipe(v.array(feedbackIdSchema), v.minLength(1), v.maxLength(MOST_CHANGED)) }),
    answer: okOrNotFound({ feedback: v.array(feedback) }),
  }),
  trust: operation({
    access: 'member',
    summary: 'Count suspected feedback, or stop counting it. Feedback that was never suspected is unchanged.',
    input: v.strictObject({
      feedbackIds: v.pipe(v.array(feedbackIdSchema), v.minLength(1), v.maxLength(100)),
      counts: v.boolean(),
    }),
    answer: okOrNotFound({ feedback: v.array(feedback) }),
  }),
  modify: operation({
    access: 'member',
    summary:
      'Change the status, assignee, tags and the caller’s unread mark of up to 100 feedback items, all or none. Send the previous values to undo.',
    input: v.strictObject({
      changes: v.pipe(
        v.array(workChange),
        v.minLength(1),
        v.maxLength(MOST_CHANGED),
        v.check((changes) => new Set(changes.map(({ feedbackId }) => feedbackId)).size === changes.length, 'Name each feedback once'),
      ),
    }),
    answer: okOrNotFound({ feedback: v.array(feedback) }),
  }),
  markAllRead: operation({
    access: 'member',
    summary: 'Mark all existing feedback as read, for the caller only.',
    input: v.strictObject({}),
    answer: okOrNotFound({}),
  }),
  inbox: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Count waiting visitors by property, and the caller’s unread feedback; each up to 1,000.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ waiting: v.array(v.strictObject({ propertyId: propertyIdSchema, count: v.number() })), unread: v.number() }),
  }),
  history: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'List the latest 200 events of one feedback item, newest first.',
    input: v.strictObject({ feedbackId: feedbackIdSchema }),
    answer: okOrNotFound({ history: v.array(historyEntry) }),
  }),
  summary: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Count ratings in a period, in total and by hour, day or month in a time zone.',
    input: v.pipe(
      v.strictObject({
        ...scope,
        from: instant,
        to: instant,
        zone,
        grain: v.optional(v.picklist(GRAINS), 'day'),
      }),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], hasAccountOrProperty, ACCOUNT_OR_PROPERTY), ['accountId']),
      v.forward(v.partialCheck([['from'], ['to']], isInOrder, 'From must come before to'), ['to']),
      v.forward(
        v.partialCheck([['from'], ['to'], ['grain']], hasFewParts, `At most ${LONGEST_DAYS} days, or by month ${LONGEST_YEARS} years`),
        ['grain'],
      ),
    ),
    answer: okOrNotFound(counts),
  }),
  overview: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Count ratings in a period for each property, in total and by day in a time zone.',
    input: v.pipe(
      v.strictObject({ accountId: accountIdSchema, from: instant, to: instant, zone }),
      v.forward(v.partialCheck([['from'], ['to']], isSpan, `From must come before to, by at most ${LONGEST_DAYS} days`), ['to']),
    ),
    answer: okOrNotFound({ properties: v.array(v.strictObject({ propertyId: propertyIdSchema, ...counts })) }),
  }),
  totals: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Count all feedback each property has ever received, including suspected. Properties without any are omitted.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ properties: v.array(v.strictObject({ propertyId: propertyIdSchema, answers: v.number() })) }),
  }),
  placements: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Count ratings in a period for each placement of a property, by name. Placements without any are omitted.',
    input: v.pipe(
      v.strictObject({ propertyId: propertyIdSchema, from: instant, to: instant }),
      v.forward(v.partialCheck([['from'], ['to']], isSpan, `From must come before to, by at most ${LONGEST_DAYS} days`), ['to']),
    ),
    answer: okOrNotFound({ placements: v.array(v.strictObject({ toolId: toolIdSchema, ratings: tally })) }),
  }),
  discard: operation({
    access: 'member',
    summary: 'Delete the given test answers. Visitors’ feedback is never deleted.',
    input: v.strictObject({ feedbackIds: v.pipe(v.array(feedbackIdSchema), v.minLength(1), v.maxLength(100)) }),
    answer: okOrNotFound({ feedbackIds: v.array(feedbackIdSchema) }),
  }),
};

export const feedbackExamples: Examples<typeof feedbackOperations> = {
  save: ({ form, unused }) => ({
    idempotencyKey: unused,
    payload: { data: { formId: form.id, responses: [{ uuid: gaugeOf(form.data.steps).uuid, block: 'EmojiGauge', response: 4 }] } },
  }),
  list: ({ accountId }) => ({ accountId, kind: 'urgent', limit: 25 }),
  count: ({ accountId }) => ({ accountId, text: 'coffee' }),
  get: ({ feedbackId }) => ({ feedbackId }),
  some: ({ feedbackId }) => ({ feedbackIds: [feedbackId] }),
  trust: ({ feedbackId }) => ({ feedbackIds: [feedbackId], counts: true }),
  modify: ({ feedbackId, userId }) => ({ changes: [{ feedbackId, status: 'open', assignee: userId }] }),
  markAllRead: () => ({}),
  inbox: ({ accountId }) => ({ accountId }),
  history: ({ feedbackId }) => ({ feedbackId }),
  summary: ({ propertyId, now }) => ({ propertyId, from: now - 7 * DAY, to: now, zone: 'Europe/Lisbon' }),
  overview: ({ accountId, now }) => ({ accountId, from: now - 7 * DAY, to: now, zone: 'Europe/Lisbon' }),
  totals: ({ accountId }) => ({ accountId }),
  placements: ({ propertyId, now }) => ({ propertyId, from: now - 7 * DAY, to: now }),
  discard: ({ feedbackId }) => ({ feedbackIds: [feedbackId] }),
};

/* ── Events ── */

export const feedbackEvents = {
  'feedback.submitted': event({ seenBy: 'member', summary: 'A visitor rated a visit.', data: v.strictObject(ratingData) }),
  'feedback.amended': event({
    seenBy: 'member',
    summary: 'A visitor amended their feedback.',
    data: amendmentData,
  }),
  'feedback.suspected': event({
    seenBy: 'member',
    summary: 'One network exceeded a form’s flood limit, and the excess is suspected. Recorded for the form, at most every 15 minutes.',
    data: v.strictObject({ propertyId: propertyIdSchema }),
  }),
  'feedback.trusted': event({
    seenBy: 'member',
    summary: 'A teammate counted suspected feedback, or stopped counting it.',
    data: trustData,
  }),
  'feedback.status-changed': event({ seenBy: 'member', summary: 'A teammate changed the status of feedback.', data: statusChangeData }),
  'feedback.assigned': event({ seenBy: 'member', summary: 'Feedback was assigned to a teammate, or unassigned.', data: assignmentData }),
  'feedback.handed-over': event({
    seenBy: 'member',
    summary: 'A teammate assigned `count` feedback items to someone at once; recorded for the newest.',
    data: handOverData,
  }),
  'feedback.tagged': event({ seenBy: 'member', summary: 'A teammate added or removed tags.', data: tagChangeData }),
  'feedback.discarded': event({
    seenBy: 'member',
    summary: 'A teammate deleted a test answer.',
    data: v.strictObject({ propertyId: propertyIdSchema }),
  }),
  'feedback.erased': event({
    seenBy: 'member',
    summary: 'The words and contact details of feedback were deleted, by the visitor or on their request. The rating is kept.',
    data: v.strictObject({ propertyId: propertyIdSchema }),
  }),
  'feedback.urgent': event({
    seenBy: 'member',
    summary: 'Feedback is urgent: rated below 3, or the visitor asked to be contacted.',
    data: v.strictObject(ratingData),
  }),
};

/* ── Suspicion ── */

/** The most answers to one form from one network in a quarter of an hour; any more are suspected. @limit answers */
export const FLOOD_LIMIT = 100;
