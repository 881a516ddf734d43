import * as v from 'valibot';
import { accountIdSchema, propertyIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { instant, okOrNotFound, zone } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { tally } from '../feedback/feedback.ts';

/** With fewer ratings a place has no rank: chance decides where it would stand. */
export const FEWEST_RANKED = 20;
/** With fewer ratings the hours of the week make no picture. */
export const FEWEST_BY_HOUR = 20;
/** By hour no more than so many days are counted, the last ones: whole weeks, so that no day of the week has more of them. */
export const DAYS_BY_HOUR = 91;
const LONGEST_SPAN = 50 * 366 * DAY;

/** An account, or one of its properties, in a stretch of time (UTC ms; `to` is exclusive). */
const about = {
  accountId: v.optional(accountIdSchema),
  propertyId: v.optional(propertyIdSchema),
  from: instant,
  to: instant,
};

interface AboutPeriod {
  readonly accountId?: string | undefined;
  readonly propertyId?: string | undefined;
  readonly from: number;
  readonly to: number;
}
const isOneNamed = ({ accountId, propertyId }: Pick<AboutPeriod, 'accountId' | 'propertyId'>) =>
  accountId !== undefined || propertyId !== undefined;
const isSpan = ({ from, to }: Pick<AboutPeriod, 'from' | 'to'>) => from < to && to - from <= LONGEST_SPAN;
const NAME_ONE = 'Choose an account or a property';
const SPAN = 'From must come before to, by at most 50 years';

/** How many opened the form, rated, and went on to a review service; of those who rated in this time. */
const funnel = v.strictObject({ views: v.number(), ratings: v.number(), reviews: v.number() });
export type Funnel = v.InferOutput<typeof funnel>;

/** The ratings of an hour of the week, on the clock of the property: 1 is Monday, hours are 0 to 23. */
const hourOfWeek = v.strictObject({ weekday: v.number(), hour: v.number(), ratings: tally });
export type HourOfWeek = v.InferOutput<typeof hourOfWeek>;

const outstanding = v.strictObject({ words: v.string(), bad: v.number(), good: v.number() });

export const insightOperations = {
  overview: operation({
    access: 'member',
    whileEnded: true,
    summary:
      'Count openings, ratings and opened reviews in a period; ratings of each property, or of each placement of one; and ratings by hour of the week in the property’s time zone.',
    input: v.pipe(
      /** The zone is that of properties that have none of their own. */
      v.strictObject({ ...about, zone }),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], isOneNamed, NAME_ONE), ['accountId']),
      v.forward(v.partialCheck([['from'], ['to']], isSpan, SPAN), ['to']),
    ),
    answer: okOrNotFound({
      funnel,
      /** By the id of a property or of a placement, where it has ratings. */
      places: v.array(v.strictObject({ id: v.string(), ratings: tally })),
      /** `from` (UTC ms) is later than asked for where the stretch is longer than what is counted by hour. */
      hours: v.strictObject({ from: v.number(), cells: v.array(hourOfWeek) }),
    }),
  }),
  words: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Find the words and phrases that stand out in recent bad and good feedback.',
    input: v.pipe(
      v.strictObject(about),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], isOneNamed, NAME_ONE), ['accountId']),
      v.forward(v.partialCheck([['from'], ['to']], isSpan, SPAN), ['to']),
    ),
    answer: okOrNotFound({
      /** How many pieces with words were read, and whether there are older ones that were not. */
      read: v.number(),
      hasMore: v.boolean(),
      pieces: v.strictObject({ bad: v.number(), good: v.number() }),
      bad: v.array(outstanding),
      good: v.array(outstanding),
    }),
  }),
};

export const insightExamples: Examples<typeof insightOperations> = {
  overview: ({ accountId, now }) => ({ accountId, from: now - 7 * DAY, to: now, zone: 'Europe/Lisbon' }),
  words: ({ propertyId, now }) => ({ propertyId, from: now - 31 * DAY, to: now }),
};
