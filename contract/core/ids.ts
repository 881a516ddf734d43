import * as v from 'valibot';
import { utcDay } from './time.ts';

/** Returns this many random bytes. The contract has no source of randomness, so callers pass theirs. */
export type RandomBytes = (size: number) => Uint8Array;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const FORM_SUFFIX = 6;
const FEEDBACK_SUFFIX = 5;
const TOOL_SUFFIX = 10;
/** 22 letters of 62 carry 130 bits. Even so, ids are public names and never grant access. */
const LONG_SUFFIX = 22;
/** For records that an account has few of, or that are only looked up under another record. */
const SHORT_SUFFIX = 10;

/** Returns random letters of an alphabet, by default letters and digits, each equally likely. */
export function randomAlphanumeric(length: number, random: RandomBytes, alphabet = ALPHABET): string {
  // The largest multiple of the alphabet's length in a byte; bytes from here on would favor the first letters.
  const unbiased = 256 - (256 % alphabet.length);
  let letters = '';
  while (letters.length < length) {
    for (const byte of random(length)) {
      if (byte < unbiased && letters.length < length) letters += alphabet[byte % alphabet.length];
    }
  }
  return letters;
}

/** Identifies what its sender sends, so that a retry doesn't repeat it. Only its holder can amend a visitor's answers. */
export const idempotencyKey = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{22,128}$/, 'Send a key of at least 128 random bits: 22 to 128 letters, digits, - or _'),
);

const KEY_LENGTH = 24;

export const newIdempotencyKey = (random: RandomBytes): string => randomAlphanumeric(KEY_LENGTH, random);

/** A business's own id for a visitor in a form's link (docs/rules.md#visitors-id): bounded, with no characters that a URL escapes. */
export const USER_ID = /^[A-Za-z0-9._~-]{1,64}$/;

export const formId = (random: RandomBytes) => `FORM_${randomAlphanumeric(FORM_SUFFIX, random)}`;
export const accountId = (random: RandomBytes) => `ACCOUNT_${randomAlphanumeric(LONG_SUFFIX, random)}`;
export const propertyId = (random: RandomBytes) => `PROPERTY_${randomAlphanumeric(LONG_SUFFIX, random)}`;
export const tagId = (random: RandomBytes) => `TAG_${randomAlphanumeric(SHORT_SUFFIX, random)}`;
export const webhookId = (random: RandomBytes) => `WEBHOOK_${randomAlphanumeric(SHORT_SUFFIX, random)}`;
export const webhookDeliveryId = (random: RandomBytes) => `WEBHOOKDELIVERY_${randomAlphanumeric(LONG_SUFFIX, random)}`;
export const commentId = (random: RandomBytes) => `COMMENT_${randomAlphanumeric(SHORT_SUFFIX, random)}`;
export const notificationId = (random: RandomBytes) => `NOTIFICATION_${randomAlphanumeric(LONG_SUFFIX, random)}`;
export const deviceId = (random: RandomBytes) => `DEVICE_${randomAlphanumeric(SHORT_SUFFIX, random)}`;
export const conversationMessageId = (random: RandomBytes) => `CONVERSATIONMESSAGE_${randomAlphanumeric(LONG_SUFFIX, random)}`;
export const messageId = (random: RandomBytes) => `MESSAGE_${randomAlphanumeric(SHORT_SUFFIX, random)}`;
export const savedViewId = (random: RandomBytes) => `SAVEDVIEW_${randomAlphanumeric(SHORT_SUFFIX, random)}`;
export const savedReplyId = (random: RandomBytes) => `SAVEDREPLY_${randomAlphanumeric(SHORT_SUFFIX, random)}`;
export const apiKeyId = (random: RandomBytes) => `APIKEY_${randomAlphanumeric(SHORT_SUFFIX, random)}`;
export const feedbackRequestId = (random: RandomBytes) => `FEEDBACKREQUEST_${randomAlphanumeric(LONG_SUFFIX, random)}`;
export const suppressionId = (random: RandomBytes) => `SUPPRESSION_${randomAlphanumeric(SHORT_SUFFIX, random)}`;
export const topicId = (random: RandomBytes) => `TOPIC_${randomAlphanumeric(SHORT_SUFFIX, random)}`;
export const exportId = (random: RandomBytes) => `EXPORT_${randomAlphanumeric(LONG_SUFFIX, random)}`;
export const toolId = (random: RandomBytes) => `TOOL_${randomAlphanumeric(TOOL_SUFFIX, random)}`;

