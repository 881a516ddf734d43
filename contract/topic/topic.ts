import * as v from 'valibot';
import { badField, type Refusal, refusal } from '../core/errors.ts';
import { accountIdSchema, propertyIdSchema, topicIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { instant, lineOfText, okOrNotFound, text } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { event, noData } from '../event/event.ts';
import { ACCOUNT_OR_PROPERTY, feedback, hasAccountOrProperty } from '../feedback/feedback.ts';
import { wordsIn } from '../feedback/search.ts';
import { tally } from '../feedback/tally.ts';
import { isSpan, SPAN } from '../insight/insight.ts';

/* What visitors talk about (docs/decisions/0008-working-on-feedback.md). */

/** The types of business that have built-in topics (presets.ts). */
export const BUSINESS_TYPES = ['restaurant', 'hotel', 'shop', 'health', 'other'] as const;
export type BusinessType = (typeof BUSINESS_TYPES)[number];

/** Topics of an account, and phrases of a topic. @limit topics */
export const MOST_TOPICS = 30;
export const MOST_PHRASES = 300;
/** In characters. */
export const LONGEST_TOPIC = 40;
/** Characters and words of a phrase. @limit topics */
const LONGEST_PHRASE = 60;
const MOST_WORDS = 3;
/** The most answers about a topic that are listed. @limit topics */
export const MOST_EXAMPLES = 25;

/** The mark of a phrase whose words may continue. */
const PREFIX = '*';

/** A phrase as stored: without case, with single spaces. In Chinese and Japanese, a word may have several characters. */
export const topicPhrase = v.pipe(
  text(LONGEST_PHRASE, 1),
  v.normalize('NFC'),
  v.toLowerCase(),
  v.transform((phrase) => phrase.replace(/\s+/gu, ' ')),
  v.trim(),
  v.check((phrase) => wordsIn(phrase).length > 0, 'Enter a word of letters or digits'),
  v.check((phrase) => phrase.split(' ').length <= MOST_WORDS, `Enter one to ${MOST_WORDS} words`),
);

/** Returns a phrase's words, and whether they may continue. */
export function readPhrase(phrase: string): { readonly words: string; readonly isPrefix: boolean } {
  const isPrefix = phrase.endsWith(PREFIX);
  return { words: isPrefix ? phrase.slice(0, -PREFIX.length) : phrase, isPrefix };
}

const topicName = lineOfText(LONGEST_TOPIC);
const phrases = v.pipe(
  v.array(topicPhrase),
  v.maxLength(MOST_PHRASES, `At most ${MOST_PHRASES} phrases`),
  v.check((list) => new Set(list).size === list.length, 'Enter each phrase once'),
);

/** A topic of an account. `gs1sk` is the account's id (docs/rules.md#envelope). */
const topic = v.strictObject({
  id: topicIdSchema,
  sk: v.literal('TOPIC'),
  gs1sk: accountIdSchema,
  data: v.strictObject({
    accountId: accountIdSchema,
    displayName: v.string(),
    phrases: v.array(v.string()),
    /** Left out of the overview. */
    isHidden: v.boolean(),
    created: v.number(),
    /** False while the answers about it are being found. */
    isMatched: v.boolean(),
  }),
});
export type FeedbackTopic = v.InferOutput<typeof topic>;

export const topicTaken = (): Refusal => badField('payload.data.displayName', 'You already have a topic with this name');
export const tooManyTopics = (): Refusal =>
  refusal('conflict', `You have ${MOST_TOPICS} topics, which is the most. Delete or merge one first.`);
export const tooManyPhrases = (): Refusal => refusal('conflict', `Together they have more than ${MOST_PHRASES} phrases.`);
export const hasTopics = (): Refusal => refusal('conflict', 'Your account has topics already.');

const range = { from: instant, to: instant };

const topicCounts = v.strictObject({
  topicId: topicIdSchema,
  /** The ratings of the answers about it in the period, and in the one before if it was asked for. */
  ratings: tally,
  before: v.optional(tally),
});

export const topicOperations = {
  list: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'List the topics of the account by name, with their phrases.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ topics: v.array(topic) }),
  }),
  counts: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary:
      'Count the ratings of the answers about each topic in a period, and in the one before, of an account or one of its properties.',
    input: v.pipe(
      v.strictObject({
        accountId: v.optional(accountIdSchema),
        propertyId: v.optional(propertyIdSchema),
        ...range,
        /** The start of the period that ends at `from`. Left out: it isn't counted. */
        before: v.optional(instant),
      }),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], hasAccountOrProperty, ACCOUNT_OR_PROPERTY), ['accountId']),
      v.forward(v.partialCheck([['from'], ['to']], isSpan, SPAN), ['to']),
    ),
    answer: okOrNotFound({ counts: v.array(topicCounts) }),
  }),
  examples: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: `List the newest ${MOST_EXAMPLES} answers about a topic in a period.`,
    input: v.pipe(
      v.strictObject({ topicId: topicIdSchema, ...range, propertyId: v.optional(propertyIdSchema) }),
      v.forward(v.partialCheck([['from'], ['to']], isSpan, SPAN), ['to']),
    ),
    answer: okOrNotFound({ feedback: v.array(feedback) }),
  }),
  preview: operation({
    access: 'admin',
    summary: `Count the answers that have any of some phrases, up to 10,000, and list the newest ${MOST_EXAMPLES}.`,
    input: v.strictObject({ accountId: accountIdSchema, phrases }),
    answer: okOrNotFound({ count: v.number(), feedback: v.array(feedback) }),
  }),
  setUp: operation({
    access: 'admin',
    summary: 'Create the topics of a type of business, with phrases in the languages of its forms and of the answers so far.',
    refusals: { conflict: 'The account has topics already.' },
    input: v.strictObject({ businessType: v.picklist(BUSINESS_TYPES) }),
    answer: okOrNotFound({ topics: v.array(topic) }),
  }),
  save: operation({
    access: 'admin',
    summary: 'Create a topic, or change one by its id: its name, all its phrases, or whether the overview shows it.',
    refusals: { conflict: `An account has at most ${MOST_TOPICS} topics.` },
    input: v.strictObject({
      payload: v.variant('id', [
        v.strictObject({ id: v.optional(v.undefined()), data: v.strictObject({ displayName: topicName, phrases }) }),
        v.strictObject({
          id: topicIdSchema,
          data: v.strictObject({ displayName: v.optional(topicName), phrases: v.optional(phrases), isHidden: v.optional(v.boolean()) }),
        }),
      ]),
    }),
    answer: okOrNotFound({ topic }),
  }),
  merge: operation({
    access: 'admin',
    summary: 'Move the phrases of a topic to another one, and delete it.',
    refusals: { conflict: `A topic has at most ${MOST_PHRASES} phrases.` },
    input: v.pipe(
      v.strictObject({ topicId: topicIdSchema, otherTopicId: topicIdSchema }),
      v.forward(
        v.partialCheck([['topicId'], ['otherTopicId']], ({ topicId, otherTopicId }) => topicId !== otherTopicId, 'Choose another topic'),
        ['otherTopicId'],
      ),
    ),
    answer: okOrNotFound({ topic }),
  }),
  delete: operation({
    access: 'admin',
    summary: 'Delete a topic. Answers stay.',
    input: v.strictObject({ topicId: topicIdSchema }),
    answer: okOrNotFound({}),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly topicId: string;
    readonly otherTopicId: string;
  }
}

export const topicExamples: Examples<typeof topicOperations> = {
  list: ({ accountId }) => ({ accountId }),
  counts: ({ accountId, now }) => ({ accountId, from: now - 7 * DAY, to: now, before: now - 14 * DAY }),
  examples: ({ topicId, now }) => ({ topicId, from: now - 31 * DAY, to: now }),
  preview: ({ accountId }) => ({ accountId, phrases: ['wait', 'queue*'] }),
  setUp: () => ({ businessType: 'restaurant' }),
  save: ({ unused }) => ({ payload: { data: { displayName: `Parking ${unused.slice(0, 8)}`, phrases: ['parking', 'car park'] } } }),
  merge: ({ topicId, otherTopicId }) => ({ topicId, otherTopicId }),
  delete: ({ topicId }) => ({ topicId }),
};

export const topicEvents = {
  'topic.created': event({ seenBy: 'member', summary: 'A topic was created.', data: noData }),
  'topic.changed': event({ seenBy: 'member', summary: 'A topic was changed.', data: noData }),
  'topic.deleted': event({ seenBy: 'member', summary: 'A topic was deleted, or merged into another one.', data: noData }),
};
