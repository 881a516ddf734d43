import * as v from 'valibot';
import { badField, type Refusal } from '../core/errors.ts';
import { accountIdSchema, tagIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { lineOfText, okOrNotFound } from '../core/schema.ts';
import { event, noData } from '../event/event.ts';

/** The most tags of an account. */
export const MOST_ACCOUNT_TAGS = 200;

/** A topic of feedback, in the team's words. `gs1sk` is the account's id (docs/rules.md#envelope). */
const tag = v.strictObject({
  id: tagIdSchema,
  sk: v.literal('TAG'),
  gs1sk: accountIdSchema,
  data: v.strictObject({ accountId: accountIdSchema, displayName: v.string(), created: v.number() }),
});
export type Tag = v.InferOutput<typeof tag>;

/** In characters. */
export const LONGEST_TAG = 40;

export const tagName = lineOfText(LONGEST_TAG);

export const tagTaken = (): Refusal => badField('payload.data.displayName', 'You already have a tag with this name');

export const tagOperations = {
  list: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'List the tags of the account by name.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ tags: v.array(tag) }),
  }),
  save: operation({
    access: 'member',
    summary: 'Create a tag, or rename one by its id. Refuses an existing name, ignoring case.',
    refusals: { conflict: `An account has at most ${MOST_ACCOUNT_TAGS} tags.` },
    input: v.strictObject({
      payload: v.strictObject({ id: v.optional(tagIdSchema), data: v.strictObject({ displayName: tagName }) }),
    }),
    answer: okOrNotFound({ tag }),
  }),
  delete: operation({
    access: 'admin',
    summary: 'Delete a tag and remove it from all feedback.',
    input: v.strictObject({ tagId: tagIdSchema }),
    answer: okOrNotFound({}),
  }),
};

export const tagExamples: Examples<typeof tagOperations> = {
  list: ({ accountId }) => ({ accountId }),
  save: ({ unused }) => ({ payload: { data: { displayName: `Queue ${unused.slice(0, 8)}` } } }),
  delete: ({ tagId }) => ({ tagId }),
};

export const tagEvents = {
  'tag.created': event({ seenBy: 'member', summary: 'A tag was created.', data: noData }),
  'tag.renamed': event({ seenBy: 'member', summary: 'A tag was renamed.', data: noData }),
  'tag.deleted': event({ seenBy: 'member', summary: 'A tag was deleted.', data: noData }),
};
