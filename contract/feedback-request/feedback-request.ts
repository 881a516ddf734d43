import * as v from 'valibot';
import { badField, type Refusal, refusal } from '../core/errors.ts';
import { accountIdSchema, feedbackRequestIdSchema, propertyIdSchema, suppressionIdSchema, userIdSchema } from '../core/ids.ts';
import { hasLink } from '../core/names.ts';
import { type Examples, operation } from '../core/operation.ts';
import { instant, MAX_EMAIL, MESSAGES, okOrNotFound, page, text } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { event } from '../event/event.ts';
import { LANGUAGE_TAGS } from '../language/languages.ts';

/* Emails that ask customers for feedback (docs/decisions/0016-requests-and-order-numbers.md). */

/**
 * The most requests that one call adds or cancels, so that its body has fewer parts than a call may (docs/limits.md#json).
 * @limit feedback-requests
 */
export const MOST_REQUESTS = 100;
/** How many requests of an account wait at most: on trial, as many as can be sent before they are too late. @limit feedback-requests */
export const MOST_WAITING = { trial: 1_000, other: 20_000 } as const;
/** In characters. */
export const LONGEST_CUSTOMER_NAME = 60;
/** How far from now a visit may be (ms). */
const FARTHEST_VISIT = 90 * DAY;
/** How long a request is stored (days). Longer than any gap between two requests. @limit feedback-requests */
export const REQUEST_LIFETIME = 400;

/**
 * Waiting for its time; sent; answered; ended by the customer (`unsubscribed`, `complained`) or the mail server (`bounced`); or not sent,
 * because by then the address was asked or suppressed, or it was too late (`skipped`).
 */
export const REQUEST_STATUSES = ['waiting', 'sent', 'answered', 'unsubscribed', 'bounced', 'complained', 'skipped'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** Why an address is never asked: its owner unsubscribed or complained, it doesn't exist, or an admin added it. */
export const SUPPRESSION_REASONS = ['unsubscribed', 'complained', 'bounced', 'added'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** Why a request isn't added: the address is in the list twice, waits already, was asked within the gap, or is suppressed. */
const SKIP_REASONS = ['repeated', 'waiting', 'asked', ...SUPPRESSION_REASONS] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

const CUSTOMER_EMAIL = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}$/u;
/** An address as a mail server accepts it. Lowercase, so that an address is the same however it's written. */
export const customerEmail = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(MAX_EMAIL, MESSAGES.email),
  v.regex(CUSTOMER_EMAIL, MESSAGES.email),
);

/** A customer's name. It's in emails that the installation sends, so it has no link. */
export const customerName = v.pipe(
  v.string(),
  v.normalize('NFC'),
  text(LONGEST_CUSTOMER_NAME),
  v.trim(),
  v.check((name) => !hasLink(name), 'Enter a name without a link'),
);

/** A request as a client sends it. */
const newRequest = v.strictObject({
  email: customerEmail,
  name: v.optional(customerName),
  /** Left out: the form's own language. */
  language: v.optional(v.picklist(LANGUAGE_TAGS)),
  /** When the visit was, or will be (UTC ms). Left out: now. */
  visited: v.optional(instant),
});
export type NewRequest = v.InferOutput<typeof newRequest>;

/** Throws for a visit that is too long ago or too far away. */
export function checkVisits(requests: readonly NewRequest[], now: number): void {
  const index = requests.findIndex(({ visited = now }) => !isNear(visited, now));
  if (index !== -1) throw badField(`payload.requests.${index}.visited`, VISIT_MESSAGE);
}
export const isNear = (visited: number, now: number): boolean => Math.abs(visited - now) <= FARTHEST_VISIT;
export const VISIT_MESSAGE = `Enter a visit at most ${FARTHEST_VISIT / DAY} days from today`;

/** A request to one address. `gs1sk` is the property's id (docs/rules.md#envelope). */
const feedbackRequest = v.strictObject({
  id: feedbackRequestIdSchema,
  sk: v.literal('FEEDBACKREQUEST'),
  gs1sk: propertyIdSchema,
  data: v.strictObject({
    propertyId: propertyIdSchema,
    /** Left out once it was erased. */
    email: v.optional(v.string()),
    name: v.optional(v.string()),
    language: v.optional(v.picklist(LANGUAGE_TAGS)),
    /** The admin who added it. */
    author: userIdSchema,
    created: v.number(),
    visited: v.number(),
    status: v.picklist(REQUEST_STATUSES),
    /** When the next email is due (UTC ms): the first, or the reminder. */
    due: v.optional(v.number()),
    sent: v.optional(v.number()),
    reminded: v.optional(v.number()),
    answered: v.optional(v.number()),
  }),
});
export type FeedbackRequest = v.InferOutput<typeof feedbackRequest>;

/** An address that is never asked. `gs1sk` is the account's id. */
const suppression = v.strictObject({
  id: suppressionIdSchema,
  sk: v.literal('SUPPRESSION'),
  gs1sk: accountIdSchema,
  data: v.strictObject({
    /** Left out once it was erased. */
    email: v.optional(v.string()),
    reason: v.picklist(SUPPRESSION_REASONS),
    created: v.number(),
  }),
});
export type Suppression = v.InferOutput<typeof suppression>;

