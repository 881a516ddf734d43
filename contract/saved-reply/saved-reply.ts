import * as v from 'valibot';
import { badField, type Refusal } from '../core/errors.ts';
import { accountIdSchema, savedReplyIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { lineOfText, okOrNotFound, writtenText } from '../core/schema.ts';
import { event, noData } from '../event/event.ts';
import { filled } from '../language/words.ts';

/** The most saved replies of an account. */
export const MOST_SAVED_REPLIES = 50;
/** In characters. */
export const LONGEST_REPLY_NAME = 40;

/** A text that the team often sends to visitors, in which names may be filled in. `gs1sk` is the account's id (docs/rules.md#envelope). */
const savedReply = v.strictObject({
  id: savedReplyIdSchema,
  sk: v.literal('SAVEDREPLY'),
  gs1sk: accountIdSchema,
  data: v.strictObject({ accountId: accountIdSchema, displayName: v.string(), text: v.string(), created: v.number() }),
});
export type SavedReply = v.InferOutput<typeof savedReply>;

export const replyName = lineOfText(LONGEST_REPLY_NAME);

export const replyNameTaken = (): Refusal => badField('payload.data.displayName', 'You already have a saved reply with this name');

/**
 * Returns a reply with its names filled in. Without a visitor's name, `{name}` disappears with the space or comma before it: "Hi {name}!"
 * becomes "Hi!".
 */
export function filledReply(reply: string, { name, property }: { readonly name: string | undefined; readonly property: string }): string {
  const addressed = name === undefined ? reply.replace(/,? ?\{name\}/g, '') : reply;
  return filled(addressed, { property, ...(name !== undefined && { name }) });
}

export const savedReplyOperations = {
  list: operation({
    access: 'member',
    whileEnded: true,
    summary: 'List the account’s saved replies by name.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ replies: v.array(savedReply) }),
  }),
  save: operation({
    access: 'member',
    summary: 'Save a reply under a name, or change one by its id. Refuses an existing name, ignoring case.',
    refusals: { conflict: `An account has at most ${MOST_SAVED_REPLIES} saved replies.` },
    input: v.strictObject({
      payload: v.strictObject({
        id: v.optional(savedReplyIdSchema),
        data: v.strictObject({ displayName: replyName, text: writtenText }),
      }),
    }),
    answer: okOrNotFound({ reply: savedReply }),
  }),
  delete: operation({
    access: 'member',
    summary: 'Delete a saved reply.',
    input: v.strictObject({ savedReplyId: savedReplyIdSchema }),
    answer: okOrNotFound({}),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly savedReplyId: string;
  }
}

export const savedReplyExamples: Examples<typeof savedReplyOperations> = {
  list: ({ accountId }) => ({ accountId }),
  save: ({ unused }) => ({
    payload: { data: { displayName: `Thanks ${unused.slice(0, 8)}`, text: 'Hi {name}, thank you for your visit to {property}!' } },
  }),
  delete: ({ savedReplyId }) => ({ savedReplyId }),
};

export const savedReplyEvents = {
  'saved-reply.created': event({ seenBy: 'member', summary: 'A reply was saved.', data: noData }),
  'saved-reply.changed': event({ seenBy: 'member', summary: 'A saved reply was changed.', data: noData }),
  'saved-reply.deleted': event({ seenBy: 'member', summary: 'A saved reply was deleted.', data: noData }),
};
