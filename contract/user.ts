import * as v from 'valibot';
import { accountIdSchema, userIdSchema } from './ids.ts';
import { operation } from './operation.ts';
import { found } from './schema.ts';

export const LEVELS = ['admin', 'user'] as const;
export type Level = (typeof LEVELS)[number];

/** A person of a team. `gs1sk` is the account's id, `gs2pk` the address (§3). */
export const user = v.strictObject({
  id: userIdSchema,
  sk: v.literal('USER'),
  gs1sk: accountIdSchema,
  gs2pk: v.string(),
  data: v.strictObject({
    created: v.number(),
    createdBy: v.string(),
    displayName: v.string(),
    emailAddress: v.string(),
    avatar: v.optional(v.string()),
    level: v.picklist(LEVELS),
    accountId: accountIdSchema,
  }),
});
export type User = v.InferOutput<typeof user>;

export const userOperations = {
  get: operation({
    access: 'member',
    summary: 'Reads one person of the account.',
    input: v.strictObject({ userId: userIdSchema }),
    answer: found({ user }),
  }),
  list: operation({
    access: 'member',
    summary: 'Lists the people of the account by name.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: found({ users: v.array(user) }),
  }),
};

/** Two letters for a person without a picture: of the first and the last word of the name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}