/** The reasons by which customers decide themselves. Only they can undo them. */
export const OWN_REASONS: readonly SuppressionReason[] = ['unsubscribed', 'complained'];
/** Returns whether an admin may ask an address again. */
export const mayBeAskedAgain = ({ data: { reason } }: Suppression): boolean => !OWN_REASONS.includes(reason);
export const isFinal = (): Refusal => refusal('conflict', 'This person doesn’t want to be asked. Only they can change that.');
export const tooManyWaiting = (most: number): Refusal =>
  refusal('conflict', `At most ${most.toLocaleString('en-US')} requests can wait. Add more once some are sent.`);

const counts = v.strictObject({
  waiting: v.number(),
  /** Everyone who got an email. */
  sent: v.number(),
  answered: v.number(),
  unsubscribed: v.number(),
  bounced: v.number(),
  complained: v.number(),
  skipped: v.number(),
});
export type RequestCounts = v.InferOutput<typeof counts>;

export const feedbackRequestOperations = {
  list: operation({
    access: 'admin',
    whileEnded: true,
    keyScope: 'request-feedback',
    summary: 'List a property’s feedback requests, newest first, page by page, and count them by status.',
    input: v.strictObject({ propertyId: propertyIdSchema, ...page, status: v.optional(v.picklist(REQUEST_STATUSES)) }),
    answer: okOrNotFound({ requests: v.array(feedbackRequest), cursor: v.nullable(v.string()), counts }),
  }),
  add: operation({
    access: 'admin',
    keyScope: 'request-feedback',
    summary: `Ask up to ${MOST_REQUESTS} customers for feedback by email. Addresses that can’t be asked are skipped, each with a reason, so a repeated call asks no one twice.`,
    refusals: {
      conflict: `An account has at most ${MOST_WAITING.other.toLocaleString('en-US')} requests waiting, on trial ${MOST_WAITING.trial.toLocaleString('en-US')}.`,
    },
    input: v.strictObject({
      propertyId: propertyIdSchema,
      payload: v.strictObject({
        requests: v.pipe(
          v.array(newRequest),
          v.minLength(1, 'Add at least one address'),
          v.maxLength(MOST_REQUESTS, `At most ${MOST_REQUESTS} at a time`),
        ),
        /** True only checks who would be asked. */
        isDryRun: v.optional(v.boolean(), false),
      }),
    }),
    answer: okOrNotFound({
      /** The ids of the new requests; empty for a dry run. */
      added: v.array(feedbackRequestIdSchema),
      /** How many are, or would be, asked. */
      count: v.number(),
      skipped: v.array(v.strictObject({ index: v.number(), reason: v.picklist(SKIP_REASONS) })),
      /** When the first email is due (UTC ms). Left out if no one is asked. */
      due: v.optional(v.number()),
    }),
  }),
  cancel: operation({
    access: 'admin',
    keyScope: 'request-feedback',
    summary: 'Cancel requests that wait to be sent, and the reminders of those that were. Ignores others.',
    input: v.strictObject({
      feedbackRequestIds: v.pipe(v.array(feedbackRequestIdSchema), v.minLength(1), v.maxLength(MOST_REQUESTS)),
    }),
    answer: okOrNotFound({ canceled: v.number() }),
  }),
  suppressions: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'List the addresses that the account never asks, newest first, page by page.',
    input: v.strictObject({ accountId: accountIdSchema, ...page }),
    answer: okOrNotFound({ suppressions: v.array(suppression), cursor: v.nullable(v.string()) }),
  }),
  suppress: operation({
    access: 'admin',
    whileEnded: true,
    keyScope: 'request-feedback',
    summary: 'Never ask an address again. Does nothing if it already isn’t asked.',
    input: v.strictObject({ email: customerEmail }),
    answer: okOrNotFound({ suppression }),
  }),
  unsuppress: operation({
    access: 'admin',
    summary: 'Allow an address to be asked again.',
    refusals: { conflict: 'The address’s owner unsubscribed or complained.' },
    input: v.strictObject({ suppressionId: suppressionIdSchema }),
    answer: okOrNotFound({}),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly feedbackRequestId: string;
    readonly suppressionId: string;
  }
}

export const feedbackRequestExamples: Examples<typeof feedbackRequestOperations> = {
  list: ({ propertyId }) => ({ propertyId, status: 'sent', limit: 25 }),
  add: ({ propertyId }) => ({
    propertyId,
    payload: { requests: [{ email: 'ana@example.com', name: 'Ana', language: 'pt' }] },
  }),
  cancel: ({ feedbackRequestId }) => ({ feedbackRequestIds: [feedbackRequestId] }),
  suppressions: ({ accountId }) => ({ accountId }),
  suppress: () => ({ email: 'ana@example.com' }),
  unsuppress: ({ suppressionId }) => ({ suppressionId }),
};

export const feedbackRequestEvents = {
  'feedback-request.added': event({
    seenBy: 'admin',
    summary: 'Customers of a property will be asked for feedback by email.',
    data: v.strictObject({ count: v.number() }),
  }),
  'feedback-request.canceled': event({
    seenBy: 'admin',
    summary: 'Feedback requests were canceled.',
    data: v.strictObject({ count: v.number() }),
  }),
  'feedback-request.answered': event({
    seenBy: 'admin',
    summary: 'A customer of a property answered a feedback request.',
    data: v.strictObject({}),
  }),
  'feedback-request.suppressed': event({
    seenBy: 'admin',
    summary: 'An address is no longer asked for feedback.',
    data: v.strictObject({ reason: v.picklist(SUPPRESSION_REASONS) }),
  }),
  'feedback-request.unsuppressed': event({
    seenBy: 'admin',
    summary: 'An address may be asked for feedback again.',
    data: v.strictObject({}),
  }),
};
