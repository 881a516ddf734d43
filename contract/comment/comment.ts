import * as v from 'valibot';
import { refusal } from '../core/errors.ts';
import { accountIdSchema, commentIdSchema, feedbackIdSchema, idempotencyKey, propertyIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, page, writtenText } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { event } from '../event/event.ts';

/** A teammate's comment on feedback, visible only to the team. `gs1sk` is the feedback's id (docs/rules.md#envelope). */
const comment = v.strictObject({
  id: commentIdSchema,
  sk: v.literal('COMMENT'),
  gs1sk: feedbackIdSchema,
  data: v.strictObject({
    created: v.number(),
    createdBy: userIdSchema,
    feedbackId: feedbackIdSchema,
    propertyId: propertyIdSchema,
    accountId: accountIdSchema,
    /** A mention is `@` and a teammate's id (docs/rules.md#mentions). */
    text: v.string(),
    /** When the text was last edited (UTC ms). */
    edited: v.optional(v.number()),
  }),
});
export type Comment = v.InferOutput<typeof comment>;

const TOO_MANY = { 'too-many': 'At most 300 comments and 100 mentions an hour per person.' };

export const commentOperations = {
  save: operation({
    access: 'member',
    summary: 'Add a comment to feedback, or edit your own. A new one needs a key; repeating it with the same key returns the same comment.',
    refusals: { 'not-allowed': 'Only its author can edit a comment.', ...TOO_MANY },
    input: v.pipe(
      v.strictObject({
        idempotencyKey: v.optional(idempotencyKey),
        payload: v.variant('id', [
          v.strictObject({
            id: v.optional(v.undefined()),
            data: v.strictObject({ feedbackId: feedbackIdSchema, text: writtenText }),
          }),
          v.strictObject({ id: commentIdSchema, data: v.strictObject({ text: writtenText }) }),
        ]),
      }),
      v.forward(
        v.partialCheck(
          [['idempotencyKey'], ['payload']],
          ({ idempotencyKey: key, payload }) => key !== undefined || payload.id !== undefined,
          'Send a key with a new comment',
        ),
        ['idempotencyKey'],
      ),
    ),
    answer: okOrNotFound({ comment }),
  }),
  list: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'List the comments on one feedback item, newest first, page by page, with their total.',
    input: v.strictObject({ feedbackId: feedbackIdSchema, cursor: page.cursor, limit: page.limit }),
    answer: okOrNotFound({ comments: v.array(comment), cursor: v.nullable(v.string()), count: v.number() }),
  }),
  count: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Count the comments on each given feedback item. Items without comments, and unknown ones, are omitted.',
    input: v.strictObject({ feedbackIds: v.pipe(v.array(feedbackIdSchema), v.minLength(1), v.maxLength(100)) }),
    answer: okOrNotFound({ counts: v.array(v.strictObject({ feedbackId: feedbackIdSchema, count: v.number() })) }),
  }),
  delete: operation({
    access: 'member',
    summary: 'Delete your own comment, or any as an admin. You can restore it for a day.',
    refusals: { 'not-allowed': 'Only admins can delete another person’s comment.' },
    input: v.strictObject({ commentId: commentIdSchema }),
    answer: okOrNotFound({}),
  }),
  restore: operation({
    access: 'member',
    summary: 'Restore a comment the caller deleted, within a day. Does nothing if it isn’t deleted.',
    input: v.strictObject({ commentId: commentIdSchema }),
    answer: okOrNotFound({ comment }),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly commentId: string;
  }
}

export const commentExamples: Examples<typeof commentOperations> = {
  save: ({ feedbackId, unused }) => ({
    idempotencyKey: unused,
    payload: { data: { feedbackId, text: 'Called back: a new cup is on the house.' } },
  }),
  list: ({ feedbackId }) => ({ feedbackId, limit: 25 }),
  count: ({ feedbackId }) => ({ feedbackIds: [feedbackId] }),
  delete: ({ commentId }) => ({ commentId }),
  restore: ({ commentId }) => ({ commentId }),
};

/* ── Rules ── */

/** How long (ms) a deleted comment can be restored; after that, its text is erased. */
export const COMMENT_RESTORE_WINDOW = DAY;

interface CommentsReader {
  readonly userId: string;
  readonly level: 'admin' | 'user';
}

/** Throws `not-allowed` unless the caller is the author: no one can put words into another person's mouth. */
export function checkMayEdit(by: Pick<CommentsReader, 'userId'>, { data }: Comment): void {
  if (data.createdBy !== by.userId) throw refusal('not-allowed', 'Only its author can edit a comment.');
}

/** Returns whether a person may delete a comment: its author and admins may. */
export const mayDeleteComment = (by: CommentsReader, { data }: Comment): boolean => by.level === 'admin' || data.createdBy === by.userId;

/** Throws `not-allowed` if a person may not delete a comment. */
export function checkMayDelete(by: CommentsReader, before: Comment): void {
  if (!mayDeleteComment(by, before)) throw refusal('not-allowed', 'Only its author and admins can delete a comment.');
}

/* ── Events ── */

const place = { feedbackId: feedbackIdSchema, propertyId: propertyIdSchema };
/** The people it mentions for the first time, except its author. */
const mentioned = v.array(userIdSchema);

export const commentEvents = {
  'comment.created': event({
    seenBy: 'member',
    summary: 'A teammate commented on feedback.',
    data: v.strictObject({ ...place, mentioned }),
  }),
  'comment.edited': event({
    seenBy: 'member',
    summary: 'A comment was edited.',
    data: v.strictObject({ ...place, mentioned }),
  }),
  'comment.deleted': event({ seenBy: 'member', summary: 'A comment was deleted.', data: v.strictObject(place) }),
  'comment.restored': event({
    seenBy: 'member',
    summary: 'A deleted comment was restored.',
    data: v.strictObject(place),
  }),
};
