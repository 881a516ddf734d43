import * as v from 'valibot';
import { accountIdSchema, idempotencyKey, messageIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, page, text, writtenText } from '../core/schema.ts';
import { event } from '../event/event.ts';
import { picture } from '../user/user.ts';

export const MESSAGE_KINDS = ['feedback', 'bug'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** A message from a teammate to the operators. `gs1sk` is the account's id (docs/rules.md#envelope). */
const message = v.strictObject({
  id: messageIdSchema,
  sk: v.literal('MESSAGE'),
  gs1sk: accountIdSchema,
  data: v.strictObject({
    created: v.number(),
    createdBy: userIdSchema,
    accountId: accountIdSchema,
    kind: v.picklist(MESSAGE_KINDS),
    text: v.string(),
    /** The page it was written on: path and query. */
    url: v.string(),
    userAgent: v.string(),
    /** True if operators may reply to the author. */
    mayReply: v.boolean(),
    hasScreenshot: v.boolean(),
    /** When an operator marked it as handled (UTC ms). */
    handled: v.optional(v.number()),
  }),
});
export type InternalMessage = v.InferOutput<typeof message>;

/** A message as operators list it. */
const listedMessage = v.strictObject({
  message,
  company: v.string(),
  /** The author's name; left out if they have left the team. */
  name: v.optional(v.string()),
  /** The author's email; left out unless operators may reply. */
  emailAddress: v.optional(v.string()),
});
export type ListedMessage = v.InferOutput<typeof listedMessage>;

/** Identifies one message. */
const target = { accountId: accountIdSchema, messageId: messageIdSchema };

export const messageOperations = {
  save: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Send product feedback or a bug report to the operators. Repeating it with the same key returns the same message.',
    refusals: { 'too-many': 'At most ten messages an hour per person.', overloaded: 'Too many pictures are waiting to be processed.' },
    input: v.strictObject({
      idempotencyKey,
      payload: v.strictObject({
        data: v.strictObject({
          kind: v.picklist(MESSAGE_KINDS),
          text: writtenText,
          url: text(500),
          userAgent: text(500),
          mayReply: v.optional(v.boolean(), false),
          screenshot: v.optional(picture),
        }),
      }),
    }),
    answer: okOrNotFound({ message }),
  }),
  list: operation({
    access: 'operator',
    summary: 'List teams’ messages to the operators, newest first, page by page: open ones, or all.',
    records: 'messages.listed',
    input: v.strictObject({ ...page, which: v.optional(v.picklist(['open', 'all']), 'open') }),
    answer: okOrNotFound({ messages: v.array(listedMessage), cursor: v.nullable(v.string()) }),
  }),
  screenshot: operation({
    access: 'operator',
    summary: 'Get the screenshot of a message as a data URL. Not found if it has none.',
    records: 'message.screenshot-seen',
    input: v.strictObject(target),
    answer: okOrNotFound({ screenshot: v.string() }),
  }),
  handle: operation({
    access: 'operator',
    summary: 'Mark a message as handled, or not.',
    records: 'message.handled',
    input: v.strictObject({ ...target, handled: v.boolean() }),
    answer: okOrNotFound({ message }),
  }),
  delete: operation({
    access: 'operator',
    summary: 'Delete a message and its screenshot permanently.',
    records: 'message.deleted',
    input: v.strictObject(target),
    answer: okOrNotFound({}),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly messageId: string;
  }
  interface AuditEvents {
    'messages.listed': unknown;
    'message.screenshot-seen': unknown;
    'message.handled': unknown;
    'message.deleted': unknown;
  }
}

export const messageExamples: Examples<typeof messageOperations> = {
  save: ({ unused }) => ({
    idempotencyKey: unused,
    payload: {
      data: { kind: 'bug', text: 'The chart is empty after midnight.', url: '/urgent', userAgent: 'Mozilla/5.0', mayReply: true },
    },
  }),
  list: () => ({ search: 'chart', limit: 25 }),
  screenshot: ({ accountId, messageId }) => ({ accountId, messageId }),
  handle: ({ accountId, messageId }) => ({ accountId, messageId, handled: true }),
  delete: ({ accountId, messageId }) => ({ accountId, messageId }),
};

export const messageEvents = {
  'message.sent': event({
    seenBy: 'operator',
    summary: 'A team sent the operators a message.',
    data: v.strictObject({ kind: v.picklist(MESSAGE_KINDS) }),
  }),
  'messages.listed': event({
    seenBy: 'operator',
    summary: 'An operator viewed the messages.',
    data: v.strictObject({ search: v.string() }),
  }),
  'message.screenshot-seen': event({
    seenBy: 'operator',
    summary: 'An operator viewed the screenshot of a message.',
    data: v.strictObject({ messageId: messageIdSchema }),
  }),
  'message.handled': event({
    seenBy: 'operator',
    summary: 'An operator marked a message as handled, or not.',
    data: v.strictObject({ messageId: messageIdSchema, handled: v.boolean() }),
  }),
  'message.deleted': event({
    seenBy: 'operator',
    summary: 'An operator deleted a message.',
    data: v.strictObject({ messageId: messageIdSchema }),
  }),
};
