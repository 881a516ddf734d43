import * as v from 'valibot';
import { accountIdSchema, propertyIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { instant, okOrNotFound, zone } from '../core/schema.ts';
import { DAY, type Range } from '../core/time.ts';
import { ACCOUNT_OR_PROPERTY, hasAccountOrProperty } from '../feedback/feedback.ts';
import { tally } from '../feedback/tally.ts';
import { reviewSpan } from './review-funnel.ts';

/** The chart by hour of the week needs this many ratings. @limit ranked */
export const FEWEST_BY_HOUR = 20;
/** Only the last days of a period are counted by hour: whole weeks, so that every weekday counts equally often. @limit overview-span */
export const DAYS_BY_HOUR = 91;
/** The longest period of an overview (ms). @limit overview-span */
const LONGEST_SPAN = 50 * 366 * DAY;

/** An account or one of its properties in a period (UTC ms; `to` is exclusive). */
const subjectAndRange = {
  accountId: v.optional(accountIdSchema),
  propertyId: v.optional(propertyIdSchema),
  from: instant,
  to: instant,
};

export const isSpan = ({ from, to }: Range) => from < to && to - from <= LONGEST_SPAN;
export const SPAN = 'From must come before to, by at most 50 years';

/** Openings of the form, ratings, and how many of the visitors who rated continued to a review service. */
const funnel = v.strictObject({ views: v.number(), ratings: v.number(), reviews: v.number() });
export type Funnel = v.InferOutput<typeof funnel>;

/** The ratings of an hour of the week, by the property's clock: 1 is Monday, hours are 0 to 23. */
const hourOfWeek = v.strictObject({ weekday: v.number(), hour: v.number(), ratings: tally });
export type HourOfWeek = v.InferOutput<typeof hourOfWeek>;

const standout = v.strictObject({ words: v.string(), bad: v.number(), good: v.number() });

export const insightOperations = {
  overview: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary:
      'Count openings, ratings and opened reviews in a period; ratings of each property, or of each placement of one; and ratings by hour of the week in the property’s time zone.',
    input: v.pipe(
      /** The zone applies to properties without their own. */
      v.strictObject({ ...subjectAndRange, zone }),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], hasAccountOrProperty, ACCOUNT_OR_PROPERTY), ['accountId']),
      v.forward(v.partialCheck([['from'], ['to']], isSpan, SPAN), ['to']),
    ),
    answer: okOrNotFound({
      funnel,
      /** The properties or placements with ratings, by id. */
      places: v.array(v.strictObject({ id: v.string(), ratings: tally })),
      /** `from` (UTC ms) is later than requested if the period is longer than `DAYS_BY_HOUR`. */
      hours: v.strictObject({ from: v.number(), cells: v.array(hourOfWeek) }),
    }),
  }),
  words: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Find the words and phrases that stand out in recent bad and good feedback.',
    input: v.pipe(
      v.strictObject(subjectAndRange),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], hasAccountOrProperty, ACCOUNT_OR_PROPERTY), ['accountId']),
      v.forward(v.partialCheck([['from'], ['to']], isSpan, SPAN), ['to']),
    ),
    answer: okOrNotFound({
      /** How many texts were read, and whether there are older ones that weren't. */
      read: v.number(),
      hasMore: v.boolean(),
      pieces: v.strictObject({ bad: v.number(), good: v.number() }),
      bad: v.array(standout),
      good: v.array(standout),
    }),
  }),
  reviewFunnel: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Count the ratings of a property by the rule that decided who was offered the review links, newest rule first.',
    input: v.strictObject({ propertyId: propertyIdSchema }),
    answer: okOrNotFound({
      spans: v.array(reviewSpan),
      /** Feedback requests by email, whichever rule applied. */
      requests: v.strictObject({ sent: v.number(), answered: v.number() }),
    }),
  }),
};

export const insightExamples: Examples<typeof insightOperations> = {
  overview: ({ accountId, now }) => ({ accountId, from: now - 7 * DAY, to: now, zone: 'Europe/Lisbon' }),
  words: ({ propertyId, now }) => ({ propertyId, from: now - 31 * DAY, to: now }),
  reviewFunnel: ({ propertyId }) => ({ propertyId }),
};