/** A placement in a form's address: its id without the prefix, so that a printed QR code stays coarse. */
export const PLACEMENT = /^[A-Za-z0-9]{10}$/;
export const placementOf = (tool: string): string => tool.slice('TOOL_'.length);
export const toolIdOf = (placement: string): string => `TOOL_${placement}`;

/** The product's user id contains the identity pool's user name, which is a UUID. */
export const userId = (sub: string) => `USER_${sub}`;
export const subOf = (id: string) => id.slice('USER_'.length);

/**
 * Returns `EXPERIENCE_yyyymmdd_milliseconds_suffix` with a UTC date (docs/rules.md#feedback-ids). Ids sort by creation time, so the
 * feed's order is the primary key's.
 */
export function feedbackId(created: number, random: RandomBytes): string {
  return `${feedbackIdFloor(created)}${randomAlphanumeric(FEEDBACK_SUFFIX, random)}`;
}

/** Returns the smallest possible id of feedback created at this moment (UTC ms) or later. */
export function feedbackIdFloor(created: number): string {
  return `EXPERIENCE_${utcDay(created)}_${String(created).padStart(13, '0')}_`;
}

/** Returns the creation time (UTC ms) in a feedback id. */
export function feedbackIdCreated(id: string): number {
  return Number(id.split('_')[2]);
}

// @__NO_SIDE_EFFECTS__
function id(pattern: RegExp, example: string) {
  return v.pipe(v.string(), v.regex(pattern, `Enter an id such as ${example}`));
}

// @__NO_SIDE_EFFECTS__
const longId = (prefix: string) => id(new RegExp(`^${prefix}_[A-Za-z0-9]{4,40}$`), `${prefix}_…`);

export const accountIdSchema = longId('ACCOUNT');
export const propertyIdSchema = longId('PROPERTY');
const FORM_ID = /^FORM_[A-Za-z0-9]{6}$/;
export const isFormId = (name: string): boolean => FORM_ID.test(name);
export const formIdSchema = id(FORM_ID, 'FORM_a1B2c3');
export const toolIdSchema = id(/^TOOL_[A-Za-z0-9]{10}$/, 'TOOL_a1B2c3D4e5');
export const feedbackIdSchema = id(/^EXPERIENCE_\d{8}_\d{13}_[A-Za-z0-9]{5}$/, 'EXPERIENCE_20260101_1767225600000_a1B2c');
export const tagIdSchema = id(/^TAG_[A-Za-z0-9]{10}$/, 'TAG_a1B2c3D4e5');
export const commentIdSchema = id(/^COMMENT_[A-Za-z0-9]{10}$/, 'COMMENT_a1B2c3D4e5');
export const conversationMessageIdSchema = longId('CONVERSATIONMESSAGE');
export const messageIdSchema = id(/^MESSAGE_[A-Za-z0-9]{10}$/, 'MESSAGE_a1B2c3D4e5');
export const deliveryIdSchema = id(/^DELIVERY_[A-Za-z0-9]{10}$/, 'DELIVERY_a1B2c3D4e5');
export const notificationIdSchema = longId('NOTIFICATION');
export const deviceIdSchema = id(/^DEVICE_[A-Za-z0-9]{10}$/, 'DEVICE_a1B2c3D4e5');
export const savedViewIdSchema = id(/^SAVEDVIEW_[A-Za-z0-9]{10}$/, 'SAVEDVIEW_a1B2c3D4e5');
export const apiKeyIdSchema = id(/^APIKEY_[A-Za-z0-9]{10}$/, 'APIKEY_a1B2c3D4e5');
export const feedbackRequestIdSchema = longId('FEEDBACKREQUEST');
export const suppressionIdSchema = id(/^SUPPRESSION_[A-Za-z0-9]{10}$/, 'SUPPRESSION_a1B2c3D4e5');
export const topicIdSchema = id(/^TOPIC_[A-Za-z0-9]{10}$/, 'TOPIC_a1B2c3D4e5');
export const savedReplyIdSchema = id(/^SAVEDREPLY_[A-Za-z0-9]{10}$/, 'SAVEDREPLY_a1B2c3D4e5');
export const userIdSchema = id(/^USER_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'USER_…');
export const exportIdSchema = longId('EXPORT');
export const webhookIdSchema = id(/^WEBHOOK_[A-Za-z0-9]{10}$/, 'WEBHOOK_a1B2c3D4e5');
export const webhookDeliveryIdSchema = longId('WEBHOOKDELIVERY');
