import * as v from 'valibot';
import { badField, type Refusal, refusal } from '../core/errors.ts';
import { accountIdSchema, apiKeyIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, KEY_SCOPES, operation } from '../core/operation.ts';
import { lineOfText, okOrNotFound } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { event } from '../event/event.ts';

/* Keys with which a business's own programs call the API (docs/decisions/0004-access.md). */

/** The first part of a key, by which programs that search for leaked secrets recognize it. */
export const KEY_PREFIX = 'afterword';
/** Characters at the end of a key that the list shows. */
export const ENDING = 4;
/** Keys of an account. @limit api-keys */
export const MOST_KEYS = 20;
/** In characters. */
export const LONGEST_KEY_NAME = 40;
/** How long a key is valid at most (ms). @limit api-keys */
const LONGEST_KEY_LIFE = 3_660 * DAY;

const scopes = v.pipe(
  v.array(v.picklist(KEY_SCOPES)),
  v.minLength(1, 'Choose what the key may do'),
  v.maxLength(KEY_SCOPES.length, 'Choose each scope once'),
  v.check((list) => new Set(list).size === list.length, 'Choose each scope once'),
);

/** A key without its secret. `gs1sk` is the account's id (docs/rules.md#envelope). */
const apiKey = v.strictObject({
  id: apiKeyIdSchema,
  sk: v.literal('APIKEY'),
  gs1sk: accountIdSchema,
  data: v.strictObject({
    accountId: accountIdSchema,
    displayName: v.string(),
    scopes: v.array(v.picklist(KEY_SCOPES)),
    /** The last characters of the key. */
    ending: v.string(),
    /** The admin whose access it has. */
    author: userIdSchema,
    created: v.number(),
    /** UTC ms. Left out if it doesn't expire. */
    expires: v.optional(v.number()),
    lastUsed: v.optional(v.number()),
  }),
});
export type ApiKey = v.InferOutput<typeof apiKey>;

export const keyName = lineOfText(LONGEST_KEY_NAME);

/** A key as an admin asks for it. */
const newKey = v.strictObject({ displayName: keyName, scopes, expires: v.optional(v.number()) });
type NewKey = v.InferOutput<typeof newKey>;

/** Throws for an expiry (UTC ms) in the past or more than ten years away. */
export function checkExpiry({ expires }: NewKey, now: number): void {
  if (expires === undefined || (Number.isInteger(expires) && expires > now && expires <= now + LONGEST_KEY_LIFE)) return;
  throw badField('payload.data.expires', 'Choose a time within the next ten years');
}

export const tooManyKeys = (): Refusal => refusal('conflict', `You have ${MOST_KEYS} API keys, which is the most. Revoke one first.`);

export const apiKeyOperations = {
  list: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'List the account’s API keys, newest first, without their secrets.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ keys: v.array(apiKey) }),
  }),
  create: operation({
    access: 'admin',
    isGuarded: true,
    summary: 'Create an API key with the caller’s access, limited to scopes. Only this answer contains it.',
    refusals: { conflict: `An account has at most ${MOST_KEYS} API keys.` },
    input: v.strictObject({ payload: v.strictObject({ data: newKey }) }),
    answer: okOrNotFound({ key: apiKey, secret: v.string() }),
  }),
  revoke: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Revoke an API key. Its next request is refused.',
    input: v.strictObject({ apiKeyId: apiKeyIdSchema }),
    answer: okOrNotFound({}),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly apiKeyId: string;
  }
}

export const apiKeyExamples: Examples<typeof apiKeyOperations> = {
  list: ({ accountId }) => ({ accountId }),
  create: () => ({ payload: { data: { displayName: 'Reporting', scopes: ['read-feedback'] } } }),
  revoke: ({ apiKeyId }) => ({ apiKeyId }),
};

const keyData = v.strictObject({ scopes: v.array(v.picklist(KEY_SCOPES)) });

export const apiKeyEvents = {
  'api-key.created': event({ seenBy: 'admin', summary: 'An API key was created.', data: keyData }),
  'api-key.revoked': event({ seenBy: 'admin', summary: 'An API key was revoked.', data: keyData }),
};
