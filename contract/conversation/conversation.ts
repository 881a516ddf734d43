import * as v from 'valibot';
import { type Refusal, refusal } from '../core/errors.ts';
import { conversationMessageIdSchema, feedbackIdSchema, idempotencyKey, propertyIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, writtenText } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { event } from '../event/event.ts';
import { MOST_MESSAGES } from './messages.ts';

/* A private conversation between a visitor and the team about a feedback item (docs/rules.md#private-replies). */

/** How long (ms) a visitor's link works after the last message. @limit conversations */
export const LINK_LIFETIME = 90 * DAY;

const message = v.strictObject({
  id: conversationMessageIdSchema,
  /** Missing for the visitor's. */
  author: v.optional(userIdSchema),
  text: v.string(),
  /** UTC ms. */
  sent: v.number(),
  /** The email with this answer bounced. */
  undelivered: v.optional(v.literal(true)),
});
export type ConversationMessage = v.InferOutput<typeof message>;

/** How an answer reaches the visitor: by their private page, by email, or both. */
const REACHES = ['page', 'email'] as const;
export type Reach = (typeof REACHES)[number];

const conversation = v.strictObject({
  feedbackId: feedbackIdSchema,
  /** Empty if no answer reaches the visitor. */
  reach: v.array(v.picklist(REACHES)),
  /** Oldest first. */
  messages: v.array(message),
  /** When the visitor last saw a new message of the team, or wrote (UTC ms). */
  seen: v.optional(v.number()),
  /** When and by whom it was closed. The visitor can no longer write. */
  closed: v.optional(v.strictObject({ at: v.number(), by: userIdSchema })),
  /** When the visitor reported it. */
  reported: v.optional(v.number()),
});
export type Conversation = v.InferOutput<typeof conversation>;

const UNREACHABLE = 'The visitor left no email address that mail can be sent to, and didn’t ask for a private page.';
const CLOSED = 'The conversation is closed. Reopen it first.';
const FULL = `A conversation has at most ${MOST_MESSAGES} messages.`;

/** Throws `conflict` if no answer reaches the visitor, or the conversation is closed or full. */
export function checkMayAnswer({ reach, closed, messages }: Conversation): void {
  const reason = reach.length === 0 ? UNREACHABLE : closed ? CLOSED : messages.length >= MOST_MESSAGES ? FULL : undefined;
  if (reason !== undefined) throw conflict(reason);
}

const conflict = (reason: string): Refusal => refusal('conflict', reason);

const ofFeedback = v.strictObject({ feedbackId: feedbackIdSchema });

export const conversationOperations = {
  get: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Get the private conversation with a visitor about their feedback.',
    input: ofFeedback,
    answer: okOrNotFound({ conversation }),
  }),
  answer: operation({
    access: 'member',
    summary: 'Send a private answer to the visitor. Repeating it with the same key sends nothing.',
    refusals: {
      conflict: 'No answer reaches the visitor, or the conversation is closed or full.',
      'too-many': 'At most 100 answers an hour per person, 10 emails a day to an address, and on trial 100 emails a day per account.',
    },
    input: v.strictObject({ idempotencyKey, feedbackId: feedbackIdSchema, text: writtenText }),
    answer: okOrNotFound({ conversation }),
  }),
  close: operation({
    access: 'member',
    summary: 'Close a conversation. The visitor can read it, but no longer write.',
    input: ofFeedback,
    answer: okOrNotFound({ conversation }),
  }),
  reopen: operation({
    access: 'member',
    summary: 'Reopen a closed conversation.',
    input: ofFeedback,
    answer: okOrNotFound({ conversation }),
  }),
};

export const conversationExamples: Examples<typeof conversationOperations> = {
  get: ({ feedbackId }) => ({ feedbackId }),
  answer: ({ feedbackId, unused }) => ({
    idempotencyKey: unused,
    feedbackId,
    text: 'Thank you for telling us. The next coffee is on the house.',
  }),
  close: ({ feedbackId }) => ({ feedbackId }),
  reopen: ({ feedbackId }) => ({ feedbackId }),
};

const ofProperty = { propertyId: propertyIdSchema };
const aboutMessage = v.strictObject({ ...ofProperty, messageId: conversationMessageIdSchema });

/** Their subject is the feedback item. */
export const conversationEvents = {
  'conversation.opened': event({
    seenBy: 'member',
    summary: 'A visitor asked for a private page.',
    data: v.strictObject(ofProperty),
  }),
  'conversation.received': event({ seenBy: 'member', summary: 'A visitor wrote to the team on their private page.', data: aboutMessage }),
  'conversation.answered': event({ seenBy: 'member', summary: 'A teammate sent a private answer to a visitor.', data: aboutMessage }),
  'conversation.bounced': event({
    seenBy: 'member',
    summary: 'The email with a private answer couldn’t be delivered.',
    data: aboutMessage,
  }),
  'conversation.seen': event({ seenBy: 'member', summary: 'A visitor read a private answer.', data: v.strictObject(ofProperty) }),
  'conversation.closed': event({
    seenBy: 'member',
    summary: 'A conversation with a visitor was closed.',
    data: v.strictObject(ofProperty),
  }),
  'conversation.reopened': event({
    seenBy: 'member',
    summary: 'A closed conversation with a visitor was reopened.',
    data: v.strictObject(ofProperty),
  }),
  'conversation.reported': event({
    seenBy: 'member',
    summary: 'A visitor reported a conversation.',
    data: v.strictObject(ofProperty),
  }),
};
